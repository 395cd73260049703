//! Hooks: what the webhooks of an account are sent of what happens in it.

mod delivery;
mod erasure;
mod failing;
mod templates;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use switchboard_worlds::sink::Received;

use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::Client;
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, Setup};

/// A service that waits longer for answers to hooks than programs can count on: the next attempt comes after minutes.
fn patient() -> Setup {
    Setup::default().setting("dispatch", "hook_timeout_seconds = 30")
}

/// Subscribes a receiver to these events.
async fn subscribes(client: &Client, receiver: &Receiver, settings: &[&str]) -> Value {
    let body = json!({ "destination": receiver.webhook("in"), "settings": settings });
    let answer = floor::admin(client, "POST", "/api/v4/webhooks", &body).await;
    answer.is(201).json
}

/// A request of the operator below the account.
async fn send_in_account(client: &Client, method: &str, rest: &str) -> Answer {
    let target = format!("/admin/v1/accounts/{ACCOUNT}{rest}");
    client.operate(method, &target).send().await
}

/// The hooks of the webhook with this number, newest first.
async fn hooks(client: &Client, webhook: u64) -> Vec<Value> {
    let rest = format!("/webhooks/{webhook}/hooks");
    let list = send_in_account(client, "GET", &rest).await.json;
    list["hooks"].as_array().unwrap().clone()
}

/// The fields of a form.
fn form(request: &Received) -> BTreeMap<String, String> {
    let pairs = url::form_urlencoded::parse(&request.body);
    pairs.into_owned().collect()
}

/// The event of a form: its keys before the item, as in `leads[add]`.
fn event(form: &BTreeMap<String, String>) -> String {
    let mut keys = form.keys();
    let key = keys.find(|key| !key.starts_with("account[")).unwrap();
    let end = key.find(']').unwrap();
    key.get(..=end).unwrap().to_owned()
}

/// The codes of all hooks that have arrived.
async fn hooks_of(receiver: &Receiver) -> Vec<String> {
    let requests = receiver.requests(1).await;
    let codes = requests.iter().map(|request| {
        let event = event(&form(request));
        let (object, verb) = event.trim_end_matches(']').split_once('[').unwrap();
        let object = match object {
            // A template has no key around its event.
            "add" => return "add_chat_template_review".to_owned(),
            "leads" => "lead",
            "contacts" => "contact",
            other => other,
        };
        format!("{verb}_{object}")
    });
    codes.collect()
}

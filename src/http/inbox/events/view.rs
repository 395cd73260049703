//! Events as the inbox shows them.

use serde_json::{Value, json};
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::system::live::{Audience, Health, LiveEvent, What};

use crate::http::inbox::view;
use crate::http::openapi::{Field, Schema, may, must};

/// The event in the form of `text/event-stream`.
pub(super) fn text(event: &LiveEvent) -> String {
    let (name, data) = named(event);
    let id = event
        .number
        .map_or(String::new(), |number| format!("id: {number}\n"));
    // JSON has no line breaks: it is one line of data.
    format!("{id}event: {name}\ndata: {data}\n\n")
}

fn named(event: &LiveEvent) -> (&'static str, Value) {
    match &event.what {
        What::Message(conversation, message) => (
            "message",
            json!({ "conversation_id": conversation, "message": view::message(message) }),
        ),
        What::Changed(conversation, message) => (
            "changed",
            json!({ "conversation_id": conversation, "message_id": message }),
        ),
        What::Delivery(conversation, message, status) => {
            let delivery = view::delivery(Some(status), "queued");
            (
                "delivery",
                json!({ "conversation_id": conversation, "message_id": message, "delivery": delivery }),
            )
        }
        What::Callback(conversation, message, callback) => (
            "callback",
            json!({ "conversation_id": conversation, "message_id": message, "callback": callback }),
        ),
        What::Deal(deal) => (
            "deal",
            json!({ "conversation_id": deal.conversation, "deal": view::deal(deal) }),
        ),
        What::Read(conversation, by) => (
            "read",
            json!({ "conversation_id": conversation, "unread": 0, "user": { "id": by } }),
        ),
        What::Fetched(conversation, fetched) => {
            let (message, url, check) = view::fetched(fetched);
            let name = if message.is_some() { "media" } else { "avatar" };
            (
                name,
                json!({ "conversation_id": conversation, "message_id": message, "url": url, "check": check }),
            )
        }
        What::Typing(conversation, who) => (
            "typing",
            json!({ "conversation_id": conversation, "user": { "id": who.user, "name": who.name } }),
        ),
        What::CustomerTyping(conversation, typing) => (
            "typing",
            json!({
                "conversation_id": conversation,
                "customer": { "id": typing.person, "until": typing.until.secs() },
            }),
        ),
        What::Health(version, health) => {
            let channel = match &event.audience {
                Audience::Channel(channel) => Some(channel),
                Audience::Account(_) => None,
            };
            let state = match health {
                Health::Failing => "failing",
                Health::Recovered => "recovered",
                Health::Disabled => "disabled",
            };
            (
                "channel",
                json!({ "channel_id": channel, "hook_api_version": version.to_string(), "state": state }),
            )
        }
    }
}

/// The stream, with the data of each event.
pub(super) fn schema() -> Schema {
    let of = |name, fields: Vec<Field>| {
        let mut all = vec![must("conversation_id", Schema::uuid())];
        all.extend(fields);
        Schema::named(name, Schema::object(all))
    };
    let message_id = || must("message_id", Schema::uuid());
    let user = || Schema::object([must("id", Schema::number())]);
    let typist = Schema::object([must("id", Schema::number()), must("name", Schema::text())]);
    let customer = Schema::object([must("id", Schema::uuid()), must("until", Schema::seconds())]);
    let url = || must("url", Schema::url().or_null());
    let check = || must("check", view::check_schema().or_null());
    let states = ["failing", "recovered", "disabled"];
    let data = [
        Schema::named("EventReady", Schema::object([])),
        Schema::named("EventReset", Schema::object([])),
        of(
            "EventMessage",
            vec![must("message", view::message_schema())],
        ),
        of("EventChanged", vec![message_id()]),
        of(
            "EventDelivery",
            vec![message_id(), must("delivery", view::delivery_schema())],
        ),
        of(
            "EventCallback",
            vec![message_id(), must("callback", view::callback_schema())],
        ),
        of("EventDeal", vec![must("deal", view::deal_schema())]),
        of(
            "EventRead",
            vec![must("unread", Schema::only(0)), must("user", user())],
        ),
        of("EventMedia", vec![message_id(), url(), check()]),
        of(
            "EventAvatar",
            vec![
                must("message_id", Schema::only(Value::Null)),
                url(),
                check(),
            ],
        ),
        of(
            "EventTyping",
            vec![may("user", typist), may("customer", customer)],
        ),
        Schema::named(
            "EventChannel",
            Schema::object([
                must("channel_id", Schema::text().or_null()),
                must("hook_api_version", Schema::choice(&HookVersion::NAMES)),
                must("state", Schema::words(states)),
            ]),
        ),
    ];
    Schema::text().telling(data)
}

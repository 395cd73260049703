//! `/admin/v1/deliveries`, `/replays` and `/endpoints`, quotas, and `/metrics`.

mod access;
mod command_line;
mod disconnected;
mod edited_replay;
mod endpoints;
mod held;
mod list;
mod log;
mod metrics;
mod quota;
mod replay;
mod replays;
mod request;

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::message;
use crate::support::eventually;
use crate::support::rounds::Rounds;
use crate::support::server::Server;

/// A conversation with a message of its customer; gives the service's id.
pub(crate) async fn conversation(server: &Server, name: &str) -> String {
    let new_message = server.client().sent(&message("m", name)).await;
    new_message["conversation_id"].as_str().unwrap().to_owned()
}

/// Reads something of the operator's, which must be there.
pub(crate) async fn read(server: &Server, target: &str) -> Value {
    let request = server.client().operate("GET", target);
    request.send().await.is(200).json
}

/// Does something with a delivery.
pub(crate) async fn act(server: &Server, message: &str, what: &str) -> Answer {
    let target = format!("/admin/v1/deliveries/{message}/{what}");
    server.client().operates("POST", &target, &json!({})).await
}

/// Waits until a delivery is in this state, and gives it.
pub(crate) async fn delivery_is(server: &Server, message: &str, state: &str) -> Value {
    let target = format!("/admin/v1/deliveries/{message}");
    eventually(&format!("{message} is {state}"), async || {
        let delivery = read(server, &target).await;
        (delivery["state"] == state).then_some(delivery)
    })
    .await
}

/// The ids in a list, page by page of this length.
async fn listed(server: &Server, query: &str, limit: usize) -> Vec<String> {
    let mut ids = Vec::new();
    let mut cursor = String::new();
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let target = format!("/admin/v1/deliveries?limit={limit}{query}{cursor}");
        let page = read(server, &target).await;
        let deliveries = page["deliveries"].as_array().unwrap();
        assert!(deliveries.len() <= limit);
        ids.extend(
            deliveries
                .iter()
                .map(|it| it["id"].as_str().unwrap().to_owned()),
        );
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return ids,
        }
    }
}

/// Returns the operator's actions, oldest first.
async fn done(server: &Server) -> Vec<(String, String)> {
    let log = read(server, "/admin/v1/audit?limit=250").await;
    let entries = log["entries"].as_array().unwrap().iter().rev();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    entries
        .filter(|entry| entry["by"]["kind"] == "operator")
        .map(|entry| (text(&entry["action"]), text(&entry["object"])))
        .collect()
}

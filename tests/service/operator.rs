//! The operator's interface, `/admin/v1`.

mod access;
mod accounts;
mod audit;
mod bad_bodies;
mod channels;
mod command_line;
mod connections;
mod declared;
mod email;
mod explain_id;
mod groups;
mod lists;
mod own_ids;
mod pause;
mod people;
mod quotas;
mod recorded_secrets;
mod requests;
mod rotation;
mod test_send;
mod webhooks;

use serde_json::{Value, json};

use crate::support::server::{CHANNEL, Server};

/// The address of [`CHANNEL`].
const OF_THE_CHANNEL: &str = "/admin/v1/channels/c0ffee00-1111-4222-8333-444455556666";

/// Does something with [`CHANNEL`], which must work, and gives the answer.
pub(crate) async fn act(server: &Server, what: &str, body: &Value) -> Value {
    let target = format!("/admin/v1/channels/{CHANNEL}/{what}");
    let answer = server.client().operates("POST", &target, body).await;
    answer.is(200).json
}

/// Changes [`CHANNEL`], which must work, and gives the answer.
async fn change(server: &Server, body: &Value) -> Value {
    let response = server
        .client()
        .operates("PATCH", OF_THE_CHANNEL, body)
        .await;
    response.is(200).json
}

/// [`CHANNEL`] as it is now.
async fn shown(server: &Server) -> Value {
    let request = server.client().operate("GET", OF_THE_CHANNEL);
    request.send().await.is(200).json
}

/// Returns the newest page of the audit log, of 250 entries.
pub(crate) async fn audit_log(server: &Server) -> Value {
    let target = "/admin/v1/audit?limit=250";
    let request = server.client().operate("GET", target);
    request.send().await.is(200).json
}

/// Returns the operator's actions on [`CHANNEL`], oldest first.
async fn done(server: &Server) -> Vec<String> {
    let log = audit_log(server).await;
    let entries = log["entries"].as_array().unwrap().iter().rev();
    entries
        .filter(|entry| entry["by"] == json!({ "kind": "operator" }) && entry["object"] == CHANNEL)
        .map(|entry| entry["action"].as_str().unwrap().to_owned())
        .collect()
}

/// Stops the service and starts it again.
async fn again(server: &mut Server) {
    assert_eq!(server.terminate().await, Some(0));
    server.restart().await;
}

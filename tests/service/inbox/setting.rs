//! The states from which tests of the inbox begin.

use crate::rights::floor;
use crate::support::client::{Client, message};

/// The address of a part of a conversation, such as `/notes`.
pub(super) fn target(conversation: &str, part: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}{part}")
}

/// A conversation whose lead is in work, and no user is responsible for it.
pub(super) async fn conversation(client: &Client) -> String {
    client.connect("v2").await;
    let answer = client.sent(&message("m1", "c")).await;
    floor::place(client, 1, 2, None).await;
    answer["conversation_id"].as_str().unwrap().to_owned()
}

/// The conversation that a customer begins with this text.
pub(super) async fn question(client: &Client, text: &str) -> String {
    client.connect("v2").await;
    let mut event = message("m-1", "c-ada");
    event["payload"]["message"]["text"] = text.into();
    let sent = client.sent(&event).await;
    sent["conversation_id"].as_str().unwrap().to_owned()
}

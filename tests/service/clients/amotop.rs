//! amotop, a library for Node: it signs connecting over the raw body, and everything else canonically.

use std::process::Command;

use serde_json::{Map, Value, json};

use super::{chat_user, drive, given, node_packages, run, scripts};
use crate::support::server::{ACCOUNT, CHANNEL, Setup};
use crate::support::skip::skipped;
use crate::support::turn::turn;

fn node() -> Result<(Command, String), String> {
    run(Command::new("node").arg("--version"))?;
    let modules = node_packages("node")?;
    let mut node = Command::new("node");
    node.arg(scripts("node").join("drive.js"));
    Ok((node, modules.display().to_string()))
}

#[tokio::test]
async fn all_operations_of_amotop_work() {
    all_operations(Setup::default()).await;
}

#[tokio::test]
async fn amotop_works_unchanged_through_the_proxy() {
    all_operations(Setup::default().with_proxy()).await;
}

async fn all_operations(setup: Setup) {
    let (mut node, modules) = match node() {
        Ok(found) => found,
        Err(why) => return skipped(&why, "install Node with npm; fetches from npm"),
    };
    let _turn = turn().await;
    let server = setup.start().await;
    let client = server.client();
    let user = chat_user(&server).await;
    let mut input = given(&server, "first", &user);
    input["modules"] = json!(modules);
    let report = drive(&mut node, &server, &input);

    let connected = report["connected"].as_object().unwrap();
    assert_eq!(connected["scope_id"], format!("{CHANNEL}_{ACCOUNT}"));
    assert_eq!(connected["title"], "Канал");
    assert_eq!(connected["is_time_window_disabled"], false);
    assert_eq!(report["untitled"]["title"], "First messenger");
    let chat = report["chat"].as_object().unwrap();
    assert_eq!(
        chat["user"],
        json!({ "id": user }),
        "what has no value is absent"
    );
    let conversation = chat["id"].as_str().unwrap();
    let ids = report["sent"].as_object().unwrap();
    assert_eq!(ids.len(), 16);
    let messages = client.messages(conversation).await;
    assert_eq!(messages.len(), 16);
    assert_eq!(ids["textFromContact"]["conversation_id"], chat["id"]);
    compare(ids, &messages, &user);
    let history = report["history"]["messages"].as_array().unwrap();
    assert_eq!(history.len(), 16);
    assert!(history.iter().all(|it| it["message"]["text"].is_string()));

    let message = client.replied(conversation, "Yes").await;
    let mut input = given(&server, "then", &user);
    input["modules"] = json!(modules);
    input["message"] = json!(message);
    input["conversation"] = chat["id"].clone();
    let report = drive(&mut node, &server, &input);
    assert_eq!(report["statuses"], json!(["", "", ""]));
    assert_eq!(report["history"]["messages"][0]["message"]["id"], message);
    assert_eq!(report["disconnected"], "");
    let refusals: &Value = &report["refused"];
    assert_eq!(refusals["error_type"], "ORIGIN_NOT_REGISTERED");
    let stored_messages = client.messages(conversation).await;
    assert_eq!(stored_messages[0]["delivery"]["status"], "read");
}

/// Compares the answers to the library with the stored messages.
fn compare(sent: &Map<String, Value>, messages: &[Value], user: &Value) {
    let conversation = &sent["textFromContact"]["conversation_id"];
    for (name, sent) in sent {
        assert_eq!(sent["conversation_id"], *conversation, "{name}");
        assert_eq!(sent["ref_id"], sent["asked"], "{name}");
        let message = messages
            .iter()
            .find(|it| it["id"] == sent["msgid"])
            .unwrap();
        let ours = name.contains("FromUser") || name.contains("FromBot");
        assert_eq!(
            message["direction"],
            if ours { "out" } else { "in" },
            "{name}"
        );
        assert_eq!(
            sent.get("receiver_id").is_some(),
            ours,
            "{name}: absent, not null"
        );
        if name.contains("FromUser") {
            assert_eq!(sent["sender_id"], *user);
            assert_eq!(
                message["sender"]["name"], "Ada",
                "{name}: not what the library makes up"
            );
        }
    }
    assert_eq!(
        messages
            .iter()
            .filter(|it| it["reply_to"].is_object())
            .count(),
        3
    );
}

//! amojowrapper, a library for Python: it signs everything canonically, also what has no body.

use std::process::Command;

use serde_json::{Value, json};

use super::{chat_user, drive, given, python_packages, scripts};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Setup};
use crate::support::skip::skipped;
use crate::support::turn::turn;

fn python() -> Result<Command, String> {
    let packages = python_packages("python")?;
    let mut python = Command::new("python3");
    python.arg(scripts("python").join("drive.py"));
    python
        .env("PYTHONPATH", packages)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(python)
}

fn find<'a>(messages: &'a [Value], id: &Value) -> &'a Value {
    let entry = messages.iter().find(|message| message["id"] == *id);
    entry.unwrap_or_else(|| panic!("{id} is not in {messages:?}"))
}

/// Checks that messages which others wrote elsewhere are stored as messages to the customer.
fn are_imported(told: &Value, messages: &[Value]) {
    for (imported, name) in [
        ("imported", json!("Ada")),
        ("imported_of_bot", json!("amojowrapper")),
    ] {
        let message = find(messages, &told[imported]["msgid"]);
        assert_eq!(
            (&message["direction"], &message["imported"]),
            (&json!("out"), &json!(true))
        );
        assert_eq!(message["sender"]["name"], name, "{imported}");
    }
}

#[tokio::test]
async fn all_operations_of_amojowrapper_work() {
    all_operations(Setup::default()).await;
}

#[tokio::test]
async fn amojowrapper_works_unchanged_through_the_proxy() {
    all_operations(Setup::default().with_proxy()).await;
}

async fn all_operations(setup: Setup) {
    let mut python = match python() {
        Ok(python) => python,
        Err(why) => return skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    };
    let _turn = turn().await;
    let receiver = Receiver::start().await;
    let server = setup.webhook(&receiver).start().await;
    let client = server.client();
    let user = chat_user(&server).await;
    let report = drive(&mut python, &server, &given(&server, "first", &user));

    assert_eq!(
        report["connected"]["scope_id"],
        format!("{CHANNEL}_{ACCOUNT}")
    );
    assert_eq!(report["connected"]["title"], "Канал");
    assert_eq!(report["connected"]["hook_api_version"], "v2");
    let chat = &report["chat"];
    assert_eq!(chat["user"]["client_id"], "py-customer");
    let conversation = chat["id"].as_str().unwrap();
    let messages = client.messages(conversation).await;
    let ids = report["sent"].as_object().unwrap();
    assert_eq!(ids.len(), 9);
    for (kind, sent) in ids {
        assert_eq!(sent["conversation_id"], chat["id"], "{kind}");
        assert_eq!(sent["sender_id"], chat["user"]["id"], "{kind}");
        assert_eq!(sent["ref_id"], format!("py-{kind}"));
        assert_eq!(find(&messages, &sent["msgid"])["type"], *kind);
    }
    let text = find(&messages, &ids["text"]["msgid"]);
    assert_eq!(report["edited"], ids["text"]);
    assert_eq!(text["text"], "changed");
    let reactions = json!([
        { "sender_id": chat["user"]["id"], "emoji": "😍" },
        { "sender_id": user, "emoji": null },
    ]);
    assert_eq!(text["reactions"], reactions);
    are_imported(&report, &messages);
    assert_eq!(report["typing"], json!([true, true]));
    assert_eq!(report["react"], json!([200, 200, 200, 200, 200]));
    let history = report["history"]["messages"].as_array().unwrap();
    assert_eq!(history.len(), messages.len());
    assert_eq!(history[0]["message"]["client_id"], "py-bot");
    assert_eq!(history[0]["receiver"]["client_id"], "py-customer");

    let message = client.replied(conversation, "Да / yes").await;
    client
        .callback_is(conversation, &message, "delivered")
        .await;
    let callback = receiver.callbacks(2).await.pop().unwrap().request;
    let mut input = given(&server, "then", &user);
    input["message"] = json!(message);
    input["conversation"] = chat["id"].clone();
    input["callback"] = json!(String::from_utf8(callback.body.to_vec()).unwrap());
    input["signature"] = json!(crate::support::client::signature(SECRET, &callback.body));
    let report = drive(&mut python, &server, &input);
    assert_eq!(report["statuses"], json!([200, 200, 200]));
    assert_eq!(report["callback"], true);
    assert_eq!(report["history"]["messages"][0]["message"]["id"], message);
    assert_eq!(report["disconnected"], true);
    let stored_messages = client.messages(conversation).await;
    assert_eq!(
        find(&stored_messages, &json!(message))["delivery"]["status"],
        "read"
    );
}

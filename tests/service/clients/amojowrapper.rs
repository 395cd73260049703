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
    let found = messages.iter().find(|message| message["id"] == *id);
    found.unwrap_or_else(|| panic!("{id} is not in {messages:?}"))
}

/// What other people wrote elsewhere is stored as messages to the customer.
fn are_imported(told: &Value, messages: &[Value]) {
    for (imported, name) in [
        ("imported", json!("Ada")),
        ("imported_of_bot", json!("amojowrapper")),
    ] {
        let stored = find(messages, &told[imported]["msgid"]);
        assert_eq!(
            (&stored["direction"], &stored["imported"]),
            (&json!("out"), &json!(true))
        );
        assert_eq!(stored["sender"]["name"], name, "{imported}");
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
    let told = drive(&mut python, &server, &given(&server, "first", &user));

    assert_eq!(
        told["connected"]["scope_id"],
        format!("{CHANNEL}_{ACCOUNT}")
    );
    assert_eq!(told["connected"]["title"], "Канал");
    assert_eq!(told["connected"]["hook_api_version"], "v2");
    let chat = &told["chat"];
    assert_eq!(chat["user"]["client_id"], "py-customer");
    let conversation = chat["id"].as_str().unwrap();
    let messages = client.messages(conversation).await;
    let sent = told["sent"].as_object().unwrap();
    assert_eq!(sent.len(), 9);
    for (kind, sent) in sent {
        assert_eq!(sent["conversation_id"], chat["id"], "{kind}");
        assert_eq!(sent["sender_id"], chat["user"]["id"], "{kind}");
        assert_eq!(sent["ref_id"], format!("py-{kind}"));
        assert_eq!(find(&messages, &sent["msgid"])["type"], *kind);
    }
    let text = find(&messages, &sent["text"]["msgid"]);
    assert_eq!(told["edited"], sent["text"]);
    assert_eq!(text["text"], "changed");
    let reactions = json!([
        { "sender_id": chat["user"]["id"], "emoji": "😍" },
        { "sender_id": user, "emoji": null },
    ]);
    assert_eq!(text["reactions"], reactions);
    are_imported(&told, &messages);
    assert_eq!(told["typing"], json!([true, true]));
    assert_eq!(told["react"], json!([200, 200, 200, 200, 200]));
    let history = told["history"]["messages"].as_array().unwrap();
    assert_eq!(history.len(), messages.len());
    assert_eq!(history[0]["message"]["client_id"], "py-bot");
    assert_eq!(history[0]["receiver"]["client_id"], "py-customer");

    let message = client.replied(conversation, "Да / yes").await;
    client
        .callback_is(conversation, &message, "delivered")
        .await;
    let callback = receiver.callbacks(2).await.pop().unwrap().request;
    let mut given = given(&server, "then", &user);
    given["message"] = json!(message);
    given["conversation"] = chat["id"].clone();
    given["callback"] = json!(String::from_utf8(callback.body.to_vec()).unwrap());
    given["signature"] = json!(crate::support::client::signature(SECRET, &callback.body));
    let told = drive(&mut python, &server, &given);
    assert_eq!(told["statuses"], json!([200, 200, 200]));
    assert_eq!(told["callback"], true);
    assert_eq!(told["history"]["messages"][0]["message"]["id"], message);
    assert_eq!(told["disconnected"], true);
    let stored = client.messages(conversation).await;
    assert_eq!(find(&stored, &json!(message))["delivery"]["status"], "read");
}

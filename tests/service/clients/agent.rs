//! A bot on a published library: the webhook of a message, the messages of its talk, an answer, and its way to all who see it.

use serde_json::{Value, json};

use super::unchanged::python;
use super::{begin, report};
use crate::support::client::{entries, message};
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, Setup};
use crate::support::skip::skipped;
use crate::support::turn::turn;

/// The ids of these messages.
fn ids(messages: &[Value]) -> Vec<&str> {
    let ids = messages.iter().map(|message| &message["id"]);
    ids.map(|id| id.as_str().unwrap()).collect()
}

/// A message goes round once: the bot answers what a customer wrote, its answer is at the channel, in the console, in the
/// list of the talk and in a hook, each once and under one id, and the bot leaves its own message alone.
#[tokio::test]
async fn a_bot_of_webhook_messages_and_answer_goes_round_once() {
    let (mut program, _) = match python("agent.py") {
        Ok(program) => program,
        Err(why) => return skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    };
    let _turn = turn().await;
    let receiver = Receiver::start().await;
    let setup = Setup::default()
        .with_proxy()
        .webhook(&receiver)
        .setting("dispatch", "hook_timeout_seconds = 30");
    let server = setup.start().await;
    let client = server.client();
    client.connect("v2").await;
    let (token, _) = crate::support::oauth::installed(client).await;
    let subdomain = client.read("/api/v4/account").await["subdomain"].clone();
    let input = json!({ "subdomain": subdomain, "token": token });
    let child = begin(&mut program, &server, &input);
    eventually("the bot has subscribed", async || {
        let answer = client.get("/api/v4/webhooks").await;
        (answer.status == 200).then_some(())
    })
    .await;
    let new_message = client.sent(&message("m1", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let bot = tokio::task::spawn_blocking(|| report(child)).await.unwrap();
    let asked = new_message["msgid"].as_str().unwrap();
    let sent = bot["sent"][0].as_str().unwrap();
    assert_eq!(bot["accounts"], json!([subdomain, subdomain]));
    assert_eq!(bot["answered"], json!([asked]), "its own answer is none");
    assert_eq!(bot["read"], json!([[asked]]));
    let own = &bot["skipped"][0];
    assert_eq!(
        (&own["id"], &own["author"]["type"], &own["text"]),
        (&json!(sent), &json!("bot"), &json!("You wrote: text of m1"))
    );
    client.callback_is(conversation, sent, "delivered").await;
    let callbacks = receiver.callbacks(1).await;
    assert_eq!(callbacks.len(), 1);
    assert_eq!(callbacks[0].json["message"]["message"]["id"], sent);
    let console = client.messages(conversation).await;
    assert_eq!(ids(&console), [sent, asked]);
    let page = client.read("/api/v4/talks/1/messages").await;
    assert_eq!(ids(&entries(&page, "messages")), [sent, asked]);
    let target = format!("/admin/v1/accounts/{ACCOUNT}/webhooks/1/hooks");
    let hooks = client.operate("GET", &target).send().await.is(200).json;
    let events: Vec<_> = hooks["hooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["event"])
        .collect();
    assert_eq!(events, ["add_outgoing_message", "add_message"]);
}

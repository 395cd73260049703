//! Bots on published libraries: the webhook of a message, the messages of its talk, an answer, and its way to all who see it;
//! and the question of a salesbot, whose answer comes at the return address.

use serde_json::{Value, json};

use super::unchanged::{php, python};
use super::{begin, report};
use crate::support::client::{entries, message};
use crate::support::eventually;
use crate::support::oauth::{OAUTH_CLIENT, installed};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, Server, Setup};
use crate::support::skip::{left_to_others, skipped};
use crate::support::turn::turn;

/// The ids of these messages.
fn ids(messages: &[Value]) -> Vec<&str> {
    let ids = messages.iter().map(|message| &message["id"]);
    ids.map(|id| id.as_str().unwrap()).collect()
}

/// A service behind its proxy, connected, which waits long for a bot on a busy machine.
async fn patient(receiver: &Receiver) -> Server {
    let setup = Setup::default()
        .with_proxy()
        .webhook(receiver)
        .setting("dispatch", "hook_timeout_seconds = 30");
    let server = setup.start().await;
    server.client().connect("v2").await;
    server
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
    let server = patient(&receiver).await;
    let client = server.client();
    let (token, _) = installed(client).await;
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

/// The library is in Composer's registry, which is not everywhere: only a machine that has it runs this.
#[tokio::test]
async fn a_salesbot_asks_and_the_library_amoapi_v4_answers() {
    let (mut program, modules) = match php("agent_amoapi.php", "AMOAPI_V4") {
        Ok(program) => program,
        Err(why) => return left_to_others(&why, "get ufee/amoapi-v4; AMOAPI_V4=FOLDER"),
    };
    let _turn = turn().await;
    let receiver = Receiver::start().await;
    let server = patient(&receiver).await;
    let client = server.client();
    let (token, _) = installed(client).await;
    let new_message = client.sent(&message("m1", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let lead = client.leads().await[0]["id"].clone();
    let input = json!({
        "subdomain": client.read("/api/v4/account").await["subdomain"],
        "token": token,
        "client": OAUTH_CLIENT,
        "lead": lead,
        "modules": modules,
    });
    let child = begin(&mut program, &server, &input);
    let agent = tokio::task::spawn_blocking(|| report(child)).await.unwrap();
    assert_eq!(agent["bots"], json!([{ "id": 1, "name": "Ask" }]));
    assert_eq!(agent["is_run"], true);
    assert_eq!(agent["question"]["data"]["message"], "text of m1");
    assert_eq!(agent["is_continued"], true, "{agent:#}");
    let callbacks = receiver.callbacks(1).await;
    let answer = &callbacks[0].json["message"];
    assert_eq!(answer["conversation"]["id"], conversation);
    assert_eq!(answer["message"]["text"], "You wrote: text of m1");
}

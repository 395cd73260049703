//! Presses: a customer's message that has the text of a button, or the value of a row, of the newest message with markup.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::rights::floor;
use crate::support::client::{Client, message, silent_message};
use crate::support::oauth::{does, installed};
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, Server, TOKEN};

const TALK: &str = "/api/v4/talks/1/send_message";

pub(crate) async fn set_channel(client: &Client, change: &Value) {
    let target = format!("/admin/v1/channels/{CHANNEL}");
    client.operates("PATCH", &target, change).await.is(200);
}

/// The customer writes; the conversation.
async fn says(client: &Client, msgid: &str, text: &str) -> String {
    let mut event = message(msgid, "c-ada");
    event["payload"]["message"]["text"] = text.into();
    let sent = client.sent(&event).await;
    sent["conversation_id"].as_str().unwrap().to_owned()
}

/// The number of a new template with these buttons.
pub(crate) async fn template(client: &Client, buttons: &Value) -> u64 {
    let body = json!({ "name": "T", "content": "Is it right?", "buttons": buttons });
    let answer = floor::admin(client, "POST", "/api/v4/chats/templates", &body).await;
    let id = &answer.is(200).json["_embedded"]["chat_templates"][0]["id"];
    id.as_u64().unwrap()
}

/// Sends a template; the id of the message.
async fn asks(client: &Client, conversation: &str, template: u64) -> String {
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let body = json!({ "type": "template", "template_id": template });
    let sent = floor::admin(client, "POST", &target, &body).await.is(201);
    sent.json["id"].as_str().unwrap().to_owned()
}

/// The message with this text, of the newest ones.
async fn shown(client: &Client, conversation: &str, text: &str) -> Value {
    let messages = client.messages(conversation).await;
    let found = messages.into_iter().find(|it| it["text"] == text);
    found.unwrap_or_else(|| panic!("no message says {text}"))
}

fn inline(texts: &[&str]) -> Value {
    let buttons = texts.iter();
    buttons
        .map(|text| json!({ "type": "inline", "text": text }))
        .collect()
}

#[tokio::test]
async fn a_press_is_shown_on_both_messages_and_stays() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    set_channel(client, &json!({ "buttons": true })).await;
    let conversation = says(client, "m-1", "Hello").await;
    let template = template(client, &inline(&["Yes, confirm", "No"])).await;
    let question = asks(client, &conversation, template).await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    says(client, "m-2", "Yes, confirm").await;
    // Posted twice, it is one message and one press.
    says(client, "m-2", "Yes, confirm").await;
    let event = stream.upto("message").await.pop().unwrap().data;
    let pressed = json!({ "message_id": question, "text": "Yes, confirm" });
    assert_eq!(event["message"]["pressed"], pressed);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let messages = client.messages(&conversation).await;
    assert_eq!(messages.len(), 3);
    assert_eq!(messages[0]["pressed"], pressed);
    let press = json!({ "message_id": messages[0]["id"], "text": "Yes, confirm" });
    assert_eq!(messages[1]["pressed"], press);
    assert_eq!(messages[2].get("pressed"), None);
    // The newest press counts on the message with the buttons.
    says(client, "m-3", "No").await;
    let messages = client.messages(&conversation).await;
    assert_eq!(messages[2]["pressed"]["message_id"], messages[0]["id"]);
    assert_eq!(messages[2]["pressed"]["text"], "No");
    assert_eq!(messages[1]["pressed"], pressed);
}

#[tokio::test]
async fn only_ordinary_messages_press_the_newest_buttons() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    set_channel(client, &json!({ "buttons": true })).await;
    let conversation = says(client, "m-1", "Hello").await;
    let first = template(client, &inline(&["Yes"])).await;
    let second = template(client, &inline(&["Later"])).await;
    asks(client, &conversation, first).await;
    let mut silent = silent_message("m-2", "c-ada");
    silent["payload"]["message"]["text"] = "Yes".into();
    client.sent(&silent).await;
    let history = shown(client, &conversation, "Yes").await;
    assert_eq!(history.get("pressed"), None);
    asks(client, &conversation, second).await;
    says(client, "m-3", "Yes").await;
    let messages = client.messages(&conversation).await;
    assert!(messages.iter().all(|it| it.get("pressed").is_none()));
    // A message without markup takes nothing away.
    client.replied(&conversation, "Take your time.").await;
    says(client, "m-4", "Later").await;
    let messages = client.messages(&conversation).await;
    assert_eq!(messages[0]["pressed"]["text"], "Later");
}

#[tokio::test]
async fn a_list_is_sent_by_a_program_and_its_row_is_pressed() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = says(client, "m-1", "Hello").await;
    floor::place(client, 1, 2, None).await;
    let (token, _) = installed(client).await;
    let list = json!({
        "header": "Pick a time", "body": "We are open on Friday", "footer": "UTC+3", "button": "Show times",
        "sections": [{ "title": "Morning", "rows": [
            { "callback_data": "slot-0900", "title": "09:00", "description": "1 hour" },
            { "callback_data": "slot-1000", "title": "10:00", "description": "" },
        ] }],
    });
    let body = json!({ "list_message": list });
    let send = async || does(client, &token, "POST", TALK, &body).await.is(202);
    send().await;
    let text = "Pick a time\nWe are open on Friday\nMorning\n1. 09:00: 1 hour\n2. 10:00\nUTC+3";
    let callback = receiver.callbacks(1).await.remove(0).json;
    assert_eq!(callback["message"]["message"]["text"], text);
    assert_eq!(callback["message"]["message"]["markup"], Value::Null);
    set_channel(client, &json!({ "lists": true })).await;
    let question = send().await.json["id"].clone();
    let callback = receiver.callbacks(2).await.remove(1).json;
    let said = &callback["message"]["message"];
    assert_eq!(said["text"], "We are open on Friday");
    assert_eq!(said["markup"], json!({ "list_message": list }));
    let mut event = message("m-2", "c-ada");
    event["payload"]["message"]["text"] = "10:00".into();
    event["payload"]["message"]["callback_data"] = "slot-1000".into();
    client.sent_today(&event).await;
    let messages = client.messages(&conversation).await;
    let pressed = json!({ "message_id": question, "text": "10:00" });
    assert_eq!(messages[0]["pressed"], pressed);
    let shown_list = &messages[1]["list_message"];
    assert_eq!(messages[1]["pressed"]["message_id"], messages[0]["id"]);
    assert_eq!(shown_list["sections"][0]["rows"][1]["title"], "10:00");
    assert_eq!(messages[2].get("list_message"), None);
}

#[tokio::test]
async fn version_1_gets_lists_and_buttons_as_text() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v1").await;
    set_channel(client, &json!({ "buttons": true, "lists": true })).await;
    let conversation = says(client, "m-1", "Hello").await;
    floor::place(client, 1, 2, None).await;
    let list = json!({ "body": "Which one?", "button": "Open", "sections": [
        { "title": "Tulips", "rows": [{ "callback_data": "red", "title": "Red" }] },
    ] });
    let body = json!({ "list_message": list });
    floor::admin(client, "POST", TALK, &body).await.is(202);
    let template = template(client, &inline(&["Yes"])).await;
    asks(client, &conversation, template).await;
    let bodies = receiver
        .callbacks(2)
        .await
        .into_iter()
        .map(|it| it.json.to_string());
    for (body, text) in bodies.zip([r"Which one?\nTulips\n1. Red", r"Is it right?\n1. Yes"]) {
        assert!(body.contains(text), "{body}");
    }
    says(client, "m-2", "Yes").await;
    let answer = shown(client, &conversation, "Yes").await;
    assert_eq!(answer.get("pressed"), None);
}

#[tokio::test]
async fn a_wrong_list_is_refused_whole() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    says(client, "m-1", "Hello").await;
    floor::place(client, 1, 2, None).await;
    let list = json!({ "header": "h".repeat(61), "button": "Open", "sections": [] });
    let both = json!({ "text": "Hi", "list_message": list });
    let refusal = floor::admin(client, "POST", TALK, &both).await.is(400);
    let wrong = refusal.wrong();
    let paths: Vec<_> = wrong.iter().map(|(path, _)| path.as_str()).collect();
    let expected = [
        "list_message.body",
        "list_message.header",
        "list_message.sections",
        "text",
    ];
    assert_eq!(paths, expected);
}

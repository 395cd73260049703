//! `POST <scope_id>`: a customer's message.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, message, scope, signature, silent_message};
use crate::support::server::{
    ACCOUNT, CHANNEL, OTHER_ACCOUNT, OTHER_CHANNEL, OTHER_SECRET, OTHER_TOKEN, Server,
};

async fn connected() -> Server {
    let server = Server::start().await;
    server.client().connect("v2").await;
    server
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn msgids(messages: &[Value]) -> Vec<&str> {
    messages
        .iter()
        .map(|known| text(&known["client_id"]))
        .collect()
}

async fn sent_to_the_other(client: &Client) -> Value {
    let scope = scope(CHANNEL, OTHER_ACCOUNT);
    let answer = client.post(&scope, &message("m", "c")).await.is(200);
    answer.json["new_message"].clone()
}

/// A message of a customer of the second channel, to which the same account is connected.
async fn sent_through_the_other_channel(client: &Client) -> Value {
    let post = async |target: &str, body: &Value| {
        let body = body.to_string();
        let foreign = signature(OTHER_SECRET, body.as_bytes());
        let request = client
            .request("POST", target)
            .header("Content-Type", "application/json")
            .header("X-Signature", &foreign);
        request.body(body).send().await.is(200).json
    };
    let open = json!({ "accounts": ["*"] });
    let channel = format!("/admin/v1/channels/{OTHER_CHANNEL}");
    client.operates("PATCH", &channel, &open).await.is(200);
    let chat = format!("/v2/origin/custom/{OTHER_CHANNEL}");
    let connect = json!({ "account_id": ACCOUNT, "title": "Other", "hook_api_version": "v2" });
    post(&format!("{chat}/connect"), &connect).await;
    post(&format!("{chat}_{ACCOUNT}"), &message("m", "c")).await["new_message"].clone()
}

/// The refusal of a message whose sender is named by this id of the service.
async fn refused_sender(client: &Client, reference: &str) -> Answer {
    let mut event = message("m", "c");
    event["payload"]["sender"]["ref_id"] = json!(reference);
    client.send(&event).await.is(400)
}

async fn messages_of(client: &Client, sent: &Value) -> Vec<Value> {
    client.messages(text(&sent["conversation_id"])).await
}

#[tokio::test]
async fn the_answer_has_our_ids_and_the_msgid_as_ref_id() {
    let server = connected().await;
    let response = server.client().send(&message("my-1", "c")).await.is(200);
    let answer = response.json.as_object().unwrap();
    assert_eq!(answer.len(), 1);
    let new_message = answer["new_message"].as_object().unwrap();
    let keys: Vec<_> = new_message.keys().map(String::as_str).collect();
    assert_eq!(keys, ["conversation_id", "msgid", "ref_id", "sender_id"]);
    assert_eq!(new_message["ref_id"], "my-1");
    for key in ["conversation_id", "msgid", "sender_id"] {
        assert!(
            uuid::Uuid::try_parse(text(&new_message[key])).is_ok(),
            "{key}"
        );
    }
}

#[tokio::test]
async fn silent_messages_open_no_lead() {
    let server = connected().await;
    let client = server.client();
    for number in 0..5 {
        client
            .sent(&silent_message(&format!("m{number}"), "c"))
            .await;
    }
    assert!(client.leads().await.is_empty());
    assert!(client.contacts().await.is_empty());
    let conversation = client.conversations().await.remove(0);
    assert_eq!(conversation["messages"], 5);
    assert_eq!(conversation["unread"], 0);
    assert_eq!(conversation["lead"], Value::Null);
}

/// The first message that is not silent opens a lead in unsorted, whose feed shows what came before.
#[tokio::test]
async fn the_first_non_silent_message_opens_an_unsorted_lead() {
    let server = connected().await;
    let client = server.client();
    client.sent(&silent_message("m1", "c")).await;
    client.sent(&silent_message("m2", "c")).await;
    let new_message = client.sent(&message("m3", "c")).await;
    let leads = client.leads().await;
    assert_eq!(leads.len(), 1);
    let pipelines = client.read("/api/v4/leads/pipelines").await;
    let unsorted = &pipelines["_embedded"]["pipelines"][0]["_embedded"]["statuses"][0];
    assert_eq!(unsorted["type"], 1);
    assert_eq!(leads[0]["status_id"], unsorted["id"]);
    assert_eq!(leads[0]["pipeline_id"], unsorted["pipeline_id"]);
    let chat = text(&leads[0]["_embedded"]["chats"][0]["chat_id"]);
    assert_eq!(new_message["conversation_id"], chat);
    let feed = client.messages(chat).await;
    assert_eq!(msgids(&feed), ["m3", "m2", "m1"], "newest first");
}

#[tokio::test]
async fn silent_false_opens_a_lead_and_the_next_message_no_second() {
    let server = connected().await;
    let client = server.client();
    let mut first = message("m1", "c");
    first["payload"]["silent"] = json!(false);
    client.sent(&first).await;
    client.sent(&message("m2", "c")).await;
    client.sent(&silent_message("m3", "c")).await;
    assert_eq!(client.leads().await.len(), 1);
}

#[tokio::test]
async fn sixteen_concurrent_messages_open_one_lead() {
    let server = connected().await;
    let client = server.client();
    let events: Vec<_> = (0..16)
        .map(|number| message(&format!("m{number}"), "c"))
        .collect();
    join_all(events.iter().map(|event| client.sent(event))).await;
    assert_eq!(client.leads().await.len(), 1);
    assert_eq!(client.contacts().await.len(), 1);
    let conversations = client.conversations().await;
    assert_eq!(conversations.len(), 1);
    assert_eq!(conversations[0]["messages"], 16);
    assert_eq!(conversations[0]["unread"], 16);
}

#[tokio::test]
async fn sixteen_concurrent_conversations_open_one_lead_each() {
    let server = connected().await;
    let client = server.client();
    let events: Vec<_> = (0..16)
        .map(|number| message("m", &format!("c{number}")))
        .collect();
    join_all(events.iter().map(|event| client.sent(event))).await;
    let leads = client.leads().await;
    let numbers: Vec<_> = leads
        .iter()
        .map(|lead| lead["id"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, (1..=16).collect::<Vec<_>>());
    assert_eq!(client.contacts().await.len(), 16);
}

/// The same message sixteen times at once is stored once and answered alike.
#[tokio::test]
async fn sixteen_concurrent_repeats_store_one_message_and_agree() {
    let server = connected().await;
    let client = server.client();
    let event = message("m", "c");
    let answers = join_all((0..16).map(|_| client.sent(&event))).await;
    assert!(answers.iter().all(|answer| answer == &answers[0]));
    assert_eq!(messages_of(client, &answers[0]).await.len(), 1);
}

#[tokio::test]
async fn a_retry_gets_the_same_answer_and_changes_nothing() {
    let server = connected().await;
    let client = server.client();
    let event = message("m1", "c");
    let first = client.sent(&event).await;
    client.sent(&message("m2", "c")).await;
    assert_eq!(client.sent(&event).await, first);
    let messages = messages_of(client, &first).await;
    assert_eq!(msgids(&messages), ["m2", "m1"]);
}

#[tokio::test]
async fn the_same_msgid_with_other_content_is_409_and_changes_nothing() {
    let server = connected().await;
    let client = server.client();
    let event = message("m", "c");
    let new_message = client.sent(&event).await;
    let before = client.conversations().await;
    let mut other = event.clone();
    other["payload"]["message"]["text"] = json!("another text");
    let refusal = client.send(&other).await.is(409);
    assert_eq!(refusal.error_type(), "MESSAGE_ALREADY_EXISTS");
    assert_eq!(client.conversations().await, before);
    let messages = messages_of(client, &new_message).await;
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0]["text"], "text of m");
}

#[tokio::test]
async fn the_same_msgid_in_another_conversation_is_another_message() {
    let server = connected().await;
    let client = server.client();
    let first = client.sent(&message("m", "c1")).await;
    let second = client.sent(&message("m", "c2")).await;
    assert_ne!(first["msgid"], second["msgid"]);
    assert_ne!(first["conversation_id"], second["conversation_id"]);
}

#[tokio::test]
async fn one_conversation_id_in_two_accounts_is_two_conversations() {
    let server = connected().await;
    let client = server.client();
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let mine = client.sent(&message("m", "c")).await;
    let theirs = sent_to_the_other(client).await;
    for key in ["conversation_id", "msgid", "sender_id"] {
        assert_ne!(mine[key], theirs[key], "{key}");
    }
    let list = client
        .get_as(OTHER_TOKEN, "/inbox/v1/conversations")
        .await
        .is(200)
        .json["conversations"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(list.len(), 1);
    assert_eq!(list[0]["id"], theirs["conversation_id"]);
}

#[tokio::test]
async fn conversation_ref_id_binds_the_conversation_permanently() {
    let server = connected().await;
    let client = server.client();
    let first = client.sent(&message("m1", "c1")).await;
    let mut tied = message("m2", "c2");
    tied["payload"]["conversation_ref_id"] = first["conversation_id"].clone();
    let tied = client.sent(&tied).await;
    assert_eq!(tied["conversation_id"], first["conversation_id"]);
    // From then on c2 needs no reference, and c1 means what it meant.
    for (msgid, conversation) in [("m3", "c2"), ("m4", "c1")] {
        let new_message = client.sent(&message(msgid, conversation)).await;
        assert_eq!(
            new_message["conversation_id"], first["conversation_id"],
            "{conversation}"
        );
    }
    assert_eq!(client.conversations().await.len(), 1);
    let messages = messages_of(client, &first).await;
    assert_eq!(msgids(&messages), ["m4", "m3", "m2", "m1"]);
}

/// A message repeated after its conversation was bound elsewhere is still the same message.
#[tokio::test]
async fn a_repeated_msgid_is_the_same_message_after_a_rebinding() {
    let server = connected().await;
    let client = server.client();
    let first = client.sent(&message("m1", "c1")).await;
    let early = client.sent(&message("m2", "c2")).await;
    let mut tied = message("m3", "c2");
    tied["payload"]["conversation_ref_id"] = first["conversation_id"].clone();
    client.sent(&tied).await;
    let again = client.sent(&message("m2", "c2")).await;
    assert_eq!(again, early);
    assert_eq!(msgids(&messages_of(client, &first).await), ["m3", "m1"]);
    assert_eq!(msgids(&messages_of(client, &early).await), ["m2"]);
}

#[tokio::test]
async fn a_binding_survives_a_restart() {
    let mut server = connected().await;
    let first = server.client().sent(&message("m1", "c1")).await;
    let mut tied = message("m2", "c2");
    tied["payload"]["conversation_ref_id"] = first["conversation_id"].clone();
    server.client().sent(&tied).await;
    server.kill_9();
    server.restart().await;
    let new_message = server.client().sent(&message("m3", "c2")).await;
    assert_eq!(new_message["conversation_id"], first["conversation_id"]);
    let again = server.client().sent(&tied).await;
    assert_eq!(again["ref_id"], "m2");
    assert_eq!(messages_of(server.client(), &first).await.len(), 3);
}

#[tokio::test]
async fn a_conversation_of_another_account_is_the_404_of_an_unknown() {
    let server = connected().await;
    let client = server.client();
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let theirs = sent_to_the_other(client).await;
    let refusal = async |reference: &str| {
        let mut event = message("m", "c");
        event["payload"]["conversation_ref_id"] = json!(reference);
        client.send(&event).await.is(400)
    };
    let foreign = refusal(text(&theirs["conversation_id"])).await;
    let unknown = refusal("deadbeef-0000-4000-8000-000000000000").await;
    assert_eq!(foreign.body, unknown.body);
    let wrong = (
        "payload.conversation_ref_id".to_owned(),
        "InvalidValue".to_owned(),
    );
    assert_eq!(foreign.wrong(), [wrong]);
    assert!(client.conversations().await.is_empty());
}

#[tokio::test]
async fn ref_id_binds_a_person() {
    let server = connected().await;
    let client = server.client();
    let first = client.sent(&message("m1", "c1")).await;
    let mut tied = message("m2", "c2");
    tied["payload"]["sender"]["ref_id"] = first["sender_id"].clone();
    let tied = client.sent(&tied).await;
    assert_eq!(tied["sender_id"], first["sender_id"]);
    assert_ne!(tied["conversation_id"], first["conversation_id"]);
    let later = client.sent(&message("m3", "c2")).await;
    assert_eq!(later["sender_id"], first["sender_id"]);
    assert_eq!(client.contacts().await.len(), 1, "one person, one contact");
    assert_eq!(
        client.leads().await.len(),
        2,
        "two conversations, two leads"
    );
}

#[tokio::test]
async fn a_person_of_another_account_is_the_404_of_an_unknown() {
    let server = connected().await;
    let client = server.client();
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let theirs = sent_to_the_other(client).await;
    let foreign = refused_sender(client, text(&theirs["sender_id"])).await;
    let unknown = refused_sender(client, "deadbeef-0000-4000-8000-000000000000").await;
    assert_eq!(foreign.body, unknown.body);
    let wrong = (
        "payload.sender.ref_id".to_owned(),
        "InvalidValue".to_owned(),
    );
    assert_eq!(foreign.wrong(), [wrong]);
    assert_eq!(
        foreign.json["errors"][0]["detail"],
        "sender: user not found"
    );
    assert!(client.conversations().await.is_empty());
}

/// An integration learns nothing about the customers of another channel, not even of the same account.
#[tokio::test]
async fn a_person_of_another_channel_is_the_404_of_an_unknown() {
    let server = connected().await;
    let client = server.client();
    let theirs = sent_through_the_other_channel(client).await;
    let before = client.conversations().await.len();
    let foreign = refused_sender(client, text(&theirs["sender_id"])).await;
    let unknown = refused_sender(client, "deadbeef-0000-4000-8000-000000000000").await;
    assert_eq!(foreign.body, unknown.body);
    assert_eq!(client.conversations().await.len(), before);
}

#[tokio::test]
async fn every_message_type_is_shown_with_its_content() {
    let server = connected().await;
    let client = server.client();
    let file = json!({ "media": "https://example.com/f", "file_name": "f.bin", "file_size": 7 });
    let place = json!({ "lon": -0.5, "lat": 51.25 });
    let card = json!({ "name": "Alan", "phone": "+44" });
    let cases = [
        (
            "picture",
            file.clone(),
            &["media", "file_name", "file_size"][..],
        ),
        ("video", file.clone(), &["media", "file_name", "file_size"]),
        ("file", file, &["media", "file_name", "file_size"]),
        (
            "sticker",
            json!({ "media": "https://example.com/s" }),
            &["media"],
        ),
        ("contact", json!({ "contact": card }), &["contact"]),
        ("location", json!({ "location": place }), &["location"]),
    ];
    for (kind, fields, shown) in cases {
        let mut event = message(kind, kind);
        event["payload"]["message"] = fields.clone();
        event["payload"]["message"]["type"] = json!(kind);
        event["payload"]["message"]["text"] = json!("along with it");
        let new_message = client.sent(&event).await;
        let stored_message = messages_of(client, &new_message).await.remove(0);
        assert_eq!(stored_message["type"], kind);
        assert_eq!(stored_message["text"], "along with it");
        for key in shown {
            assert_eq!(stored_message[*key], fields[*key], "{kind}.{key}");
        }
    }
}

#[tokio::test]
async fn ids_are_opaque_and_text_is_unchanged() {
    let server = connected().await;
    let client = server.client();
    let text = "\u{202e}<script>alert(1)</script> 😀 \u{0} e\u{301} \\ \" {{7*7}}";
    for (msgid, conversation) in [("../%2e/😀", "a/b?c=d"), ("M", "e\u{301}"), ("m", "\u{e9}")] {
        let mut event = message(msgid, conversation);
        event["payload"]["message"]["text"] = json!(text);
        let new_message = client.sent(&event).await;
        assert_eq!(new_message["ref_id"], msgid);
        let messages = messages_of(client, &new_message).await;
        assert_eq!(messages.len(), 1, "equal only when equal to the byte");
        assert_eq!(messages[0]["text"], text);
        assert_eq!(messages[0]["client_id"], msgid);
    }
}

#[tokio::test]
async fn unknown_fields_and_fields_of_other_types_are_ignored() {
    let server = connected().await;
    let client = server.client();
    let mut event = message("m", "c");
    event["payload"]["msec_timestamp"] = json!("whatever");
    event["more"] = json!([{}]);
    event["payload"]["message"]["location"] = json!({});
    client.sent(&event).await;
}

#[tokio::test]
async fn acknowledged_messages_survive_a_kill() {
    let mut server = connected().await;
    let mut answers = Vec::new();
    for number in 0..20 {
        let event = message(&format!("m{number}"), &format!("c{}", number % 4));
        answers.push((event.clone(), server.client().sent(&event).await));
    }
    server.kill_9();
    server.restart().await;
    assert_eq!(server.client().conversations().await.len(), 4);
    assert_eq!(server.client().leads().await.len(), 4);
    for (event, answer) in answers {
        assert_eq!(server.client().sent(&event).await, answer);
    }
    for conversation in server.client().conversations().await {
        assert_eq!(conversation["messages"], 5);
    }
}

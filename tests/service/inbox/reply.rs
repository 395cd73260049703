//! An account user answers.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::receiver::Receiver;
use crate::support::server::{Server, TOKEN};

async fn conversation(client: &Client) -> String {
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    new_message["conversation_id"].as_str().unwrap().to_owned()
}

async fn post(client: &Client, conversation: &str, body: &[u8], media_type: &str) -> Answer {
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let request = client.request("POST", &target).bearer(TOKEN).body(body);
    request.header("Content-Type", media_type).send().await
}

#[tokio::test]
async fn a_reply_is_201_with_the_message_as_listed() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    let mut response = client.reply(&conversation, "hello").await.is(201).json;
    assert_eq!(response["delivery"], json!({ "status": "queued" }));
    let mut entry = client.messages(&conversation).await.remove(0);
    // The attempt may have begun in between.
    for message in [&mut response, &mut entry] {
        message["callback"] = Value::Null;
    }
    assert_eq!(entry, response);
}

#[tokio::test]
async fn an_invalid_reply_is_400_with_its_fields_and_writes_nothing() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    for (body, named) in [
        (json!({}), &["text", "type"][..]),
        (json!({ "type": "text" }), &["text"]),
        (json!({ "type": "text", "text": "" }), &["text"]),
        (json!({ "type": "text", "text": 1 }), &["text"]),
        (json!({ "type": "voice", "text": "x" }), &["type"]),
        (
            json!({ "type": "text", "text": "x", "silent": true }),
            &["silent"],
        ),
    ] {
        let body = body.to_string();
        let answer = post(client, &conversation, body.as_bytes(), "application/json")
            .await
            .is(400);
        let wrong: Vec<_> = answer.wrong().into_iter().map(|(path, _)| path).collect();
        assert_eq!(wrong, named, "{body}");
    }
    for body in [&b""[..], b"[]", b"null", b"\xff", b"{}{}"] {
        post(client, &conversation, body, "application/json")
            .await
            .is(400);
    }
    let text = br#"{"type":"text","text":"x"}"#;
    post(client, &conversation, text, "text/plain")
        .await
        .is(415);
    let long_text = "x".repeat(300 * 1_024);
    let long = json!({ "type": "text", "text": long_text }).to_string();
    post(client, &conversation, long.as_bytes(), "application/json")
        .await
        .is(413);
    assert_eq!(client.messages(&conversation).await.len(), 1);
}

#[tokio::test]
async fn an_invalid_reply_to_an_unknown_conversation_is_404() {
    let server = Server::start().await;
    let client = server.client();
    let nowhere = "5b4ff2c8-8f1c-4d4e-9a0b-0d3c9b9f0f10";
    let wrong: &[u8] = b"{}";
    let json = "application/json";
    post(client, nowhere, wrong, json).await.is(404);
    let tail = format!("{nowhere}/messages/{nowhere}/reactions");
    let target = format!("/inbox/v1/conversations/{tail}");
    let reaction = client
        .request("POST", &target)
        .bearer(TOKEN)
        .body(wrong)
        .header("Content-Type", json);
    reaction.send().await.is(404);
    let conversation = conversation(client).await;
    post(client, &conversation, wrong, json).await.is(400);
}

#[tokio::test]
async fn sixteen_concurrent_replies_are_all_stored() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    let texts: Vec<_> = (0..16).map(|number| number.to_string()).collect();
    let answers = texts.iter().map(|text| client.replied(&conversation, text));
    futures_util::future::join_all(answers).await;
    let messages = client.messages(&conversation).await;
    assert_eq!(messages.len(), 17);
}

/// Replies with this body, and returns the message that the integration gets.
async fn answered(server: &Server, receiver: &Receiver, conversation: &str, body: &Value) -> Value {
    let before = receiver.so_far().len();
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let request = server
        .client()
        .request("POST", &target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    let response = request.body(body.to_string()).send().await.is(201).json;
    assert_eq!(response["reply_to"]["id"], body["reply_to"]);
    let mut callbacks = receiver.callbacks(before + 1).await;
    callbacks.remove(before).json["message"]["message"].take()
}

#[tokio::test]
async fn a_reply_quotes_a_message_as_it_is_at_that_time() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let quoting = json!({ "type": "text", "text": "Yes", "reply_to": new_message["msgid"] });
    let callback = answered(&server, &receiver, conversation, &quoting).await;
    let quote = &callback["reply_to"]["message"];
    assert_eq!(
        (&quote["id"], &quote["msgid"]),
        (&new_message["msgid"], &json!("m"))
    );
    assert_eq!(
        (&quote["type"], &quote["text"]),
        (&json!("text"), &json!("text of m"))
    );
    assert_eq!(quote["timestamp"], 1_639_604_761);
    assert_eq!(quote["sender"]["client_id"], "customer of c");
    assert_eq!(quote["sender"]["name"], "Grace");
    // One's own message, too.
    let own_body = json!({ "type": "text", "text": "I mean it", "reply_to": callback["id"] });
    let own = answered(&server, &receiver, conversation, &own_body).await;
    let quote = &own["reply_to"]["message"];
    assert_eq!(
        (&quote["id"], &quote["text"]),
        (&callback["id"], &json!("Yes"))
    );
    assert_eq!(quote.get("msgid"), None);
    assert_eq!(
        client.messages(conversation).await[0]["reply_to"]["text"],
        "Yes"
    );
    let elsewhere = client.sent(&message("n", "other")).await;
    for wrong in [
        &elsewhere["msgid"],
        &new_message["conversation_id"],
        &json!(7),
    ] {
        let body = json!({ "type": "text", "text": "Yes", "reply_to": wrong });
        let target = format!("/inbox/v1/conversations/{conversation}/messages");
        let request = client
            .request("POST", &target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json");
        let refusal = request.body(body.to_string()).send().await.is(400);
        assert!(refusal.body.contains("reply_to"), "{}", refusal.body);
    }
}

#[tokio::test]
async fn a_reply_among_the_comments_of_a_post_names_the_post() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let mut comment = message("m", "c");
    comment["payload"]["message"]["post"] =
        json!({ "id": "1999992", "url": "https://example.com/post" });
    let new_message = client.sent_today(&comment).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let plain = json!({ "type": "text", "text": "Thank you" });
    let callback = answered(&server, &receiver, conversation, &plain).await;
    assert_eq!(callback["post"], json!({ "id": "1999992" }));
    assert_eq!(callback.get("reply_to"), None);
}

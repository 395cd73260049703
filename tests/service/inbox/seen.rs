//! A reply that says which message its writer has seen: the second answer to one customer is refused.

use futures_util::future::join;
use serde_json::{Value, json};

use crate::rights::floor::{self, Person};
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::server::{Server, TOKEN};

/// The number of times that two people answer at the same instant.
const ROUNDS: usize = 200;

/// A message of the customer: the conversation, and the id of the message.
async fn question(client: &Client, msgid: &str) -> (String, String) {
    let sent = client.sent(&message(msgid, "c")).await;
    let id = |name: &str| sent[name].as_str().unwrap().to_owned();
    (id("conversation_id"), id("msgid"))
}

fn target(conversation: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}/messages")
}

fn text_after(text: &str, seen: &str) -> Value {
    json!({ "type": "text", "text": text, "seen": seen })
}

/// Ada answers what she has seen.
async fn ada(client: &Client, conversation: &str, text: &str, seen: &str) -> Answer {
    floor::admin(
        client,
        "POST",
        &target(conversation),
        &text_after(text, seen),
    )
    .await
}

async fn says(client: &Client, who: &Person, conversation: &str, text: &str, seen: &str) -> Answer {
    let body = text_after(text, seen);
    who.sends(client, "POST", &target(conversation), &body)
        .await
}

/// A colleague, who may answer since the lead of the customer was accepted.
async fn boris(client: &Client) -> Person {
    floor::place(client, 1, 2, None).await;
    floor::add(client, "boris", &floor::rights("A")).await
}

/// The texts of the answers that a refusal names.
fn answers(refusal: &Answer) -> Vec<&str> {
    let answers = refusal.json["answers"].as_array().unwrap();
    let texts = answers
        .iter()
        .map(|answer| answer["text"].as_str().unwrap());
    texts.collect()
}

#[tokio::test]
async fn a_reply_behind_a_colleagues_answer_is_409_with_that_answer() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let (conversation, asked) = question(client, "m1").await;
    let boris = boris(client).await;
    says(client, &boris, &conversation, "Red ones", &asked)
        .await
        .is(201);
    let refusal = ada(client, &conversation, "White ones", &asked)
        .await
        .is(409);
    assert_eq!(answers(&refusal), ["Red ones"]);
    assert_eq!(refusal.json["answers"][0]["sender"]["name"], "boris");
    assert!(
        refusal.json["detail"].as_str().unwrap().contains("seen"),
        "{}",
        refusal.body
    );
    assert_eq!(
        client.messages(&conversation).await.len(),
        2,
        "nothing was written"
    );
    // It is still so after a restart, by what is stored.
    server.kill_9();
    server.restart().await;
    let client = server.client();
    ada(client, &conversation, "White ones", &asked)
        .await
        .is(409);
    let answer = client.messages(&conversation).await.remove(0);
    let answer_id = answer["id"].as_str().unwrap();
    ada(client, &conversation, "White ones too", answer_id)
        .await
        .is(201);
    assert_eq!(client.messages(&conversation).await.len(), 3);
}

#[tokio::test]
async fn the_customers_words_and_own_answers_refuse_nothing() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let (conversation, asked) = question(client, "m1").await;
    ada(client, &conversation, "Red ones", &asked).await.is(201);
    question(client, "m2").await;
    ada(client, &conversation, "And white ones", &asked)
        .await
        .is(201);
    // A colleague's answer counts, though there are own ones behind it.
    let boris = boris(client).await;
    says(client, &boris, &conversation, "Blue ones", &asked)
        .await
        .is(409);
    let answer = client.messages(&conversation).await.remove(0);
    let newest = answer["id"].as_str().unwrap();
    says(client, &boris, &conversation, "Blue ones", newest)
        .await
        .is(201);
    client.replied(&conversation, "sent without «seen»").await;
    let refusal = ada(client, &conversation, "Green ones", &asked)
        .await
        .is(409);
    assert_eq!(answers(&refusal), ["Blue ones"]);
}

#[tokio::test]
async fn an_answer_that_was_written_elsewhere_refuses_the_next_one() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let (conversation, asked) = question(client, "m1").await;
    let me = client.read("/inbox/v1/me").await;
    let mut elsewhere = message("m2", "c");
    let customer = elsewhere["payload"]["sender"].take();
    elsewhere["payload"]["receiver"] = customer;
    let phone = json!({ "id": "phone", "name": "The phone", "ref_id": me["chat_id"] });
    elsewhere["payload"]["sender"] = phone;
    elsewhere["payload"]["silent"] = json!(true);
    client.sent_today(&elsewhere).await;
    let refusal = ada(client, &conversation, "Red ones", &asked).await.is(409);
    assert_eq!(answers(&refusal), ["text of m2"]);
}

#[tokio::test]
async fn a_repeat_is_the_same_message_behind_answers_of_others() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let (conversation, asked) = question(client, "m1").await;
    let keyed = || {
        let request = client.request("POST", &target(&conversation)).bearer(TOKEN);
        request
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "once")
            .body(text_after("Red ones", &asked).to_string())
    };
    let first = keyed().send().await.is(201);
    let boris = boris(client).await;
    let newest = first.json["id"].as_str().unwrap();
    says(client, &boris, &conversation, "Blue ones", newest)
        .await
        .is(201);
    let second = keyed().send().await.is(201);
    assert_eq!(first.json["id"], second.json["id"]);
}

#[tokio::test]
async fn a_message_that_is_none_of_the_conversation_was_not_seen() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let (conversation, _) = question(client, "m1").await;
    let elsewhere = client.sent(&message("m", "another")).await;
    let unknown = "30c362b9-9201-4864-8c24-1f637b1733ed";
    for seen in [elsewhere["msgid"].as_str().unwrap(), unknown, "x"] {
        let refusal = ada(client, &conversation, "Red ones", seen).await.is(400);
        assert_eq!(refusal.wrong()[0].0, "seen");
    }
    assert_eq!(client.messages(&conversation).await.len(), 1);
}

#[tokio::test]
async fn of_two_answers_at_the_same_instant_one_is_sent() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    question(client, "first").await;
    let boris = boris(client).await;
    for round in 0..ROUNDS {
        let (conversation, asked) = question(client, &format!("m{round}")).await;
        let texts = [format!("Ada {round}"), format!("Boris {round}")];
        let (one, other) = join(
            ada(client, &conversation, &texts[0], &asked),
            says(client, &boris, &conversation, &texts[1], &asked),
        )
        .await;
        let is_adas = one.status == 201;
        let (sent, refusal, text) = if is_adas {
            (one, other, &texts[0])
        } else {
            (other, one, &texts[1])
        };
        sent.is(201);
        assert_eq!(answers(&refusal.is(409)), [text.as_str()]);
        let messages = client.messages(&conversation).await;
        assert_eq!(messages[0]["text"], text.as_str());
        assert_eq!(
            messages[1]["id"],
            asked.as_str(),
            "one answer, behind the question"
        );
    }
}

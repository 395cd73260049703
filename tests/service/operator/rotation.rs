//! Two secrets at once, in both directions, and how it ends.

use serde_json::{Value, json};

use crate::operator::{act, again, change, done, shown};
use crate::support::answer::Answer;
use crate::support::client::{Client, message, scope, signature};
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server};

const NEW: &str = "the-new-secret-of-the-channel";

/// A customer's message, signed with this secret.
async fn send(client: &Client, secret: &str, msgid: &str) -> Answer {
    let body = message(msgid, "c").to_string();
    client
        .signed("POST", &scope(CHANNEL, ACCOUNT), body.clone())
        .header("X-Signature", &signature(secret, body.as_bytes()))
        .send()
        .await
}

/// Answers the customer, and gives whichever of the secrets the callback was signed with.
async fn signs(server: &Server, receiver: &Receiver, count: usize) -> &'static str {
    let conversations = server.client().conversations().await;
    let conversation = conversations[0]["id"].as_str().unwrap();
    server.client().replied(conversation, "answer").await;
    let request = receiver.requests(count).await.pop().unwrap();
    let header = request.header("x-signature").unwrap().to_owned();
    let key = [SECRET, NEW]
        .into_iter()
        .find(|secret| header == signature(secret, &request.body));
    key.unwrap()
}

/// During a secret rotation both secrets are accepted and the old one signs, until the operator ends it.
#[tokio::test]
async fn in_a_secret_rotation_both_verify_and_the_old_one_signs() {
    let receiver = Receiver::start().await;
    let mut server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    send(server.client(), SECRET, "m-1").await.is(200);
    send(server.client(), NEW, "m-2").await.is(403);
    let before = shown(&server).await;
    let rotated = act(&server, "rotate-secret", &json!({ "secret": NEW })).await;
    assert_eq!(rotated.get("secret"), None);
    assert_ne!(rotated["secret_fingerprint"], before["secret_fingerprint"]);
    let rotation = &rotated["rotation"];
    assert_eq!(
        rotation["old_secret_fingerprint"],
        before["secret_fingerprint"]
    );
    let time = |name: &str| rotation[name].as_u64().unwrap();
    assert_eq!(time("ends_at") - time("began_at"), 86_400);
    for round in 0..2 {
        let client = server.client();
        send(client, SECRET, &format!("old {round}")).await.is(200);
        send(client, NEW, &format!("new {round}")).await.is(200);
        send(client, "neither", &format!("x {round}")).await.is(403);
        for (secret, status) in [(SECRET, 200), (NEW, 200), ("neither", 403)] {
            let body = message(&format!("canonical {secret} {round}"), "c");
            let request = client
                .canonical("POST", &scope(CHANNEL, ACCOUNT), body.to_string())
                .canonically_signed(secret);
            request.send().await.is(status);
        }
        assert_eq!(signs(&server, &receiver, round + 1).await, SECRET);
        again(&mut server).await;
    }
    let channel_view = act(&server, "end-rotation", &json!({})).await;
    assert_eq!(channel_view["rotation"], Value::Null);
    for round in 2..4 {
        send(server.client(), SECRET, "old").await.is(403);
        send(server.client(), NEW, &format!("m {round}"))
            .await
            .is(200);
        assert_eq!(signs(&server, &receiver, round + 1).await, NEW);
        again(&mut server).await;
    }
    assert_eq!(
        done(&server).await,
        ["channel.rotate-secret", "channel.end-rotation"]
    );
}

#[tokio::test]
async fn the_grace_period_ends_by_itself() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    send(server.client(), SECRET, "m-1").await.is(200);
    let rotate = json!({ "secret": NEW, "grace_seconds": 1 });
    act(&server, "rotate-secret", &rotate).await;
    eventually("the old secret is refused", async || {
        let answer = send(server.client(), SECRET, "m-1").await;
        (answer.status == 403).then_some(())
    })
    .await;
    send(server.client(), NEW, "m-2").await.is(200);
    assert_eq!(signs(&server, &receiver, 1).await, NEW);
    assert_eq!(shown(&server).await["rotation"], Value::Null);
}

#[tokio::test]
async fn without_a_grace_period_the_old_secret_is_refused_at_once() {
    let server = Server::start().await;
    server.client().connect("v2").await;
    let rotated = act(&server, "rotate-secret", &json!({ "grace_seconds": 0 })).await;
    assert_eq!(rotated["rotation"], Value::Null);
    let secret = rotated["secret"].as_str().unwrap();
    assert_eq!(secret.len(), 40);
    send(server.client(), SECRET, "m-1").await.is(403);
    send(server.client(), secret, "m-1").await.is(200);
}

#[tokio::test]
async fn secret_rotation_keeps_at_most_two_secrets() {
    let server = Server::start().await;
    act(&server, "rotate-secret", &json!({})).await;
    let target = format!("/admin/v1/channels/{CHANNEL}/rotate-secret");
    let second = server.client().operates("POST", &target, &json!({})).await;
    let detail = second.is(409).json["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("end that rotation first"), "{detail}");
    // Other changes leave the rotation alone.
    let channel_view = change(&server, &json!({ "name": "Renamed" })).await;
    assert_ne!(channel_view["rotation"], Value::Null);
    act(&server, "end-rotation", &json!({})).await;
    act(&server, "rotate-secret", &json!({})).await;
}

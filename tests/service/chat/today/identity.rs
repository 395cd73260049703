//! The owner of an integration's id: a customer's id stays the customer's.

use serde_json::{Value, json};

use super::{answered, connected, message, text};
use crate::support::client::scope;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

const CUSTOMER: &str = "customer of c";

/// A message to a customer.
fn written(msgid: &str, sender: Value, receiver: Value) -> Value {
    let mut event = message(msgid, "c");
    event["payload"]["sender"] = sender;
    event["payload"]["receiver"] = receiver;
    event
}

fn wrong(path: &str, code: &str) -> [(String, String); 1] {
    [(path.to_owned(), code.to_owned())]
}

async fn refused(server: &Server, event: &Value) {
    let refusal = server.client().send_today(event).await.is(400);
    let violations = wrong("payload.sender.id", "InvalidValue");
    assert_eq!(refusal.wrong(), violations, "{}", refusal.body);
}

#[tokio::test]
async fn a_customer_id_cannot_become_an_account_user_or_the_bot() {
    let mut server = connected().await;
    let (user, first) = answered(&server).await;
    let bot = server.ready()["bots"][0].clone();
    for writer in [&user, &bot] {
        let sender = json!({ "id": CUSTOMER, "ref_id": writer, "name": "M" });
        for receiver in [
            json!({ "id": CUSTOMER }),
            json!({ "ref_id": first["sender_id"] }),
            json!({ "id": "another", "name": "Another" }),
        ] {
            refused(&server, &written("wrong", sender.clone(), receiver)).await;
        }
        // A person who was written to is a customer as well, and no person writes to themselves.
        let writer = json!({ "ref_id": writer });
        let to = json!({ "id": "reached", "name": "Reached" });
        let reached = written(text(&writer["ref_id"]), writer.clone(), to);
        server.client().sent_today(&reached).await;
        let mut sender = writer;
        sender["id"] = json!("reached");
        let receiver = json!({ "id": CUSTOMER });
        refused(&server, &written("wrong", sender.clone(), receiver)).await;
        sender["id"] = json!("unheard of");
        let own = json!({ "id": "unheard of", "name": "Own" });
        refused(&server, &written("wrong", sender, own)).await;
        let chat = json!({ "conversation_id": "k", "user": { "id": CUSTOMER, "ref_id": user } });
        let tail = format!("{}/chats", scope(CHANNEL, ACCOUNT));
        let answer = server.client().post_today(&tail, &chat).await.is(400);
        assert_eq!(answer.wrong(), wrong("user.id", "InvalidValue"));
    }
    // The customer writes on, in either generation.
    let later = server.client().sent_today(&message("later", "c")).await;
    assert_eq!(later["sender_id"], first["sender_id"]);
    server.kill_9();
    server.restart().await;
    let old = crate::support::client::message("old", "c");
    let last = server.client().sent(&old).await;
    assert_eq!(last["sender_id"], first["sender_id"]);
}

/// An account user for whose id a chat was created writes under that id.
#[tokio::test]
async fn an_account_user_with_a_created_chat_writes_under_its_id() {
    let server = connected().await;
    let client = server.client();
    let (user, _) = answered(&server).await;
    let chat = json!({ "conversation_id": "k", "user": { "id": "manager-7", "name": "Max" } });
    let tail = format!("{}/chats", scope(CHANNEL, ACCOUNT));
    client.post_today(&tail, &chat).await.is(200);
    let manager = json!({ "id": "manager-7", "ref_id": user, "name": "Max" });
    let customer = json!({ "id": "u-k", "name": "Kay" });
    let mut event = written("m1", manager, customer.clone());
    event["payload"]["conversation_id"] = json!("k");
    assert_eq!(client.sent_today(&event).await["sender_id"], user);
    // And so they do without the reference from then on.
    let mut event = written("m2", json!({ "id": "manager-7" }), customer);
    event["payload"]["conversation_id"] = json!("k");
    assert_eq!(client.sent_today(&event).await["sender_id"], user);
}

#[tokio::test]
async fn a_known_customer_may_be_named_by_id_alone() {
    let mut server = connected().await;
    let first = server.client().sent_today(&message("m1", "c")).await;
    for (msgid, sender) in [
        ("m2", json!({ "id": CUSTOMER, "name": null })),
        ("m3", json!({ "id": CUSTOMER })),
        ("m4", json!({ "id": CUSTOMER, "name": "" })),
    ] {
        let mut event = message(msgid, "c");
        event["payload"]["sender"] = sender;
        let new_message = server.client().sent_today(&event).await;
        assert_eq!(new_message["sender_id"], first["sender_id"]);
        server.kill_9();
        server.restart().await;
        let newest = server
            .client()
            .messages(text(&new_message["conversation_id"]))
            .await;
        assert_eq!(newest[0]["sender"]["name"], "Grace");
    }
    let mut event = message("m5", "c");
    event["payload"]["sender"] = json!({ "id": "a stranger", "name": null });
    let refusal = server.client().send_today(&event).await.is(400);
    assert_eq!(
        refusal.wrong(),
        wrong("payload.sender.name", "FieldMissing")
    );
    let detail = "was not named before";
    assert!(refusal.body.contains(detail), "{}", refusal.body);
}

#[tokio::test]
async fn a_receiver_in_a_customer_message_is_refused_with_a_remedy() {
    let server = connected().await;
    let first = server.client().sent_today(&message("m1", "c")).await;
    assert!(first.get("receiver_id").is_none());
    let mut event = message("m2", "c");
    event["payload"]["receiver"] = json!({ "id": "the-shop", "name": "Shop" });
    let refusal = server.client().send_today(&event).await.is(400);
    assert_eq!(refusal.wrong(), wrong("payload.receiver", "InvalidValue"));
    let detail = "leave receiver out for a message of a customer";
    assert!(refusal.body.contains(detail), "{}", refusal.body);
}

//! `GET /api/v4/talks/{id}`: what is said about one lead.

use serde_json::json;

use crate::rights::floor;
use crate::support::client::message;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

#[tokio::test]
async fn a_talk_names_its_chat_its_contact_and_its_lead() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 2).await;
    let talk = client.get("/api/v4/talks/2").await.is(200);
    assert_eq!(talk.header("content-type"), "application/hal+json");
    let talk = talk.json;
    for (key, value) in [
        ("talk_id", json!(2)),
        ("contact_id", json!(2)),
        ("chat_id", json!(chats[1])),
        ("entity_id", json!(2)),
        ("entity_type", json!("lead")),
        ("is_in_work", json!(true)),
        ("is_read", json!(false)),
        ("origin", json!(CHANNEL)),
        ("rate", json!(0)),
        ("missed_at", json!(null)),
        ("account_id", json!(ACCOUNT)),
    ] {
        assert_eq!(talk[key], value, "{key}");
    }
    for kind in ["contacts", "leads"] {
        let href = format!("{}/api/v4/{kind}/2", server.url());
        assert_eq!(talk["_embedded"][kind][0]["_links"]["self"]["href"], href);
    }
}

#[tokio::test]
async fn a_talk_ends_with_its_lead_and_the_next_message_opens_another() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    floor::place(client, 1, 142, None).await;
    client.sent(&message("m2", "c1")).await;
    let ended = client.read("/api/v4/talks/1").await;
    assert_eq!(
        (&ended["is_in_work"], &ended["is_read"]),
        (&json!(false), &json!(true))
    );
    let going_on = client.read("/api/v4/talks/2").await;
    assert_eq!(going_on["chat_id"], chats[0]);
    assert_eq!(
        (&going_on["is_in_work"], &going_on["is_read"]),
        (&json!(true), &json!(false))
    );
    let read = format!("/inbox/v1/conversations/{}/read", chats[0]);
    floor::admin(client, "POST", &read, &json!({}))
        .await
        .is(204);
    assert_eq!(client.read("/api/v4/talks/2").await["is_read"], true);
}

#[tokio::test]
async fn an_unknown_talk_and_a_hidden_one_get_the_same_404() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let hidden = dee.reads(client, "/api/v4/talks/1").await.is(404);
    for never in ["0", "2", "x", "-1", "18446744073709551616"] {
        let unknown = dee.reads(client, &format!("/api/v4/talks/{never}")).await;
        assert_eq!(unknown.is(404).body, hidden.body, "{never}");
    }
}

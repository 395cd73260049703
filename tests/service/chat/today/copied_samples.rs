//! Mistakes of the vendor's pages, which people copy: each is answered with what is meant.

use serde_json::json;

use super::{answered, connected, message, text};
use crate::support::client::scope;
use crate::support::server::{ACCOUNT, CHANNEL};

#[tokio::test]
async fn a_post_to_disconnect_gets_the_right_method() {
    let server = connected().await;
    let body = json!({ "account_id": ACCOUNT });
    let answer = server
        .client()
        .post_today(&format!("{CHANNEL}/disconnect"), &body)
        .await
        .is(405);
    assert_eq!(answer.header("allow"), "DELETE");
    assert!(text(&answer.json["hint"]).contains("names POST by mistake"));
    server.client().send_today(&message("m", "c")).await.is(200);
}

#[tokio::test]
async fn a_react_with_the_message_in_its_path_gets_the_right_address() {
    let server = connected().await;
    let (_, sent) = answered(&server).await;
    let tail = format!("{}/{}/react", scope(CHANNEL, ACCOUNT), text(&sent["msgid"]));
    let answer = server.client().post_today(&tail, &json!({})).await.is(404);
    assert_eq!(answer.error_type(), "ORIGIN_NOT_REGISTERED");
    assert!(
        text(&answer.json["hint"]).contains("/react, with the id of the message in the body alone")
    );
}

#[tokio::test]
async fn a_cyrillic_letter_in_error_code_is_named() {
    let server = connected().await;
    let (_, sent) = answered(&server).await;
    let message = server
        .client()
        .messages(text(&sent["conversation_id"]))
        .await[0]["id"]
        .clone();
    let tail = format!(
        "{}/{}/delivery_status",
        scope(CHANNEL, ACCOUNT),
        text(&message)
    );
    let key = "error_\u{441}ode";
    let body = json!({ "status_code": -1, key: 905, "error": "no such number" });
    for answer in [
        server.client().post_today(&tail, &body).await,
        server.client().post(&tail, &body).await,
    ] {
        let answer = answer.is(400);
        let errors = answer.json["errors"].as_array().unwrap();
        let error = errors.iter().find(|wrong| wrong["path"] == key).unwrap();
        assert!(text(&error["detail"]).contains("the Cyrillic letter U+0441"));
        assert_eq!(error["code"], "InvalidValue");
    }
}

#[tokio::test]
async fn a_numeric_phone_is_answered_with_a_hint_to_quote_it() {
    let server = connected().await;
    let mut event = message("m", "c");
    event["payload"]["sender"]["profile"] = json!({ "phone": 79_151_112_233_u64 });
    event["payload"]["sender"]["avatar"] = json!("https://example.com/a.png");
    for answer in [
        server.client().send_today(&event).await,
        server.client().send(&event).await,
    ] {
        let answer = answer.is(400);
        assert_eq!(
            answer.wrong(),
            [(
                "payload.sender.profile.phone".to_owned(),
                "InvalidType".to_owned()
            )]
        );
        assert!(text(&answer.json["errors"][0]["detail"]).contains("put it in quotes"));
    }
}

#[tokio::test]
async fn typing_sent_to_connect_gets_the_right_address() {
    let server = connected().await;
    let body = json!({ "conversation_id": "c", "sender": { "id": "u" } });
    let answer = server
        .client()
        .post_today(&format!("{CHANNEL}/connect"), &body)
        .await
        .is(400);
    assert!(
        answer.body.contains("who is typing belongs to"),
        "{}",
        answer.body
    );
}

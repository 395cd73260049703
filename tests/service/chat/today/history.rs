//! `GET …/chats/{conversation}/history`: newest first, for the channel's own conversations only.

use serde_json::{Value, json};

use super::{answered, connected, message, text};
use crate::support::client::{scope, signature};
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, SECRET};

#[tokio::test]
async fn a_history_response_matches_the_captured_sample() {
    let server = connected().await;
    let client = server.client();
    let mut event = message("m", "c");
    event["payload"]["sender"]["avatar"] = json!("https://example.com/a.png");
    event["payload"]["sender"]["profile"] =
        json!({ "phone": "7915", "email": "grace@example.com" });
    let new_message = client.sent_today(&event).await;
    let conversation = text(&new_message["conversation_id"]);
    let answer = client.reply(conversation, "Да, конечно").await.is(201).json;
    let history = client.history(conversation, "").await.is(200);
    assert_eq!(history.header("content-type"), "application/json");
    let customer = json!({
        "id": new_message["sender_id"], "client_id": "customer of c", "avatar": "https://example.com/a.png", "name": "Grace",
        "phone": "7915", "email": "grace@example.com",
    });
    let text_message = |id: &Value, text: &str| {
        json!({
            "id": id, "type": "text", "text": text, "media": "", "thumbnail": "", "file_name": "", "file_size": 0,
        })
    };
    let mut incoming = text_message(&new_message["msgid"], "text of m");
    incoming["client_id"] = json!("m");
    let sample = json!({ "messages": [
        {
            "timestamp": answer["timestamp"], "msec_timestamp": answer["msec_timestamp"], "sender": answer["sender"],
            "receiver": customer, "message": text_message(&answer["id"], "Да, конечно"),
        },
        {
            "timestamp": 1_639_604_761, "msec_timestamp": 1_639_604_761_694_u64, "sender": customer,
            "message": incoming,
        },
    ] });
    assert_eq!(history.json, sample);
}

#[tokio::test]
async fn a_history_contains_every_message_type() {
    let server = connected().await;
    let client = server.client();
    let file = json!({ "media": "https://example.com/f", "file_name": "f.bin", "file_size": 7 });
    for (kind, fields) in [
        ("picture", file.clone()),
        ("video", file.clone()),
        ("file", file),
        ("voice", json!({ "media": "https://example.com/v" })),
        ("audio", json!({ "media": "https://example.com/v" })),
        ("sticker", json!({ "media": "https://example.com/s" })),
        (
            "contact",
            json!({ "contact": { "name": "Alan", "phone": "+44" } }),
        ),
        (
            "location",
            json!({ "location": { "lon": -0.5, "lat": 51.25 } }),
        ),
    ] {
        let mut event = message(kind, kind);
        event["payload"]["message"] = fields.clone();
        event["payload"]["message"]["type"] = json!(kind);
        let new_message = client.sent_today(&event).await;
        let history = client
            .history(text(&new_message["conversation_id"]), "")
            .await
            .is(200);
        let view = &history.json["messages"][0]["message"];
        assert_eq!(view["type"], kind);
        for (key, value) in fields.as_object().unwrap() {
            assert_eq!(&view[key], value, "{kind}.{key}");
        }
    }
}

#[tokio::test]
async fn history_pages_use_offset_and_a_limit_of_at_most_50() {
    let server = connected().await;
    let client = server.client();
    let mut conversation = String::new();
    for number in 1..=60 {
        let mut event = message(&format!("m{number}"), "c");
        event["payload"]["silent"] = json!(true);
        let new_message = client.sent_today(&event).await;
        conversation = text(&new_message["conversation_id"]).to_owned();
    }
    let page = async |query: &str| {
        let answer = client.history(&conversation, query).await;
        let messages = answer.json["messages"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let ends = [messages.first(), messages.last()].map(|it| {
            it.map_or("", |it| text(&it["message"]["client_id"]))
                .to_owned()
        });
        (answer.status, messages.len(), ends)
    };
    let row = |status, count, first: &str, last: &str| {
        (status, count, [first.to_owned(), last.to_owned()])
    };
    assert_eq!(page("").await, row(200, 50, "m60", "m11"));
    assert_eq!(page("?limit=1000").await, row(200, 50, "m60", "m11"));
    assert_eq!(page("?offset=50&limit=7").await, row(200, 7, "m10", "m4"));
    assert_eq!(
        page("?limit=7&offset=58&other=1").await,
        row(200, 2, "m2", "m1")
    );
    assert_eq!(page("?offset=60").await, row(204, 0, "", ""));
    assert_eq!(
        page("?offset=18446744073709551615").await,
        row(204, 0, "", "")
    );
    let wrong = client
        .history(&conversation, "?offset=-1&limit=0")
        .await
        .is(400)
        .wrong();
    let invalid = ["limit", "offset"].map(|path| (path.to_owned(), "InvalidValue".to_owned()));
    assert_eq!(wrong, invalid);
}

#[tokio::test]
async fn history_of_an_unknown_or_foreign_conversation_is_204() {
    let server = connected().await;
    let client = server.client();
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let (_, sent) = answered(&server).await;
    let unknown = client
        .history("deadbeef-0000-4000-8000-000000000000", "")
        .await
        .is(204);
    assert_eq!(unknown.body, "");
    let theirs = format!(
        "{}/chats/{}/history",
        scope(CHANNEL, OTHER_ACCOUNT),
        text(&sent["conversation_id"])
    );
    client.canonical("GET", &theirs, "").send().await.is(204);
    let own = client.history("my_int-d5a421f7f217", "").await.is(404);
    assert_eq!(own.error_type(), "CONVERSATION_NOT_FOUND");
    assert!(text(&own.json["hint"]).contains("not the integration's conversation_id"));
}

#[tokio::test]
async fn a_get_may_carry_two_bytes_of_json_and_needs_no_content_type() {
    let server = connected().await;
    let client = server.client();
    let (_, sent) = answered(&server).await;
    let tail = format!(
        "{}/chats/{}/history",
        scope(CHANNEL, ACCOUNT),
        text(&sent["conversation_id"])
    );
    client.canonical("GET", &tail, "[]").send().await.is(200);
    let bare = client.canonical("GET", &tail, "").without("Content-Type");
    bare.canonically_signed(SECRET).send().await.is(200);
    let queried = client.canonical("GET", &format!("{tail}?limit=1"), "");
    let path = format!("/v2/origin/custom/{tail}?limit=1");
    let text = [
        "GET",
        &queried.value("content-md5"),
        "application/json",
        &queried.value("date"),
        &path,
    ]
    .join("\n");
    let wrong = queried.header("X-Signature", &signature(SECRET, text.as_bytes()));
    let refusal = wrong.send().await.is(403);
    assert!(
        refusal.body.contains("the query was signed"),
        "{}",
        refusal.body
    );
    client.canonical("POST", &tail, "").send().await.is(405);
}

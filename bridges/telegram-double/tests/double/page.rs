//! The page of a chat.

use serde_json::json;

use crate::support::{TOKEN, World};

/// The beginning of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

async fn page(it: &World, path: &str) -> String {
    String::from_utf8(it.bytes(path).await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_page_shows_what_the_chat_shows() {
    let it = World::start().await;
    let first = it.say("Hello <b>").await;
    let params = json!({"chat_id": 7, "text": "Good day", "reply_parameters": {"message_id": first},
        "reply_markup": {"inline_keyboard": [[{"text": "Yes & no", "callback_data": "y"}]]}});
    let answer = it.done("sendMessage", params).await;
    it.order(
        "react",
        json!({"from": 7, "message_id": answer["message_id"], "emoji": ["👍"]}),
    )
    .await;
    it.order("say", json!({"from": 7, "venue": {"location": {"latitude": 1.5, "longitude": 2.5}, "title": "Inn", "address": "Road 1"}}))
        .await;
    it.order(
        "say",
        json!({"from": 7, "document": {"text": "abc", "name": "a.txt"}}),
    )
    .await;
    it.order(
        "share_contact",
        json!({"from": 7, "phone_number": "+34600000000"}),
    )
    .await;
    let oops = it.say("Oops").await;
    it.order("delete", json!({"chat": 7, "message_id": oops}))
        .await;
    let old = it.say("Old").await;
    it.order("edit", json!({"chat": 7, "message_id": old, "text": "New"}))
        .await;
    let text = page(&it, "/double/chat?id=7").await;
    for part in [
        "<h1>Ann</h1>",
        "Hello &lt;b&gt;</p>",
        "<blockquote>Hello &lt;b&gt;</blockquote>",
        "<ul aria-label=\"Buttons\"><li>Yes &amp; no</li></ul>",
        "<ul aria-label=\"Reactions\"><li>👍</li></ul>",
        "Place 1.5, 2.5",
        "Inn, Road 1",
        "File a.txt",
        "Contact Ann +34600000000",
        "New</p><p class=\"foot\">edited ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(
        !text.contains("Oops") && !text.contains("blocked"),
        "{text}"
    );
    it.order("block", json!({"from": 7})).await;
    let page_after_block = page(&it, "/double/chat?id=7&bot=42").await;
    assert!(page_after_block.contains("<p role=\"status\">The bot is blocked.</p>"));
    let list = page(&it, "/double/chat").await;
    assert!(
        list.contains("<a href=\"/double/chat?bot=42&amp;id=7\">Ann</a>"),
        "{list}"
    );
}

#[tokio::test]
async fn a_page_draws_pictures_alone() {
    let it = World::start().await;
    let photo = [("photo", "cat.png", "image/png", PNG)];
    it.upload("sendPhoto", &[("chat_id", "7")], &photo).await;
    let html = [(
        "photo",
        "cat.png",
        "image/png",
        &b"<script>alert(1)</script>"[..],
    )];
    it.upload(
        "sendPhoto",
        &[("chat_id", "7"), ("caption", "no cat")],
        &html,
    )
    .await;
    let text = page(&it, "/double/chat?id=7").await;
    assert_eq!(text.matches("<img ").count(), 1, "{text}");
    let (_, rest) = text.split_once("<img src=\"").unwrap();
    let address = rest.split('"').next().unwrap().replace("&amp;", "&");
    assert_eq!(it.bytes(&address).await.as_deref(), Some(PNG));
    let (status, _) = it
        .get(&address.replace("double-photo-1", "double-photo-3"))
        .await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn a_page_of_nothing_names_the_reason() {
    let it = World::start().await;
    for (path, field) in [
        ("/double/chat?id=9", "id"),
        ("/double/chat?id=x", "id"),
        ("/double/chat?bot=9", "bot"),
        ("/double/picture?id=x", "id"),
    ] {
        let (status, answer) = it.get(path).await;
        assert_eq!(
            (status, &answer["errors"][0]["path"]),
            (400, &json!(field)),
            "{path}"
        );
    }
    let text = page(&it, "/double/chat?id=7").await;
    assert!(!text.contains(TOKEN.split(':').nth(1).unwrap()), "{text}");
    for part in ["chat.css", "chat.js"] {
        assert!(text.contains(&format!("\"/double/{part}\"")), "{text}");
        assert!(!page(&it, &format!("/double/{part}")).await.is_empty());
    }
}

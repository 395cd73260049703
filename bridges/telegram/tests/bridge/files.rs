//! Files in both directions.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use switchboard_bridge_core::clock::unix_seconds;
use telegram_double::orders::{Attachment, Kind, Say};
use telegram_double::{Fault, FaultKind};

use crate::stage::Stage;

/// The seconds for which a link is good: the 7 days of the settings.
const LINK_SECONDS: i64 = 7 * 86_400;
/// A picture of a pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cc`\0\0\0\x02\0\x01H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82";

/// The second in which a link ends, as its payload names it.
fn end_of_link(url: &str) -> i64 {
    let (_, words) = url.split_once("/files/").unwrap();
    let (payload, _) = words.split_once('.').unwrap();
    let bytes = URL_SAFE_NO_PAD.decode(payload).unwrap();
    let link: Value = serde_json::from_slice(&bytes).unwrap();
    link["e"].as_i64().unwrap()
}

fn media(stage: &Stage, file: Say, text: &str) -> Value {
    stage.order(stage.orders().say(&file));
    stage.until_posted(7, text)
}

#[test]
fn a_file_of_a_customer_is_passed_on_by_a_signed_link() {
    let stage = Stage::start();
    let file = Attachment {
        mime_type: Some("text/html".to_owned()),
        ..Attachment::text("page.html", "<script>alert(1)</script>")
    };
    let say = Say::file(7, Kind::Document, file).caption("my page");
    let begin = unix_seconds();
    let message = media(&stage, say, "my page");
    assert_eq!(message["file_name"], "page.html");
    let url = message["media"].as_str().unwrap();
    let ends = begin + LINK_SECONDS..=unix_seconds() + LINK_SECONDS;
    assert!(ends.contains(&end_of_link(url)), "{ends:?}");
    let (status, headers, body) = stage.page(url);
    assert_eq!(
        (status, body.as_slice()),
        (200, b"<script>alert(1)</script>".as_slice())
    );
    assert_eq!(headers["content-type"], "application/octet-stream");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert!(
        headers["content-disposition"]
            .to_str()
            .unwrap()
            .starts_with("attachment")
    );
    assert!(
        headers["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("sandbox")
    );
    // Another file cannot be had by the same signature.
    let forged = url.replacen("/files/", "/files/x", 1);
    assert_eq!(stage.page(&forged).0, 403);
}

#[test]
fn a_link_survives_the_end_of_telegrams_own() {
    let stage = Stage::start();
    let say = Say::file(7, Kind::Document, Attachment::text("a.txt", "content")).caption("a file");
    let message = media(&stage, say, "a file");
    let fault = Fault::next("file", FaultKind::FileLinkExpired);
    stage.fault(&fault);
    let (status, _, body) = stage.page(message["media"].as_str().unwrap());
    assert_eq!((status, body.as_slice()), (200, b"content".as_slice()));
}

#[test]
fn a_file_of_25_mb_of_a_customer_becomes_a_text() {
    let stage = Stage::start();
    let file = Attachment {
        name: Some("film.mp4".to_owned()),
        ..Attachment::sized(25 << 20)
    };
    stage.order(stage.orders().say(&Say::file(7, Kind::Document, file)));
    let message = stage.until("the message about the file", || stage.messages(7).pop());
    let text = message["text"].as_str().unwrap();
    assert_eq!(message["type"], "text");
    assert!(
        text.contains("film.mp4") && text.contains("25.0 MB"),
        "{text}"
    );
}

#[test]
fn a_large_file_passes_whole() {
    let stage = Stage::start();
    let file = Attachment {
        name: Some("film.mp4".to_owned()),
        ..Attachment::sized(19 << 20)
    };
    let say = Say::file(7, Kind::Document, file).caption("a film");
    let message = media(&stage, say, "a film");
    let (status, headers, body) = stage.page(message["media"].as_str().unwrap());
    assert_eq!((status, body.len()), (200, 19 << 20));
    assert_eq!(headers["content-length"], (19 << 20).to_string());
}

#[test]
fn a_file_of_a_user_arrives_with_its_name() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let id = stage.sends_file(7, "file", "offer.txt", b"red tulips");
    stage.until_delivery(7, &id, "delivered");
    let chat = stage.chat(7);
    let message = chat.messages.iter().find(|it| it.from.is_none()).unwrap();
    assert_eq!(message.method.to_ascii_lowercase(), "senddocument");
    assert_eq!(message.content["document"]["file_name"], "offer.txt");
    assert_eq!(message.content["document"]["file_size"], 10);
}

#[test]
fn a_picture_that_telegram_cannot_show_arrives_as_a_file() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let refusal = FaultKind::Status {
        code: 400,
        description: Some("Bad Request: PHOTO_INVALID_DIMENSIONS".to_owned()),
        retry_after: None,
        migrate_to_chat_id: None,
    };
    stage.fault(&Fault::next("sendPhoto", refusal));
    let id = stage.sends_file(7, "picture", "tulip.png", PNG);
    stage.until_delivery(7, &id, "delivered");
    let chat = stage.chat(7);
    let message = chat.messages.iter().find(|it| it.from.is_none()).unwrap();
    assert_eq!(message.method.to_ascii_lowercase(), "senddocument");
    assert_eq!(message.content["document"]["file_name"], "tulip.png");
}

#[test]
fn a_file_of_another_place_of_the_network_is_not_fetched() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let content = json!({ "id": "d4e5f6a7-1b2c-4d3e-8f90-a1b2c3d4e5f6", "type": "file", "text": "", "file_name": "a.txt",
        "media": format!("http://127.0.0.1:{}/health", stage.port), "file_size": 70 });
    assert_eq!(stage.callback(&stage.message_event(7, &content)), 200);
    stage.until("the refusal", || {
        stage
            .output()
            .contains("neither one of the service")
            .then_some(())
    });
}

#[test]
fn a_file_of_60_mb_of_a_user_is_refused_with_the_reason() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let id = "d4e5f6a7-1b2c-4d3e-8f90-a1b2c3d4e5f6";
    let media = format!("{}/media/m1/film.mp4", stage.world.base_url());
    let content = json!({ "id": id, "type": "file", "text": "", "media": media, "file_name": "film.mp4", "file_size": 60 << 20 });
    assert_eq!(stage.callback(&stage.message_event(7, &content)), 200);
    stage.until("the report", || {
        let journal = stage
            .world
            .order("GET", "/journal?form=document&limit=10000", &Value::Null);
        let text = journal.to_string();
        let is_there = text.contains(&format!("{id}/delivery_status"))
            && text.contains("60.0 MB")
            && text.contains("905");
        is_there.then_some(())
    });
    assert!(stage.chat(7).sent_texts().is_empty());
}

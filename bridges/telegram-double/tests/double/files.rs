//! Downloads: links, their end, and their limit.

use serde_json::{Value, json};
use telegram_double::orders::{Attachment, Kind, Say};
use telegram_double::{Fault, FaultKind};

use crate::support::{TOKEN, World};

async fn file(it: &World, attachment: Attachment) -> Value {
    it.orders()
        .say(&Say::file(7, Kind::Document, attachment))
        .await
        .unwrap();
    let updates = it.updates(-1).await;
    updates[0]["message"]["document"]["file_id"].clone()
}

async fn link(it: &World, id: &Value) -> String {
    let file = it.done("getFile", json!({"file_id": id})).await;
    format!("/file/bot{TOKEN}/{}", file["file_path"].as_str().unwrap())
}

#[tokio::test]
async fn a_file_is_downloaded_by_its_link() {
    let it = World::start().await;
    let id = file(&it, Attachment::text("a.txt", "abc")).await;
    let path = link(&it, &id).await;
    assert!(path.ends_with(".txt"));
    assert_eq!(it.bytes(&path).await.as_deref(), Some(&b"abc"[..]));
    let zeros = file(&it, Attachment::sized(200_000)).await;
    let path = link(&it, &zeros).await;
    assert_eq!(it.bytes(&path).await.map(|it| it.len()), Some(200_000));
    assert_eq!(
        it.get(&format!("/file/bot43:A{}", "/documents/file_1.txt"))
            .await
            .0,
        401
    );
    assert_eq!(
        it.get(&format!("/file/bot{TOKEN}/../../etc/passwd"))
            .await
            .0,
        404
    );
}

#[tokio::test]
async fn a_link_ends_after_an_hour() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let id = file(&it, Attachment::text("a.txt", "abc")).await;
    let path = link(&it, &id).await;
    it.advance(3_599).await;
    assert_eq!(it.bytes(&path).await.as_deref(), Some(&b"abc"[..]));
    it.advance(1).await;
    assert_eq!(it.get(&path).await.0, 404);
    assert_eq!(
        it.bytes(&link(&it, &id).await).await.as_deref(),
        Some(&b"abc"[..])
    );
}

#[tokio::test]
async fn a_file_over_20_mb_is_too_big() {
    let it = World::start().await;
    let id = file(&it, Attachment::sized((20 << 20) + 1)).await;
    let refusal = it.refused("getFile", json!({"file_id": id})).await;
    assert_eq!(refusal, (400, "Bad Request: file is too big".to_owned()));
    let (code, text) = it.refused("getFile", json!({"file_id": "unknown"})).await;
    assert_eq!(
        (code, text.as_str()),
        (
            400,
            "Bad Request: wrong file_id or the file is temporarily unavailable"
        )
    );
}

#[tokio::test]
async fn downloads_have_their_faults() {
    let it = World::start().await;
    let id = file(&it, Attachment::text("a.txt", "abcdef")).await;
    let path = link(&it, &id).await;
    it.order("faults", json!({"kind": "file_link_expired"}))
        .await;
    assert_eq!(it.get(&path).await.0, 404);
    it.order("faults", json!({"kind": "file_too_big"})).await;
    let refusal = it.refused("getFile", json!({"file_id": id})).await;
    assert_eq!(refusal.1, "Bad Request: file is too big");
    for kind in [FaultKind::HalfAnswer, FaultKind::AnswerLost] {
        it.orders()
            .add_fault(&Fault::next("file", kind))
            .await
            .unwrap();
        assert_eq!(it.bytes(&path).await, None);
    }
    assert_eq!(it.bytes(&path).await.as_deref(), Some(&b"abcdef"[..]));
}

//! Files of account users.

use serde_json::{Value, json};

use super::{callback, content, report, steps};
use crate::api::{PHOTO_MAX, UPLOAD_MAX};
use crate::outbound::fit;

fn file(kind: &str, name: &str) -> Value {
    json!({"type": kind, "media": "https://service.example/media/m1", "file_name": name, "file_size": 9})
}

#[test]
fn each_file_goes_by_its_type_and_ending() {
    for (kind, name, method, field) in [
        ("picture", "a.PNG", "sendPhoto", "photo"),
        ("picture", "", "sendPhoto", "photo"),
        ("picture", "a.svg", "sendDocument", "document"),
        ("picture", "a.gif", "sendDocument", "document"),
        ("file", "a.pdf", "sendDocument", "document"),
        ("file", "a", "sendDocument", "document"),
        ("file", "a.mp4", "sendVideo", "video"),
        ("file", "a.mp3", "sendAudio", "audio"),
        ("file", "a.ogg", "sendVoice", "voice"),
        // As a file it stays as it is.
        ("file", "a.jpg", "sendDocument", "document"),
        ("video", "a.mp4", "sendVideo", "video"),
        ("video", "a.avi", "sendDocument", "document"),
        ("voice", "a.ogg", "sendVoice", "voice"),
        ("audio", "a.m4a", "sendAudio", "audio"),
        ("sticker", "a.webp", "sendDocument", "document"),
    ] {
        let steps = steps(file(kind, name));
        assert_eq!(steps.len(), 1, "{kind} {name}");
        let upload = steps[0].upload.as_ref().expect("a file");
        assert_eq!(
            (steps[0].method, upload.field),
            (method, field),
            "{kind} {name}"
        );
        assert_eq!(
            (upload.url.as_str(), upload.size),
            ("https://service.example/media/m1", 9)
        );
        assert_eq!(steps[0].params, json!({"chat_id": 7}));
    }
}

#[test]
fn a_caption_of_1024_units_stays_at_its_file() {
    let with = |text: String| {
        let mut fields = file("picture", "a.png");
        fields["text"] = json!(text);
        steps(fields)
    };
    let short = with("😀".repeat(512));
    assert_eq!(
        (
            short.len(),
            short[0].params["caption"].as_str().map(str::len)
        ),
        (1, Some(2_048))
    );
    let long = with("😀".repeat(513));
    assert_eq!(long[0].params["caption"], Value::Null);
    assert_eq!(
        (long[1].method, long[1].params["text"].as_str()),
        ("sendMessage", Some("😀".repeat(513).as_str()))
    );
}

#[test]
fn a_picture_over_10_mb_is_a_document() {
    let mut fields = file("picture", "a.png");
    fields["file_size"] = json!(PHOTO_MAX + 1);
    let step = &steps(fields)[0];
    assert_eq!(
        (step.method, step.upload.as_ref().map(|it| it.field)),
        ("sendDocument", Some("document"))
    );
    fields = file("picture", "a.png");
    fields["file_size"] = json!(PHOTO_MAX);
    assert_eq!(steps(fields)[0].method, "sendPhoto");
}

#[test]
fn a_file_of_60_mb_is_905_with_the_reason() {
    let mut fields = file("file", "a.zip");
    fields["file_size"] = json!(60 << 20);
    let report = report(&callback("tg-42-7", content(fields)));
    assert_eq!(report.code, 905);
    assert!(
        report.text.contains("60.0 MB") && report.text.contains("50.0 MB"),
        "{}",
        report.text
    );
}

#[test]
fn the_real_size_decides() {
    let step = steps(file("picture", "a.png")).remove(0);
    assert_eq!(
        fit(step.clone(), PHOTO_MAX).map(|it| it.method),
        Ok("sendPhoto")
    );
    assert_eq!(
        fit(step.clone(), PHOTO_MAX + 1).map(|it| it.method),
        Ok("sendDocument")
    );
    assert_eq!(
        fit(step.clone(), UPLOAD_MAX).map(|it| it.method),
        Ok("sendDocument")
    );
    assert!(fit(step, UPLOAD_MAX + 1).is_err());
}

#[test]
fn what_telegram_does_not_show_can_go_as_a_document() {
    let picture = steps(file("picture", "a.png")).remove(0);
    let document = picture.as_document().expect("another way");
    assert_eq!(
        (document.method, document.upload.as_ref().map(|it| it.field)),
        ("sendDocument", Some("document"))
    );
    assert_eq!(document.as_document(), None);
    assert_eq!(steps(json!({"text": "x"}))[0].as_document(), None);
}

#[test]
fn names_of_files_are_cleaned() {
    let step = &steps(file("file", "../a\"\r\nb.pdf"))[0];
    assert_eq!(
        step.upload.as_ref().map(|it| it.name.as_str()),
        Some("_a\"  b.pdf")
    );
}

#[test]
fn a_file_without_an_address_is_905() {
    for address in ["", "file:///etc/passwd", "ftp://a.example/x"] {
        let mut fields = file("file", "a.pdf");
        fields["media"] = json!(address);
        assert_eq!(
            report(&callback("tg-42-7", content(fields))).code,
            905,
            "{address}"
        );
    }
}

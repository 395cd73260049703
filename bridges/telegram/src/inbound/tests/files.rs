//! Files of messages.

use std::cell::RefCell;

use serde_json::{Value, json};

use super::{FILE_MAX, Known, NOW, content, message, posts};
use crate::ids::Ids;
use crate::inbound::{Context, FileKind, FileRef, Inbound, read};

#[test]
fn each_kind_of_file_has_its_type() {
    let file = |name: &str| json!({"file_id": "F", "file_size": 9, "file_name": name});
    for (field, value, kind, name) in [
        ("document", file("a.pdf"), "file", json!("a.pdf")),
        ("video", file("a.mp4"), "video", json!("a.mp4")),
        (
            "video_note",
            json!({"file_id": "F", "file_size": 9}),
            "video",
            json!("video-note.mp4"),
        ),
        ("audio", file("a.mp3"), "audio", Value::Null),
        ("voice", file(""), "voice", Value::Null),
        ("sticker", file(""), "sticker", Value::Null),
    ] {
        let content = content(json!({field: value}));
        assert_eq!(content["type"], kind, "{field}");
        assert_eq!(content["media"], "https://bridge.example/F", "{field}");
        assert_eq!(content["file_name"], name, "{field}");
        let size = if name.is_null() {
            Value::Null
        } else {
            json!(9)
        };
        assert_eq!(content["file_size"], size, "{field}");
    }
}

#[test]
fn a_picture_is_the_largest_that_can_be_fetched() {
    let size = |id: &str, side: u64, bytes: u64| json!({"file_id": id, "width": side, "height": side, "file_size": bytes});
    let photo = content(
        json!({"photo": [size("S", 90, 100), size("L", 900, 9_000), size("M", 300, 3_000)]}),
    );
    assert_eq!(
        photo,
        json!({
            "type": "picture", "media": "https://bridge.example/L", "file_name": "photo.jpg", "file_size": 9_000,
        })
    );
    let huge = content(json!({"photo": [size("M", 300, 3_000), size("X", 9_000, FILE_MAX + 1)]}));
    assert_eq!(huge["media"], "https://bridge.example/M");
}

#[test]
fn an_animation_is_no_document() {
    let file =
        |name: &str, mime: &str| json!({"file_id": name, "file_name": name, "mime_type": mime});
    let film = content(
        json!({"document": file("D", "video/mp4"), "animation": file("a.mp4", "video/mp4")}),
    );
    assert_eq!(
        (&film["type"], &film["file_name"]),
        (&json!("video"), &json!("a.mp4"))
    );
    let gif = content(
        json!({"document": file("D", "image/gif"), "animation": file("a.gif", "image/gif")}),
    );
    assert_eq!(gif["type"], "picture");
}

#[test]
fn a_caption_is_the_text_of_its_file() {
    let caption = json!({
        "photo": [{"file_id": "P"}], "caption": "see this",
        "caption_entities": [{"type": "text_link", "offset": 4, "length": 4, "url": "https://a.example"}],
    });
    assert_eq!(content(caption)["text"], "see this (https://a.example)");
}

#[test]
fn a_sticker_that_moves_is_its_picture() {
    let moving =
        json!({"file_id": "T", "is_animated": true, "emoji": "😀", "thumbnail": {"file_id": "P"}});
    let picture = content(json!({"sticker": moving}));
    assert_eq!(
        (&picture["type"], &picture["media"]),
        (&json!("sticker"), &json!("https://bridge.example/P"))
    );
    let bare = content(json!({"sticker": {"file_id": "T", "is_video": true, "emoji": "😀"}}));
    assert_eq!(
        bare,
        json!({"type": "text", "text": "[a sticker that moves] 😀"})
    );
}

#[test]
fn a_part_of_an_album_names_it() {
    let part = posts(&message(
        json!({"photo": [{"file_id": "P"}], "media_group_id": "A1", "caption": "all"}),
    ));
    assert_eq!(part.album.as_deref(), Some("A1"));
    assert_eq!(part.posts[0].body["payload"]["message"]["text"], "all");
}

#[test]
fn a_file_of_25_mb_is_a_text_that_says_so() {
    let film = json!({"file_id": "V", "file_size": 25 << 20, "file_name": "film.mp4"});
    let content = content(json!({"video": film, "caption": "the party"}));
    assert_eq!(
        content,
        json!({
            "type": "text",
            "text": "[video «film.mp4» of 25.0 MB: Telegram gives bots no files of more than 20.0 MB. Ask for a smaller one, \
                     or for a link]\nthe party",
        })
    );
    let most = json!({"file_id": "V", "file_size": FILE_MAX});
    assert_eq!(super::content(json!({"video": most}))["type"], "video");
}

#[test]
fn names_of_files_are_cleaned_and_bounded() {
    let name = |name: &str| {
        content(json!({"document": {"file_id": "D", "file_name": name}}))["file_name"].clone()
    };
    assert_eq!(name("../../a\u{202e}b\r\n.pdf"), "_.._ab  .pdf");
    assert_eq!(name(""), "file");
    let long = name(&format!("{}.pdf", "ä".repeat(300)));
    let text = long.as_str().expect("a name");
    assert!(
        text.chars().count() == 255 && text.ends_with(".pdf"),
        "{text}"
    );
}

#[test]
fn a_file_without_a_usable_id_is_a_text() {
    for id in [json!(""), json!("a b"), json!("x".repeat(513)), json!(7)] {
        let content = content(json!({"document": {"file_id": id}, "caption": "see"}));
        assert_eq!(
            content["text"], "[a file that Telegram does not name]\nsee",
            "{id}"
        );
    }
}

#[test]
fn an_address_is_made_of_all_that_is_known_of_a_file() {
    let files = RefCell::new(Vec::new());
    let address = |file: &FileRef| {
        files.borrow_mut().push(file.clone());
        "https://bridge.example/x".to_owned()
    };
    let context = Context {
        ids: Ids { bot: 42 },
        memory: &Known,
        address: &address,
        file_max: FILE_MAX,
        now: NOW,
    };
    for fields in [
        json!({"voice": {"file_id": "V", "file_size": 9}}),
        json!({"document": {"file_id": "D", "file_name": "a.pdf", "mime_type": "application/pdf"}}),
        json!({"document": {"file_id": "D", "mime_type": "pdf\r\nX: y"}}),
    ] {
        assert!(matches!(
            read(&message(fields), &context),
            Inbound::Posts(_)
        ));
    }
    let file = |id: &str, name: &str, size: Option<u64>, kind: FileKind, mime: &str| FileRef {
        file_id: id.to_owned(),
        name: name.to_owned(),
        size,
        kind,
        mime: mime.to_owned(),
    };
    assert_eq!(
        files.into_inner(),
        [
            file("V", "voice.ogg", Some(9), FileKind::Voice, "audio/ogg"),
            file("D", "a.pdf", None, FileKind::File, "application/pdf"),
            file("D", "file", None, FileKind::File, ""),
        ]
    );
}

#[test]
fn a_picture_of_which_no_size_can_be_fetched_is_a_text() {
    let size = json!({"file_id": "P", "file_size": FILE_MAX + 1, "width": 9, "height": 9});
    let content = content(json!({"photo": [size]}));
    assert_eq!(content["type"], "text");
}

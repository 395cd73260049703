//! Avatars: a link of the bridge with a signature and an end, asked for once a day.

use telegram_double::{Fault, FaultKind, Person};

use crate::stage::{SECRET, Stage};

/// The avatar of the customer of a chat, as the service has it after a message.
fn avatar(stage: &Stage, chat: i64, text: &str) -> Option<String> {
    stage.says(chat, text);
    stage.until_posted(chat, text);
    let conversation = stage.inbox(chat)?;
    conversation["customer"]["avatar"]
        .as_str()
        .map(str::to_owned)
}

fn with_avatar(stage: &Stage, id: i64) {
    let person = Person {
        photo_size: Some(3_000),
        ..Person::named("Cleo").with_id(id)
    };
    stage.order(stage.orders().add_person(&person));
}

#[test]
fn an_avatar_is_a_link_that_is_asked_for_once() {
    let stage = Stage::start();
    with_avatar(&stage, 9);
    let address = avatar(&stage, 9, "Hello").unwrap();
    assert!(!address.contains(SECRET), "{address}");
    let (status, headers, body) = stage.page(&address);
    assert_eq!((status, body.len()), (200, 3_000));
    assert_eq!(headers["content-type"], "image/jpeg");
    let forged = address.replace("/files/", "/files/x");
    assert_eq!(stage.page(&forged).0, 403);
    // The double would give the picture another id at a second question.
    assert_eq!(avatar(&stage, 9, "Are you there?"), Some(address));
    assert_eq!(avatar(&stage, 7, "I have none"), None);
}

#[test]
fn a_message_comes_without_a_late_avatar() {
    let stage = Stage::start();
    with_avatar(&stage, 9);
    let late = FaultKind::Slow { millis: 60_000 };
    let fault = Fault::next("getUserProfilePhotos", late);
    stage.order(stage.orders().add_fault(&fault));
    assert_eq!(avatar(&stage, 9, "Hello"), None);
}

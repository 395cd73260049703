//! Stored bodies, read once more: what was accepted then is understood again, with the clock of then.

use serde_json::Value;

use crate::chat_body::Rules;
use crate::chat_body::send::{self, Posted};
use crate::domain::chat::message::{Content, PostedMessage};
use crate::domain::conversation::send_message::Retry;
use crate::domain::conversation::{Edited, Received};

/// Returns whether two bodies with one msgid are one message: the same people, and the same `message`. The time of writing and
/// the notification of users may differ, since clients stamp a retry anew, and so may names and profiles.
#[must_use]
pub fn is_one_message(retry: &Retry) -> bool {
    let read = |body| serde_json::from_slice::<Value>(body).ok();
    let (Some(earlier), Some(now)) = (read(&retry.earlier), read(&retry.now)) else {
        return false;
    };
    let same = |pointer: &str| earlier.pointer(pointer) == now.pointer(pointer);
    // An id may belong to another person by now.
    let ids = || {
        [
            "sender/id",
            "sender/ref_id",
            "receiver/id",
            "receiver/ref_id",
        ]
        .iter()
        .all(|id| same(&format!("/payload/{id}")))
    };
    same("/payload/message") && (retry.same_people || ids())
}

/// The message in the body that was stored with this record.
#[must_use]
pub fn message(received: &Received, raw: &[u8]) -> Option<PostedMessage> {
    send::parse(raw, Rules::for_generation(received.generation), received.at).ok()
}

/// The content of the message since this record, whose body this is.
#[must_use]
pub fn edited(edited: &Edited, raw: &[u8]) -> Option<Content> {
    match send::parse_event(raw, Rules::Current, edited.at) {
        Ok(Posted::Edit(edit)) => edit.content,
        Ok(Posted::Message(_)) | Err(_) => None,
    }
}

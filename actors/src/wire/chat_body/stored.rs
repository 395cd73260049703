//! Stored bodies, read once more: what was accepted then is understood again, with the clock of then.

use serde_json::Value;

use crate::domain::chat::message::{Content, PostedMessage};
use crate::domain::conversation::receive::Retry;
use crate::domain::conversation::{Edited, Received};
use crate::wire::chat_body::Rules;
use crate::wire::chat_body::send::{self, Posted};

/// Whether two bodies with one msgid are one message: the same people, and the same `message`. When it was written and who is
/// told of it may differ, since clients stamp a retry anew, and so may names and profiles.
#[must_use]
pub fn is_one_message(retry: &Retry) -> bool {
    let read = |body| serde_json::from_slice::<Value>(body).ok();
    let (Some(earlier), Some(now)) = (read(&retry.earlier), read(&retry.now)) else {
        return false;
    };
    let (earlier, now) = (&earlier["payload"], &now["payload"]);
    // An id may mean somebody else by now.
    let ids = ["id", "ref_id"].into_iter();
    let mut named = ids.flat_map(|id| [("sender", id), ("receiver", id)]);
    earlier["message"] == now["message"]
        && (retry.same_people || named.all(|(who, id)| earlier[who][id] == now[who][id]))
}

/// The message in the body that was stored with this record.
#[must_use]
pub fn message(received: &Received, raw: &[u8]) -> Option<PostedMessage> {
    send::parse(raw, Rules::of(received.generation), received.at).ok()
}

/// What the message says since this record, whose body this is.
#[must_use]
pub fn edited(edited: &Edited, raw: &[u8]) -> Option<Content> {
    match send::parse_event(raw, Rules::Current, edited.at) {
        Ok(Posted::Edit(edit)) => edit.content,
        Ok(Posted::Message(_)) | Err(_) => None,
    }
}

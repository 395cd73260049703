//! Stored bodies, read once more: what was accepted then is understood again, with the clock of then.

use crate::domain::chat::message::{Content, PostedMessage};
use crate::domain::conversation::{Edited, Received};
use crate::wire::chat_body::Rules;
use crate::wire::chat_body::send::{self, Posted};

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

//! The files that messages need: a record that names one promises that it is there.

use crate::domain::conversation::ConversationEvent;
use crate::domain::id::MediaId;
use crate::domain::kinds;
use crate::domain::text::url::HttpUrl;
use switchboard_engine::store::Record;
use switchboard_erasures::judges::tally::files_in;

/// Returns the file that a record names: the upload that an account user sent, or the copy of one that a customer sent.
/// Addresses that stand in texts and in the bodies of integrations promise nothing.
#[must_use]
pub fn files_named_in(record: &Record) -> Option<MediaId> {
    if !record.stream.is(kinds::CONVERSATION) || files_in(&record.event).is_empty() {
        return None;
    }
    let event: ConversationEvent = serde_json::from_slice(&record.event).ok()?;
    file_at(event.own_file()?)
}

fn file_at(url: &HttpUrl) -> Option<MediaId> {
    files_in(url.as_str().as_bytes()).first().copied()
}

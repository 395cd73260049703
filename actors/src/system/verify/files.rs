//! The files that messages need: a record that names one promises that it is there.

use crate::domain::chat::fetch::FetchOutcome;
use crate::domain::conversation::ConversationEvent;
use crate::domain::id::MediaId;
use crate::domain::kinds;
use crate::domain::text::url::HttpUrl;
use crate::system::erasures::files_in;
use switchboard_engine::store::Record;

/// The file that a record names: the upload that an account user sent, or the copy of one that a customer sent. Addresses that
/// stand in texts and in the bodies of integrations promise nothing.
#[must_use]
pub fn files_named_in(record: &Record) -> Option<MediaId> {
    if !record.stream.is(kinds::CONVERSATION) || files_in(&record.event).is_empty() {
        return None;
    }
    let url = match serde_json::from_slice(&record.event).ok()? {
        ConversationEvent::Replied(replied) => replied.content.file()?.media.clone(),
        ConversationEvent::Fetched(fetched) => match fetched.seen?.found {
            FetchOutcome::Reachable(file) => file.copy?.media,
            FetchOutcome::Unreachable { .. } => return None,
        },
        ConversationEvent::Opened(_)
        | ConversationEvent::Received(_)
        | ConversationEvent::Edited(_)
        | ConversationEvent::Reacted(_)
        | ConversationEvent::Reported(_)
        | ConversationEvent::DealOpened
        | ConversationEvent::DealChanged { .. }
        | ConversationEvent::Read(_)
        | ConversationEvent::Marked(_)
        | ConversationEvent::Condensed(_) => return None,
    };
    file_at(&url)
}

fn file_at(url: &HttpUrl) -> Option<MediaId> {
    files_in(url.as_str().as_bytes()).first().copied()
}

//! What an erasure comes to: how much of what, which records, and which files no other record mentions.

use std::collections::BTreeSet;

use crate::domain::conversation::ConversationEvent;
use crate::domain::erasures::certificate::ErasedCounts;
use crate::domain::id::{ContactId, MediaId};
use crate::system::erasures::judge::Judge;
use switchboard_engine::store::Seq;
use switchboard_engine::store::erasure::list::RecordRanges;

/// What an erasure comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How much of what is erased.
    pub counts: ErasedCounts,
    /// How many records are erased.
    pub erased_records: u64,
    /// How many records say less than before.
    pub masked_records: u64,
    /// The contact of the customer.
    pub(super) contact: Option<ContactId>,
    pub(super) erased: RecordRanges,
    pub(super) masked: RecordRanges,
    /// The files that only erased records refer to.
    pub(super) files: BTreeSet<MediaId>,
}

impl Tally {
    /// Takes in that a record is erased or says less than before; `files` are those that it mentioned.
    pub(super) fn take(&mut self, seq: Seq, is_erased: bool, files: &[MediaId]) {
        if is_erased {
            self.erased.push(seq);
        } else {
            self.masked.push(seq);
        }
        self.files.extend(files);
    }

    /// The tally when all records were judged; these files are mentioned by what stays.
    pub(super) fn finished(mut self, judge: &dyn Judge, kept: &BTreeSet<MediaId>) -> Self {
        self.files.retain(|file| !kept.contains(file));
        self.counts = judge.counts();
        self.counts.files = u64::try_from(self.files.len()).unwrap_or(u64::MAX);
        self.contact = judge.contact();
        self.erased_records = self.erased.count();
        self.masked_records = self.masked.count();
        self
    }

    /// Whether nothing would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.erased_records == 0 && self.masked_records == 0
    }
}

/// Whether an event is a message.
pub(super) fn is_message(event: &ConversationEvent) -> bool {
    matches!(
        event,
        ConversationEvent::Received(_) | ConversationEvent::Replied(_)
    )
}

/// The files whose addresses stand in these bytes: `media`, a slash that may be escaped, and an id.
pub(in crate::system) fn files_in(bytes: &[u8]) -> Vec<MediaId> {
    const WORD: &[u8] = b"media";
    const ID_BYTES: usize = 36;
    let mut found = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'm') {
        let from = rest.get(at..).unwrap_or_default();
        rest = from.get(1..).unwrap_or_default();
        let Some(behind) = from.strip_prefix(WORD) else {
            continue;
        };
        let behind = behind.strip_prefix(b"\\").unwrap_or(behind);
        let id = behind.strip_prefix(b"/").and_then(|id| id.get(..ID_BYTES));
        let id = id.and_then(|id| std::str::from_utf8(id).ok()?.parse::<MediaId>().ok());
        found.extend(id);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_addresses() {
        let (one, two) = (MediaId::from_random([1; 16]), MediaId::from_random([2; 16]));
        let text = format!("media https://a/media/{one}/x.png mmedia\\/{two}\\/y media/zz");
        assert_eq!(files_in(text.as_bytes()), [one, two]);
        assert_eq!(files_in(b"media/"), []);
    }
}

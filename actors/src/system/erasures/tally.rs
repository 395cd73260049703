//! What an erasure comes to: how much of what, which records, and which files no other record mentions.

use std::collections::BTreeSet;

use crate::domain::conversation::ConversationEvent;
use crate::domain::erasures::certificate::ErasedCounts;
use crate::domain::id::{ContactId, MediaId};
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::judge::{Judge, Scan};
use switchboard_engine::store::Record;
use switchboard_engine::store::erasure::Verdict;
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

/// A tally of the records so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Counting {
    tally: Tally,
    /// The files that records refer to which stay.
    kept: BTreeSet<MediaId>,
}

impl Counting {
    /// Counts a record with its verdict.
    pub(super) fn take(&mut self, record: &Record, verdict: &Verdict) {
        let mentioned = files_in(&record.event).into_iter();
        let mentioned = mentioned.chain(files_in(&record.blob));
        match verdict {
            Verdict::Keep => self.kept.extend(mentioned),
            Verdict::Erase => {
                self.tally.erased.push(record.seq);
                self.tally.files.extend(mentioned);
            }
            Verdict::Replace { event, blob } => {
                self.tally.masked.push(record.seq);
                self.tally.files.extend(mentioned);
                self.kept.extend(files_in(event));
                self.kept.extend(files_in(blob));
            }
        }
    }

    /// The tally of these records and of what the judge makes of the rest.
    pub(super) fn finish(
        mut self,
        judge: &mut dyn Judge,
        rest: Scan<'_>,
    ) -> Result<Tally, ErasureFailure> {
        for record in rest() {
            let record = record?;
            let verdict = judge.verdict(&record)?;
            self.take(&record, &verdict);
        }
        let Self { mut tally, kept } = self;
        tally.files.retain(|file| !kept.contains(file));
        tally.counts = judge.counts();
        tally.counts.files = u64::try_from(tally.files.len()).unwrap_or(u64::MAX);
        tally.contact = judge.contact();
        tally.erased_records = tally.erased.count();
        tally.masked_records = tally.masked.count();
        Ok(tally)
    }
}

impl Tally {
    /// What this judge makes of all records.
    pub(super) fn of(judge: &mut dyn Judge, scan: Scan<'_>) -> Result<Self, ErasureFailure> {
        Counting::default().finish(judge, scan)
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

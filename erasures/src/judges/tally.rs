//! The extent of an erasure: the numbers of entities, the records, and the files that no other record mentions.

use std::collections::BTreeSet;

use crate::certificate::ErasedCounts;
use crate::judges::judge::Judge;
use switchboard_domain::id::{ContactId, MediaId};
use switchboard_engine::store::Seq;
use switchboard_engine::store::erasure::list::RecordRanges;

/// The extent of an erasure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The numbers of entities that are erased.
    pub counts: ErasedCounts,
    /// The number of records that are erased.
    pub erased_records: u64,
    /// The number of records that say less than before.
    pub masked_records: u64,
    /// The contact of the customer.
    pub(super) contact: Option<ContactId>,
    pub(super) erased: RecordRanges,
    pub(super) masked: RecordRanges,
    /// The files that only erased records refer to.
    pub(super) files: BTreeSet<MediaId>,
}

impl Tally {
    /// Adds a record that is erased or says less than before, with the files that it mentioned.
    pub(super) fn take(&mut self, seq: Seq, is_erased: bool, files: &[MediaId]) {
        if is_erased {
            self.erased.push(seq);
        } else {
            self.masked.push(seq);
        }
        self.files.extend(files);
    }

    /// Completes the tally when all records are judged. The records that stay mention `kept_files`.
    pub(super) fn finished(mut self, judge: &dyn Judge, kept_files: &BTreeSet<MediaId>) -> Self {
        self.files.retain(|file| !kept_files.contains(file));
        self.counts = judge.counts();
        self.counts.files = u64::try_from(self.files.len()).unwrap_or(u64::MAX);
        self.contact = judge.contact();
        self.erased_records = self.erased.count();
        self.masked_records = self.masked.count();
        self
    }

    /// Returns whether nothing would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.erased_records == 0 && self.masked_records == 0
    }
}

/// The files whose addresses stand in these bytes: `media`, a slash that may be escaped, and an id.
#[must_use]
pub fn files_in(bytes: &[u8]) -> Vec<MediaId> {
    const WORD: &[u8] = b"media";
    const ID_BYTES: usize = 36;
    let mut files = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'm') {
        let from = rest.get(at..).unwrap_or_default();
        rest = from.get(1..).unwrap_or_default();
        let Some(behind) = from.strip_prefix(WORD) else {
            continue;
        };
        let behind = behind.strip_prefix(b"\\").unwrap_or(behind);
        let text = behind.strip_prefix(b"/").and_then(|id| id.get(..ID_BYTES));
        files.extend(text.and_then(|text| std::str::from_utf8(text).ok()?.parse::<MediaId>().ok()));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_domain::audit::By;
    use switchboard_domain::canned_replies::CannedReplies;
    use switchboard_domain::canned_replies::canned_reply::{CannedReplyFile, CannedReplySettings};
    use switchboard_domain::canned_replies::create::CreateCannedReply;
    use switchboard_domain::id::{AccountId, UserId};
    use switchboard_domain::time::UnixMillis;
    use switchboard_engine::state::{Command as _, Moment, State as _};

    #[test]
    fn files_are_found_by_their_addresses() {
        let (one, two) = (MediaId::from_random([1; 16]), MediaId::from_random([2; 16]));
        let text = format!("media https://a/media/{one}/x.png mmedia\\/{two}\\/y media/zz");
        assert_eq!(files_in(text.as_bytes()), [one, two]);
        assert_eq!(files_in(b"media/"), []);
    }

    /// An erasure of the messages with the file does not take it from the canned reply.
    #[test]
    fn the_file_of_a_canned_reply_is_found_in_its_record() {
        let media = MediaId::from_random([3; 16]);
        let file = CannedReplyFile {
            media,
            name: "menu.png".parse().unwrap(),
            bytes: 7,
            is_picture: true,
        };
        let command = CreateCannedReply {
            by: By::Operator,
            author: UserId(1),
            settings: CannedReplySettings {
                name: "Menu".parse().unwrap(),
                text: "Here it is".parse().unwrap(),
                is_shared: false,
                file: Some(file),
            },
            request: None,
        };
        let state = CannedReplies::initial(&AccountId::from_random([1; 16]));
        let mut random = || [7; 16];
        let mut moment = Moment {
            now: UnixMillis::from_secs(100),
            random: &mut random,
            earlier: &[],
        };
        let decision = command.decide(&state, &mut moment).unwrap();
        let record = serde_json::to_vec(&decision.events[0].event).unwrap();
        assert_eq!(files_in(&record), [media]);
    }
}

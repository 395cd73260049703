//! The end of a log, as a process knows it, and the entry that comes after it.

use serde::{Deserialize, Serialize};
use switchboard_engine::store::Seq;
use switchboard_engine::time::UnixMillis;

use crate::entry::{Claim, Claimant, Content, Entry, EntryHeader, EntryId};
use crate::position::Position;

/// The end of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogEnd {
    /// The position of the newest entry; 0: there is none.
    pub position: Position,
    /// The identity of that entry.
    pub id: EntryId,
    /// The number of claims.
    pub epoch: u64,
    /// The position of the newest claim.
    pub claim: Position,
    /// The last record that the log has.
    pub last: Seq,
    /// The process that made the newest claim; `None`: there is none, or it is not known.
    pub owner: Option<Claimant>,
}

impl LogEnd {
    /// The header of the next entry, which belongs to the newest claim.
    #[must_use]
    pub fn next_header(&self, time: UnixMillis, last: Seq, content: Content) -> EntryHeader {
        EntryHeader {
            position: self.position.next(),
            epoch: self.epoch,
            claim: self.claim,
            before: self.id,
            time,
            last,
            stands_for: None,
            content,
        }
    }

    /// The claim that comes next, and goes on from the record `last`.
    pub(crate) fn next_claim(&self, time: UnixMillis, last: Seq, claim: Claim) -> Entry {
        Entry::without_body(EntryHeader {
            epoch: self.epoch.saturating_add(1),
            claim: self.position.next(),
            ..self.next_header(time, last, Content::Claim(claim))
        })
    }

    /// The end of a log whose newest entry is this one.
    pub(crate) fn at(entry: &Entry) -> Self {
        let mut end = Self::default();
        end.advance(entry);
        end
    }

    /// Moves the end to this entry, which comes next.
    pub fn advance(&mut self, entry: &Entry) {
        let EntryHeader {
            position,
            epoch,
            claim,
            last,
            ..
        } = entry.header;
        (self.position, self.id) = (position, entry.id);
        (self.epoch, self.claim, self.last) = (epoch, claim, last);
        if let Some(claim) = entry.header.content.claim() {
            self.owner = Some(claim.claimant.clone());
        }
    }
}

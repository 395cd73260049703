//! A node that follows a log: it checks the chain of the entries and writes their groups to its own journal.
//!
//! What its journal has already, from before a crash or from a time as the owner, must be what the log has.

mod checks;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::adopt;
use super::entry::{Content, Entry, EntryId, Secret};
use super::follow_error::FollowError;
use super::{Claimant, Place, SharedLog, Stored, position};
use crate::store::disk::Disk;
use crate::store::erasure::list::{self, ErasedRecords};
use crate::store::frontier::Frontier;
use crate::store::identity::FORMAT;
use crate::store::portable::{self, JournalWriter, split_behind};
use crate::store::reader::JournalReader;
use crate::store::recovery::Tail;
use crate::store::{Position, Seq};

/// The end of a log, as a node knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The newest entry; 0: none.
    pub place: Place,
    /// Which entry that is.
    pub id: EntryId,
    /// How many claims there were.
    pub epoch: u64,
    /// The place of the newest claim.
    pub claim: Place,
    /// The last record that the log has.
    pub last: Seq,
    /// Who made the newest claim; `None`: there is none.
    pub owner: Option<Claimant>,
}

/// A node that follows a log.
pub struct Follower {
    disk: Arc<dyn Disk>,
    secret: Secret,
    journal: JournalWriter,
    reader: JournalReader,
    frontier: Frontier,
    end: End,
    /// The last record that the journal had before it followed.
    local: Seq,
    /// Where the records are that are compared next.
    compared: Option<Position>,
    /// Records that were erased here need not be what the log has.
    erased: Vec<ErasedRecords>,
    /// Whether the owner has released the log.
    released: bool,
    /// The node that is to begin a log without claims, by order.
    first: Option<String>,
    /// The time of the newest entry, by the clock of its maker; `None`: this process has taken in none.
    time: Option<u64>,
    /// Whether it is to be asked where the log ends, should it show nothing behind the end.
    unchecked: bool,
}

impl Follower {
    /// With the journal on this disk, which ends at `tail` and has segments of about so many bytes. The secret is that of its
    /// identity.
    ///
    /// # Errors
    /// When the data directory cannot be used.
    pub fn open(
        disk: Arc<dyn Disk>,
        secret: [u8; 16],
        tail: &Tail,
        segment_bytes: u64,
    ) -> Result<Self, FollowError> {
        let refused = |error: io::Error| FollowError::Io {
            file: disk.describe(""),
            reason: error.to_string(),
        };
        let end = position::read(disk.as_ref()).map_err(refused)?;
        // One that was exchanged may name records that the journal does not have.
        let end = end.filter(|end| end.last <= tail.durable);
        let erased = list::all(disk.as_ref()).map_err(refused)?;
        let frontier = Frontier::at(tail.position);
        Ok(Self {
            secret: Secret(secret),
            journal: JournalWriter::resume(Arc::clone(&disk), segment_bytes, tail)?,
            reader: JournalReader::new(Arc::clone(&disk), frontier.clone()),
            frontier,
            // Orders are read again: which node may claim the log is in no file.
            end: end
                .filter(|end| end.epoch > 0)
                .unwrap_or_else(End::beginning),
            local: tail.durable,
            compared: None,
            erased,
            released: false,
            first: None,
            time: None,
            unchecked: true,
            disk,
        })
    }

    /// The end of the log, as far as it was followed.
    #[must_use]
    pub fn end(&self) -> &End {
        &self.end
    }

    /// The time of the newest entry, in milliseconds since 1970 by the clock of its maker; `None`: this process has taken in
    /// none.
    #[must_use]
    pub fn time(&self) -> Option<u64> {
        self.time
    }

    pub(super) fn secret(&self) -> Secret {
        self.secret
    }

    /// The last record of the local journal.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.journal.last()
    }

    /// Whether the owner has released the log: any node may claim it.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.released
    }

    /// Returns whether this node is to begin the log: no node has claimed it, and it is the one that the order names.
    #[must_use]
    pub fn begins(&self, node: &str) -> bool {
        self.end.epoch == 0 && self.first.as_deref() == Some(node)
    }

    /// Takes in what the log has behind the end, as much as one answer of it brings; how many entries these were. Waits up to
    /// `patience` for the first.
    ///
    /// # Errors
    /// When it cannot go on now, or for ever.
    pub fn follow(
        &mut self,
        log: &mut dyn SharedLog,
        patience: Duration,
    ) -> Result<usize, FollowError> {
        if self.end.place == Place(0) {
            adopt::adopt(&mut self.end, self.local, log)?;
        }
        let found = log.read(self.end.place, patience)?;
        let count = found.len();
        for stored in found {
            self.take(&stored)?;
        }
        if count == 0 && self.unchecked {
            self.check_end(log)?;
            self.unchecked = false;
        }
        Ok(count)
    }

    /// The next answer without entries is doubted once: a log may have lost its newest entries, or was trimmed beyond the end.
    pub(super) fn doubt(&mut self) {
        self.unchecked = true;
    }

    fn take(&mut self, stored: &Stored) -> Result<(), FollowError> {
        let place = stored.place;
        if place != self.end.place.next() {
            return Err(FollowError::Gap {
                place: self.end.place,
                oldest: place,
            });
        }
        let entry = Entry::decode(&stored.bytes);
        let entry = entry.map_err(|reason| FollowError::Unreadable { place, reason })?;
        let epoch = self.check_chain(&entry, place)?;
        let released = matches!(entry.header.content, Content::Release);
        match entry.header.content {
            Content::Batch { first } => self.batch(first, entry.header.last, &entry.groups)?,
            Content::Claim { secret, .. } if secret != self.secret => {
                return Err(FollowError::OtherInstallation { place });
            }
            Content::Claim {
                claimant, format, ..
            } if format > FORMAT => {
                let owner = claimant;
                return Err(FollowError::Newer { owner, format });
            }
            Content::Claim { claimant, .. } => self.end.owner = Some(claimant),
            Content::Begin { node } => self.first = Some(node),
            Content::Beat | Content::Release => {}
        }
        self.released = released;
        self.time = Some(entry.header.time);
        self.end.last = entry.header.last;
        self.end.place = place;
        self.end.epoch = epoch;
        self.end.claim = entry.header.claim;
        self.end.id = EntryId::of(&stored.bytes);
        Ok(())
    }

    /// Writes groups to the journal, but for those that it has.
    fn batch(&mut self, first: Seq, last: Seq, groups: &[u8]) -> Result<(), FollowError> {
        if portable::check(groups, self.end.last)? != last {
            return Err(FollowError::Diverged { first: first.0 });
        }
        let mut rest = groups;
        if first <= self.local {
            let diverged = || FollowError::Diverged { first: first.0 };
            let upto = last.min(self.local);
            let (known, new) = split_behind(groups, upto).ok_or_else(diverged)?;
            if !self.has(known, upto)? {
                return Err(diverged());
            }
            rest = new;
        }
        self.journal.append(rest)?;
        Ok(())
    }

    /// Whether the journal has these groups, up to this record.
    fn has(&mut self, groups: &[u8], upto: Seq) -> Result<bool, FollowError> {
        let from = match (self.compared, self.end.last) {
            (Some(place), _) => Some(place),
            (None, Seq(0)) => None,
            (None, last) => self.reader.place_after(last)?,
        };
        let Some(local) = self.reader.groups_through(from, upto)? else {
            return Ok(false);
        };
        self.compared = Some(local.next);
        let is_erased = |seq: Seq| {
            self.erased.iter().any(|list| {
                let mut ranges = list.erased.iter().chain(list.replaced.iter());
                ranges.any(|(first, last)| (first..=last).contains(&seq))
            })
        };
        Ok(portable::agree(&local.bytes, groups, is_erased))
    }

    /// Puts everything that was taken in on disk, and notes up to where that is.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn sync(&mut self) -> Result<(), FollowError> {
        self.journal.sync()?;
        self.frontier.advance(self.journal.end());
        position::write(self.disk.as_ref(), &self.end).map_err(|error| FollowError::Io {
            file: self.disk.describe("log-position"),
            reason: error.to_string(),
        })
    }

    /// The groups of the local journal that the log lacks, about as many as an entry may have: it has lost them, or this node
    /// was alone before. `None`: it has all.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(super) fn surplus(
        &self,
        behind: Seq,
        bytes: usize,
    ) -> Result<Option<portable::PortableGroups>, FollowError> {
        if behind >= self.journal.last() {
            return Ok(None);
        }
        let from = match behind {
            Seq(0) => None,
            behind => self.reader.place_after(behind)?,
        };
        Ok(self.reader.groups(from, bytes)?)
    }
}

impl std::fmt::Debug for Follower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follower")
            .field("end", &self.end)
            .field("local", &self.local)
            .finish_non_exhaustive()
    }
}

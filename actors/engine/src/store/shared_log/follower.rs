//! A node that follows a log: it checks the chain of the entries and writes their groups to its own journal.
//!
//! What its journal has already, from before a crash or from a time as the owner, must be what the log has.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::entry::{BadEntry, Content, Entry, EntryId};
use super::{LogError, Place, SharedLog, Stored, position};
use crate::store::disk::Disk;
use crate::store::erasure::list::{self, ErasedRecords};
use crate::store::frontier::Frontier;
use crate::store::portable::{self, JournalWriter, PortableError, split_behind};
use crate::store::reader::JournalReader;
use crate::store::recovery::Tail;
use crate::store::{Position, ReadError, Seq};

/// The end of a log, as a node knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The newest entry; 0: none.
    pub place: Place,
    /// Which entry that is.
    pub id: EntryId,
    /// The claim it belongs to.
    pub epoch: u64,
    /// The last record that the log has.
    pub last: Seq,
}

/// Why a node cannot follow a log.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The log cannot be read now. It may be tried again.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log does not have the entry that is due, but later ones.
    #[error(
        "the log begins at place {oldest}, and this node has followed it up to place {place}: restore the data directory from \
         the archive, then start again"
    )]
    Gap {
        /// The last place that the node has.
        place: Place,
        /// The oldest place that the log has.
        oldest: Place,
    },
    /// An entry does not follow on the one before it.
    #[error(
        "the entry at place {place} does not follow on the one before it: {reason}. The log has lost or changed entries; keep \
         the data directories of all nodes"
    )]
    Forked {
        /// Its place.
        place: Place,
        /// What does not fit.
        reason: String,
    },
    /// An entry cannot be read by this version.
    #[error(
        "the entry at place {place} cannot be read: {reason}; upgrade this node if the owner has a newer version"
    )]
    Unreadable {
        /// Its place.
        place: Place,
        /// Why.
        reason: BadEntry,
    },
    /// The local journal has other records than the log.
    #[error(
        "record {first} and those behind it are not what the log has: this data directory belongs to another history. Keep it, \
         and start this node with an empty one"
    )]
    Diverged {
        /// The first record of the entry that differs.
        first: u64,
    },
    /// The local journal cannot be written.
    #[error(transparent)]
    Journal(#[from] PortableError),
    /// The local journal cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data directory cannot be used.
    #[error("cannot use {file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// The operating system's words.
        reason: String,
    },
}

/// A node that follows a log.
pub struct Follower {
    disk: Arc<dyn Disk>,
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
}

impl Follower {
    /// With the journal on this disk, which ends at `tail` and has segments of about so many bytes.
    ///
    /// # Errors
    /// When the data directory cannot be used.
    pub fn open(disk: Arc<dyn Disk>, tail: &Tail, segment_bytes: u64) -> Result<Self, FollowError> {
        let refused = |error: io::Error| FollowError::Io {
            file: disk.describe(""),
            reason: error.to_string(),
        };
        let end = position::read(disk.as_ref()).map_err(refused)?;
        let erased = list::all(disk.as_ref()).map_err(refused)?;
        let frontier = Frontier::at(tail.position);
        Ok(Self {
            journal: JournalWriter::resume(Arc::clone(&disk), segment_bytes, tail)?,
            reader: JournalReader::new(Arc::clone(&disk), frontier.clone()),
            frontier,
            end: end.unwrap_or_else(End::beginning),
            local: tail.durable,
            compared: None,
            erased,
            released: false,
            disk,
        })
    }

    /// The end of the log, as far as it was followed.
    #[must_use]
    pub fn end(&self) -> &End {
        &self.end
    }

    /// The last record of the local journal.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.journal.last()
    }

    /// Whether the owner has released the log: any node may claim it.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.released || self.end.epoch == 0
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
        let found = log.read(self.end.place, patience)?;
        let count = found.len();
        for stored in found {
            self.take(&stored)?;
        }
        if count == 0 {
            self.check_extent(log)?;
        }
        Ok(count)
    }

    /// A log that shows nothing behind the end has its newest entry there, or nothing yet.
    fn check_extent(&self, log: &mut dyn SharedLog) -> Result<(), FollowError> {
        let (place, newest) = (self.end.place, log.extent()?.map(|extent| extent.newest));
        if newest.unwrap_or_default() >= place {
            return Ok(());
        }
        Err(FollowError::Forked {
            place,
            reason: format!(
                "the newest entry is that of place {}",
                newest.unwrap_or_default()
            ),
        })
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
        if let Content::Batch { first, last } = entry.header.content {
            self.batch(first, last, &entry.groups)?;
            self.end.last = last;
        }
        self.released = matches!(entry.header.content, Content::Release);
        self.end.place = place;
        self.end.epoch = epoch;
        self.end.id = EntryId::of(&stored.bytes);
        Ok(())
    }

    /// The epoch of an entry that follows on the end.
    fn check_chain(&self, entry: &Entry, place: Place) -> Result<u64, FollowError> {
        let header = &entry.header;
        let forked = |reason: String| Err(FollowError::Forked { place, reason });
        if header.place != place {
            return forked(format!("it was made for place {}", header.place));
        }
        if header.before != self.end.id {
            return forked("it was made behind another entry".to_owned());
        }
        let is_claim = matches!(header.content, Content::Claim { .. });
        let due = self.end.epoch.saturating_add(u64::from(is_claim));
        if header.epoch != due {
            return forked(format!("its epoch is {}, not {due}", header.epoch));
        }
        if let Content::Batch { first, .. } = header.content
            && first.0 != self.end.last.0.saturating_add(1)
        {
            return forked(format!("record {} is not due", first.0));
        }
        Ok(due)
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

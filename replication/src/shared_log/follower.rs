//! A node that follows a log: it checks the chain of the entries and writes their groups to its own journal.
//!
//! What its journal has already, from before a crash or from a time as the owner, must be what the log has.

mod checks;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::list::{self, ErasedRecords};
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::identity::FORMAT;
use switchboard_engine::store::portable::{self, JournalWriter, PortableGroups, split_behind};
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::recovery::Tail;
use switchboard_engine::store::verify::FileReport;
use switchboard_engine::store::{Position as JournalPosition, Seq};
use switchboard_engine::time::UnixMillis;

use super::follow_error::FollowError;
use super::log::{SharedLog, Stored};
use super::start_from_archive::start_from_archive;
use crate::chain::check_chain;
use crate::entry::{Claim, Content, Entry, Secret};
use crate::log_end::LogEnd;
use crate::position::Position;
use crate::position_file::PositionFile;

/// The name of the file that says up to where the local journal has a log. It is written behind a sync of the journal, so it
/// never claims what the journal may lose.
pub const FILE: &str = "log-position";

/// That file.
pub(super) const POSITION: PositionFile = PositionFile {
    name: FILE,
    unfinished: "log-position.new",
    heading: "switchboard-log-position 3 ",
    advice: "nothing is lost: the next start of the node compares its journal with the log, and writes the file again",
};

/// The position up to which the journal on this disk has a log; `None`: it has followed none.
///
/// # Errors
/// When the file cannot be read.
pub fn followed(disk: &dyn Disk) -> io::Result<Option<Position>> {
    let end: Option<LogEnd> = POSITION.read(disk)?;
    Ok(end
        .map(|end| end.position)
        .filter(|position| *position > Position(0)))
}

/// Forgets which log the journal on this disk has: it follows another one from its beginning.
///
/// # Errors
/// When the disk refuses.
pub fn forget(disk: &dyn Disk) -> io::Result<()> {
    POSITION.remove(disk)
}

/// Reports what is true of that file; `None`: there is none.
///
/// # Errors
/// When the disk refuses.
pub fn report(disk: &dyn Disk) -> io::Result<Option<FileReport>> {
    let note = |end: LogEnd| format!("up to entry {} of the shared log", end.position);
    POSITION.report(disk, note)
}

/// A node that follows a log.
pub struct Follower {
    disk: Arc<dyn Disk>,
    secret: Secret,
    journal: JournalWriter,
    reader: JournalReader,
    frontier: Frontier,
    end: LogEnd,
    /// The last record that the journal had before it followed.
    local: Seq,
    /// The place of the records that are compared next.
    compared: Option<JournalPosition>,
    /// Records that were erased here need not be what the log has.
    erasures: Vec<ErasedRecords>,
    /// True when the owner has released the log.
    released: bool,
    /// The node that is to begin a log without claims, by order.
    first: Option<String>,
    /// The time of the newest entry, by the clock of its maker; `None`: this process has taken in none.
    time: Option<UnixMillis>,
    /// True when the log is to be asked for its end, should it show nothing behind that of this node.
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
        let io_error = |error: io::Error| FollowError::Io {
            file: disk.describe(""),
            reason: error.to_string(),
        };
        let noted_end: Option<LogEnd> = POSITION.read(disk.as_ref()).map_err(io_error)?;
        // One that was exchanged may name records that the journal does not have.
        let end = noted_end.filter(|end| end.last <= tail.durable);
        let erasures = list::all(disk.as_ref()).map_err(io_error)?;
        let frontier = Frontier::at(tail.position);
        Ok(Self {
            secret: Secret(secret),
            journal: JournalWriter::resume(Arc::clone(&disk), segment_bytes, tail)?,
            reader: JournalReader::new(Arc::clone(&disk), frontier.clone()),
            frontier,
            // Orders are read again: which node may claim the log is in no file.
            end: end.filter(|end| end.epoch > 0).unwrap_or_default(),
            local: tail.durable,
            compared: None,
            erasures,
            released: false,
            first: None,
            time: None,
            unchecked: true,
            disk,
        })
    }

    /// The end of the log, as far as it was followed.
    #[must_use]
    pub fn end(&self) -> &LogEnd {
        &self.end
    }

    /// The time of the newest entry, by the clock of its maker; `None`: this process has taken in none.
    #[must_use]
    pub fn time(&self) -> Option<UnixMillis> {
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

    /// Returns whether the owner has released the log: any node may claim it.
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
        if self.end.position == Position(0) {
            start_from_archive(&mut self.end, self.local, log)?;
        }
        let entries = log.read(self.end.position, patience)?;
        let count = entries.len();
        for entry in entries {
            self.take(&entry)?;
        }
        if count == 0 && self.unchecked {
            self.check_end(log)?;
            self.unchecked = false;
        }
        Ok(count)
    }

    /// The next answer without entries is doubted once: a log may have lost its newest entries, or was trimmed beyond the end.
    pub(super) fn recheck_tail(&mut self) {
        self.unchecked = true;
    }

    fn take(&mut self, stored: &Stored) -> Result<(), FollowError> {
        let position = stored.position;
        if position != self.end.position.next() {
            return Err(FollowError::Gap {
                position: self.end.position,
                oldest: position,
            });
        }
        let entry = stored.decode()?;
        check_chain(&self.end, &entry.header)
            .map_err(|reason| FollowError::Forked { position, reason })?;
        match &entry.header.content {
            Content::Groups { first, .. } => self.groups(*first, &entry)?,
            Content::Claim(claim) => self.check_claim(claim, position)?,
            Content::Begin { node } => self.first = Some(node.clone()),
            Content::Heartbeat | Content::Release => {}
            Content::Lost => {
                let reason = "it stands for an entry that is lost".to_owned();
                return Err(FollowError::Forked { position, reason });
            }
        }
        self.released = entry.header.content == Content::Release;
        self.time = Some(entry.header.time);
        self.end.advance(&entry);
        Ok(())
    }

    /// Refuses the claim of another installation, and that of a newer version.
    fn check_claim(&self, claim: &Claim, position: Position) -> Result<(), FollowError> {
        if claim.secret != Some(self.secret) {
            return Err(FollowError::OtherInstallation { position });
        }
        if claim.format > FORMAT {
            let (owner, format) = (claim.claimant.clone(), claim.format);
            return Err(FollowError::Newer { owner, format });
        }
        Ok(())
    }

    /// Writes groups to the journal, but for those that it has.
    fn groups(&mut self, first: Seq, entry: &Entry) -> Result<(), FollowError> {
        let last = entry.header.last;
        if portable::check(&entry.body, self.end.last)? != last {
            return Err(FollowError::Diverged { first: first.0 });
        }
        let mut rest = entry.body.as_slice();
        if first <= self.local {
            let diverged = || FollowError::Diverged { first: first.0 };
            let upto = last.min(self.local);
            let (own, new) = split_behind(rest, upto).ok_or_else(diverged)?;
            if !self.has(own, upto, entry.replaced.is_some())? {
                return Err(diverged());
            }
            rest = new;
        }
        self.journal.append(rest)?;
        Ok(())
    }

    /// Returns whether the journal has these groups, up to this record. Of what was erased, there or here, only the numbers need be the
    /// same.
    fn has(&mut self, groups: &[u8], upto: Seq, is_replaced: bool) -> Result<bool, FollowError> {
        let from = match (self.compared, self.end.last) {
            (Some(behind), _) => Some(behind),
            (None, Seq(0)) => None,
            (None, last) => self.reader.place_after(last)?,
        };
        let Some(local) = self.reader.groups_through(from, upto)? else {
            return Ok(false);
        };
        self.compared = Some(local.next);
        let may_differ =
            |seq: Seq| is_replaced || self.erasures.iter().any(|list| list.touches(seq, seq));
        Ok(portable::agree(&local.bytes, groups, may_differ))
    }

    /// Puts everything that was taken in on disk, and notes up to where that is.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn sync(&mut self) -> Result<(), FollowError> {
        self.journal.sync()?;
        self.frontier.advance(self.journal.end());
        POSITION
            .write(self.disk.as_ref(), &self.end)
            .map_err(|error| FollowError::Io {
                file: self.disk.describe(FILE),
                reason: error.to_string(),
            })
    }

    /// The groups of the local journal that the log lacks, about as many as an entry may have: it has lost them, or this node
    /// was alone before. `None`: it has all.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(super) fn missing_in_log(
        &self,
        behind: Seq,
        bytes: usize,
    ) -> Result<Option<PortableGroups>, FollowError> {
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

//! Erases records of a store that is closed: what they said is gone from every file, their numbers stay.
//!
//! ```text
//! judge every record ─► rewritten segments, the list of what was erased      (files with names that do not count)
//!                       commit file: which file gets which name              from here on it is done, whatever happens
//!                       names ─► index and tables removed ─► commit file removed
//! ```
//!
//! A segment without an erased record stays as it is. In a rewritten one, all records keep their numbers and their places in
//! their groups; an erased one is a head without a payload. The index, which has copies of what records say, is removed as
//! a whole: the next start makes it again.
//!
//! Of a large journal, most of that can be done beside a store in use ([`prepare`]).
//!
//! Power cuts and kills leave all of it or none: [`settle`], which every opening of the directory begins with, discards
//! what was not committed and completes what was.

mod commit;
mod error;
mod files;
pub mod list;
mod next_disk;
pub mod prepare;
mod rewrite;
mod verdict;

use std::io;
use std::sync::Arc;

use self::commit::Commit;
use self::files::discard;
use self::list::ErasedRecords;
use self::prepare::Prepared;
use self::rewrite::{Changes, rewrite};
use crate::store::disk::Disk;
use crate::store::frontier::Frontier;
use crate::store::index::Index;
use crate::store::reader::JournalReader;
use crate::store::recovery::recover;
use crate::store::segment;
use crate::store::tables::TablesHome;
use crate::store::{Position, ReadError, ReadJournal, Record, Seq};

pub use self::error::ErasureError;
pub(in crate::store) use self::files::{COMMIT, is_prepared};
pub use self::verdict::{Fate, Judging, ListHead, Verdict};

/// The result of [`settle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// No erasure was interrupted.
    Nothing,
    /// One was interrupted before it counted: nothing is erased.
    Discarded,
    /// One was interrupted after it counted, and is complete now.
    Completed,
}

/// Discards or completes an erasure that was interrupted. To be called before anything else is done with a directory that
/// no process uses. May itself be interrupted anywhere.
///
/// # Errors
/// When the operating system refuses, or the commit file is damaged.
pub fn settle(disk: &dyn Disk, tables: &dyn TablesHome) -> Result<Settled, ErasureError> {
    if complete(disk, tables)? {
        return Ok(Settled::Completed);
    }
    Ok(if discard(disk, tables)? {
        Settled::Discarded
    } else {
        Settled::Nothing
    })
}

/// Completes an erasure that counts and was interrupted, as [`settle`] does, and touches nothing else; whether there was
/// one.
///
/// # Errors
/// As of [`settle`].
pub fn complete(disk: &dyn Disk, tables: &dyn TablesHome) -> Result<bool, ErasureError> {
    let names = disk
        .names()
        .map_err(|error| ErasureError::io(disk, COMMIT, &error))?;
    let Some(commit) = Commit::read(disk, &names)? else {
        return Ok(false);
    };
    commit.complete(disk, tables)?;
    Ok(true)
}

/// A store that no process uses: all of it can be read, and records of it can be erased.
pub struct ClosedStore {
    disk: Arc<dyn Disk>,
    tables: Arc<dyn TablesHome>,
    journal: JournalReader,
    last: Seq,
    /// The part that was prepared while it was in use.
    prepared: Option<Prepared>,
}

impl ClosedStore {
    /// Settles what was interrupted and finds the end of the journal. The caller ensures that no other process uses
    /// the directory meanwhile.
    ///
    /// # Errors
    /// When the directory cannot be used.
    pub fn open(disk: Arc<dyn Disk>, tables: Arc<dyn TablesHome>) -> Result<Self, ErasureError> {
        settle(disk.as_ref(), tables.as_ref())?;
        Self::open_as_it_is(disk, tables, None)
    }

    /// As [`Self::open`], of a store for which this was prepared. Since then, no other opening of the directory may have
    /// settled it.
    ///
    /// # Errors
    /// As of [`Self::open`].
    pub fn open_prepared(
        disk: Arc<dyn Disk>,
        tables: Arc<dyn TablesHome>,
        prepared: Prepared,
    ) -> Result<Self, ErasureError> {
        Self::open_as_it_is(disk, tables, Some(prepared))
    }

    fn open_as_it_is(
        disk: Arc<dyn Disk>,
        tables: Arc<dyn TablesHome>,
        prepared: Option<Prepared>,
    ) -> Result<Self, ErasureError> {
        let bounds = Index::known(disk.as_ref())
            .map_err(|error| ErasureError::io(disk.as_ref(), "the index", &error))?;
        let tail = recover(disk.as_ref(), bounds)?;
        let journal = JournalReader::new(Arc::clone(&disk), Frontier::at(tail.position));
        Ok(Self {
            disk,
            tables,
            journal,
            last: tail.durable,
            prepared,
        })
    }

    /// The number of the last record, which may be erased.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.last
    }

    /// All records that are not erased, in order.
    pub fn records(&self) -> impl Iterator<Item = Result<Record, ReadError>> + '_ {
        self.journal.scan(None).map(|found| Ok(found?.1))
    }

    /// Those of them that were not judged when the erasure was prepared.
    pub fn unprepared_records(&self) -> impl Iterator<Item = Result<Record, ReadError>> + '_ {
        let from = self
            .prepared
            .as_ref()
            .map(|prepared| Position::first_of(prepared.upto.saturating_add(1)));
        self.journal.scan(from).map(|found| Ok(found?.1))
    }

    /// Returns the earlier erasures, by number.
    ///
    /// # Errors
    /// When a list cannot be read.
    pub fn erasures(&self) -> io::Result<Vec<ErasedRecords>> {
        list::all(self.disk.as_ref())
    }

    /// Judges all records that are not erased and were not judged before, in order, and does to them what the verdict says:
    /// to all of them or, after an error, to none. The list of what was done is kept under the number, with the note, until
    /// [`list::finish`] and after it. Nothing is written when every record stays.
    ///
    /// # Errors
    /// When the journal cannot be read, or the operating system refuses.
    pub fn erase(
        self,
        head: ListHead,
        judge: &mut dyn FnMut(&Record) -> Verdict,
    ) -> Result<ErasedRecords, ErasureError> {
        let number = head.number;
        let mut fate = |record: &Record| Some(judge(record).into());
        let mut lists = self.erase_together(vec![head], &mut fate)?;
        Ok(lists
            .pop()
            .unwrap_or_else(|| ErasedRecords::nothing(number)))
    }

    /// As [`Self::erase`], for a group of erasures: in one pass, with one commit for all of them, and a list for each.
    ///
    /// # Errors
    /// As of [`Self::erase`], and when the judge gives up.
    pub fn erase_together(
        mut self,
        heads: Vec<ListHead>,
        judge: Judging<'_>,
    ) -> Result<Vec<ErasedRecords>, ErasureError> {
        let prepared = self.prepared.take();
        let (disk, tables) = (self.disk.as_ref(), self.tables.as_ref());
        let (error, lists) = match self.prepare(prepared, heads, judge) {
            Ok((None, lists)) => return Ok(lists),
            Ok((Some(commit), lists)) => match commit.publish(disk) {
                Ok(()) => {
                    commit.complete(disk, tables)?;
                    return Ok(lists);
                }
                // It may count in spite of that.
                Err(error) => (error, Some(lists)),
            },
            Err(error) => (error, None),
        };
        // What cannot be settled now, the next start settles.
        match (settle(disk, tables), lists) {
            (Ok(Settled::Completed), Some(lists)) => Ok(lists),
            (Ok(_) | Err(_), _) => Err(error),
        }
    }

    /// Everything but the commit file; `None` when nothing is to be done.
    fn prepare(
        &self,
        prepared: Option<Prepared>,
        heads: Vec<ListHead>,
        judge: Judging<'_>,
    ) -> Result<(Option<Commit>, Vec<ErasedRecords>), ErasureError> {
        let disk = self.disk.as_ref();
        let io_error = |error: io::Error| ErasureError::io(disk, "the journal", &error);
        let mut commit = Commit::default();
        let (mut changes, mut upto) = <(Changes, u32)>::default();
        if let Some(prepared) = prepared {
            (changes, upto) = (prepared.changes, prepared.upto);
            commit.place_prepared(disk).map_err(io_error)?;
        }
        for segment in segment::list(disk).map_err(io_error)? {
            if segment > upto && rewrite(disk, segment, judge, &mut changes)? {
                commit.rename(segment::unfinished_name(segment), segment::name(segment));
            }
        }
        let lists = changes.into_lists(heads);
        let changes = || lists.iter().filter(|list| !list.is_empty());
        if changes().next().is_none() {
            return Ok((None, lists));
        }
        for list in changes() {
            let (from, to) = list.prepare(disk)?;
            commit.rename(from, to);
        }
        Ok((Some(commit), lists))
    }
}

impl std::fmt::Debug for ClosedStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClosedStore")
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}

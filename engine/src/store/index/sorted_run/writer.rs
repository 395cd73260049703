//! Writes a sorted run: under a temporary name first, so that a half-written one never has the name of a run.

use std::io;
use std::sync::Arc;

use super::block::{BlockBuilder, RunEntry};
use super::block_index::BlockIndex;
use super::bloom_filter::BloomFilter;
use super::footer::Footer;
use super::id::{Family, RunId, RunNumbers};
use super::{SortedRun, fingerprint};
use crate::store::Seq;
use crate::store::disk::{self, Disk, DiskFile};
use crate::store::identity::content::InstallationTag;
use crate::store::index::error::IndexError;
use crate::store::index::throttle::BackgroundThrottle;
use crate::store::schema::Prefixes;
use crate::store::width::wide;

/// The bytes gathered before they are written.
const WRITE_BYTES: usize = 256 * 1024;
/// The bytes written between two syncs: a sync of hundreds of megabytes would delay the journal's.
const SYNC_BYTES: u64 = 8 * 1024 * 1024;
/// So many entries are a small piece of work.
const PIECE: u64 = 64;

/// The parts that are needed to write runs.
#[derive(Clone, Copy)]
pub(crate) struct RunTarget<'a> {
    pub(crate) installation: InstallationTag,
    pub(crate) disk: &'a dyn Disk,
    pub(crate) prefixes: &'a Prefixes,
    pub(crate) numbers: &'a RunNumbers,
}

/// A sorted run that is being written.
pub(crate) struct SortedRunWriter<'a, 'b> {
    disk: &'a dyn Disk,
    known: &'a Prefixes,
    throttle: &'a mut BackgroundThrottle<'b>,
    file: Arc<dyn DiskFile>,
    footer: Footer,
    /// The prefix of the last key that had one.
    prefix: Vec<u8>,
    filter: BloomFilter,
    index: BlockIndex,
    block: BlockBuilder,
    pending: Vec<u8>,
    unsynced: u64,
}

impl<'a, 'b> SortedRunWriter<'a, 'b> {
    /// Begins a run that has nothing of records behind `last`; its bloom filter is large enough for `expected` keys and
    /// prefixes.
    pub(crate) fn create(
        target: RunTarget<'a>,
        family: Family,
        last: Seq,
        expected: u64,
        throttle: &'a mut BackgroundThrottle<'b>,
    ) -> Result<Self, IndexError> {
        let number = target.numbers.next();
        let id = RunId {
            family,
            number,
            last,
        };
        let begin = || {
            let file = target.disk.open(&passing_name(id))?;
            file.truncate(0)?;
            Ok(file)
        };
        Ok(Self {
            disk: target.disk,
            known: target.prefixes,
            throttle,
            file: begin().map_err(|error| id.failure(&error))?,
            footer: Footer {
                id,
                installation: target.installation,
                ..Footer::default()
            },
            prefix: Vec::new(),
            filter: BloomFilter::for_keys(expected),
            index: BlockIndex::default(),
            block: BlockBuilder::default(),
            pending: Vec::with_capacity(WRITE_BYTES),
            unsynced: 0,
        })
    }

    /// Adds an entry; the keys must come in order, each once.
    pub(crate) fn push(&mut self, key: &[u8], entry: RunEntry<'_>) -> Result<(), IndexError> {
        let pushed = self.try_push(key, entry);
        pushed.map_err(|error| self.footer.id.failure(&error))
    }

    /// Completes the run, makes it durable under its own name and opens it.
    pub(crate) fn finish(self) -> Result<Arc<SortedRun>, IndexError> {
        let id = self.footer.id;
        let run = self.try_finish().map_err(|error| id.failure(&error))?;
        Ok(Arc::new(run))
    }

    fn try_push(&mut self, key: &[u8], entry: RunEntry<'_>) -> io::Result<()> {
        let too_long = || io::Error::other("an entry is too long for a sorted run");
        if !self.block.has_room_for(key, entry) {
            self.close_block()?;
        }
        if self.block.is_empty() {
            let offset = self
                .footer
                .blocks_bytes
                .saturating_add(wide(self.pending.len()));
            self.index.push(key, offset).ok_or_else(too_long)?;
        }
        self.block.push(key, entry).ok_or_else(too_long)?;
        let footer = &mut self.footer;
        self.filter.insert(fingerprint(footer.id.family, key));
        if footer.id.family == Family::Rows
            && let Some(prefix) = self.known.prefix(key)
            && prefix != self.prefix
        {
            self.filter.insert(fingerprint(Family::Rows, prefix));
            footer.prefixes = footer.prefixes.saturating_add(1);
            prefix.clone_into(&mut self.prefix);
        }
        footer.entries = footer.entries.saturating_add(1);
        let tombstone = u64::from(entry.value.is_none());
        footer.tombstones = footer.tombstones.saturating_add(tombstone);
        if footer.entries.is_multiple_of(PIECE) {
            self.throttle.pause();
        }
        Ok(())
    }

    fn try_finish(mut self) -> io::Result<SortedRun> {
        if !self.block.is_empty() {
            self.close_block()?;
        }
        self.write_pending()?;
        let (filter, index) = (self.filter.bytes(), self.index.bytes());
        let mut footer = self.footer;
        footer.filter_bytes = wide(filter.len());
        footer.filter_crc = crc32fast::hash(&filter);
        footer.index_bytes = wide(index.len());
        footer.index_crc = crc32fast::hash(&index);
        self.file.write_at(footer.blocks_bytes, &filter)?;
        self.file.write_at(footer.index_offset(), &index)?;
        self.file.write_at(footer.offset(), &footer.encode())?;
        let passing = passing_name(footer.id);
        disk::publish(self.disk, &*self.file, &passing, &footer.id.name())?;
        SortedRun::open(self.disk, footer.id, footer.installation)
    }

    fn close_block(&mut self) -> io::Result<()> {
        self.block.seal_into(&mut self.pending);
        if self.pending.len() >= WRITE_BYTES {
            self.write_pending()?;
        }
        Ok(())
    }

    fn write_pending(&mut self) -> io::Result<()> {
        let offset = self.footer.blocks_bytes;
        self.file.write_at(offset, &self.pending)?;
        let length = wide(self.pending.len());
        self.pending.clear();
        self.footer.blocks_bytes = offset.saturating_add(length);
        self.unsynced = self.unsynced.saturating_add(length);
        if self.unsynced >= SYNC_BYTES {
            self.file.sync()?;
            self.unsynced = 0;
        }
        Ok(())
    }
}

fn passing_name(id: RunId) -> String {
    format!("{}.new", id.name())
}

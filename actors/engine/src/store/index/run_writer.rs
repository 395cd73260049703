//! Writes a run: under a passing name first, so that a half-written one never has the name of a run.

use std::io;
use std::sync::Arc;

use super::bloom::Bloom;
use super::run::{self, BLOCK_BYTES, ENTRIES_PER_BLOCK, Entry, Plate, Run};
use crate::store::Seq;
use crate::store::disk::{Disk, DiskFile};

/// How much is gathered before it is written.
const WRITE_BYTES: usize = 1024 * 1024;

/// A run that is being written.
pub(super) struct RunWriter<'a> {
    disk: &'a dyn Disk,
    file: Arc<dyn DiskFile>,
    passing_name: String,
    plate: Plate,
    bloom: Bloom,
    fences: Vec<u8>,
    block: Vec<u8>,
    pending: Vec<u8>,
    written: u64,
}

impl<'a> RunWriter<'a> {
    /// Begins the run of these records, for at most `expected` entries.
    pub(super) fn create(
        disk: &'a dyn Disk,
        first: Seq,
        last: Seq,
        expected: u64,
    ) -> io::Result<Self> {
        let passing_name = format!("{}.new", run::file_name(first, last));
        let file = disk.open(&passing_name)?;
        file.truncate(0)?;
        Ok(Self {
            disk,
            file,
            passing_name,
            plate: Plate {
                first,
                last,
                entries: 0,
                bloom_bytes: 0,
                bloom_crc: 0,
                fences_crc: 0,
            },
            bloom: Bloom::for_keys(expected),
            fences: Vec::new(),
            block: Vec::with_capacity(BLOCK_BYTES),
            pending: Vec::with_capacity(WRITE_BYTES.saturating_add(BLOCK_BYTES)),
            written: run::block_offset(0),
        })
    }

    /// Adds an entry; the keys must come in order, each once.
    pub(super) fn push(&mut self, entry: &Entry) -> io::Result<()> {
        if self.block.is_empty() {
            self.fences.extend(entry.0.0.to_be_bytes());
        }
        self.bloom.insert(entry.0);
        self.block.extend(run::encode(entry));
        self.plate.entries = self.plate.entries.saturating_add(1);
        let per_block = run::number(ENTRIES_PER_BLOCK);
        if self.plate.entries.is_multiple_of(per_block) {
            self.close_block()?;
        }
        Ok(())
    }

    /// Completes the run, makes it durable under its own name and opens it.
    pub(super) fn finish(mut self) -> io::Result<Run> {
        if !self.block.is_empty() {
            self.close_block()?;
        }
        let bloom = self.bloom.bytes();
        self.plate.bloom_bytes = run::number(bloom.len());
        self.plate.bloom_crc = crc32fast::hash(&bloom);
        self.plate.fences_crc = crc32fast::hash(&self.fences);
        self.write_pending()?;
        self.append(&bloom)?;
        let fences = std::mem::take(&mut self.fences);
        self.append(&fences)?;
        self.file.write_at(0, &self.plate.encode())?;
        self.file.sync()?;
        let Plate { first, last, .. } = self.plate;
        let name = run::file_name(first, last);
        self.disk.rename(&self.passing_name, &name)?;
        self.disk.sync_names()?;
        Run::open(self.disk, first, last)
    }

    fn close_block(&mut self) -> io::Result<()> {
        run::seal(&mut self.block);
        self.pending.append(&mut self.block);
        if self.pending.len() >= WRITE_BYTES {
            self.write_pending()?;
        }
        Ok(())
    }

    fn write_pending(&mut self) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        self.append(&pending)?;
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_at(self.written, bytes)?;
        self.written = self.written.saturating_add(run::number(bytes.len()));
        Ok(())
    }
}

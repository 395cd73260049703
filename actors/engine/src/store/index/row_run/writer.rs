//! Writes a row run: under a passing name first, so that a half-written one never has the name of a run.

use std::io;
use std::sync::Arc;

use super::block::{Filling, Said};
use super::fences::Fences;
use super::{PLATE_BYTES_RESERVED, Plate, RowRun, file_name, fingerprint};
use crate::store::disk::{Disk, DiskFile};
use crate::store::index::bloom::Bloom;
use crate::store::index::run::number as wide;
use crate::store::schema::Prefixes;

/// How much is gathered before it is written.
const WRITE_BYTES: usize = 256 * 1024;
/// How much is written before it is synced: a sync of hundreds of megabytes would keep the journal's waiting.
const SYNC_BYTES: u64 = 8 * 1024 * 1024;

/// A row run that is being written.
pub(crate) struct RowRunWriter<'a> {
    disk: &'a dyn Disk,
    known: &'a Prefixes,
    file: Arc<dyn DiskFile>,
    passing_name: String,
    number: u64,
    rows: u64,
    gone: u64,
    prefixes: u64,
    /// The prefix of the last row that had one.
    prefix: Vec<u8>,
    bloom: Bloom,
    fences: Fences,
    block: Filling,
    pending: Vec<u8>,
    written: u64,
    unsynced: u64,
}

impl<'a> RowRunWriter<'a> {
    /// Begins the run with this number; its filter is large enough for `expected` keys and prefixes.
    pub(crate) fn create(
        disk: &'a dyn Disk,
        prefixes: &'a Prefixes,
        number: u64,
        expected: u64,
    ) -> io::Result<Self> {
        let passing_name = format!("{}.new", file_name(number));
        let file = disk.open(&passing_name)?;
        file.truncate(0)?;
        Ok(Self {
            disk,
            known: prefixes,
            file,
            passing_name,
            number,
            rows: 0,
            gone: 0,
            prefixes: 0,
            prefix: Vec::new(),
            bloom: Bloom::for_keys(expected),
            fences: Fences::default(),
            block: Filling::default(),
            pending: Vec::with_capacity(WRITE_BYTES),
            written: PLATE_BYTES_RESERVED,
            unsynced: 0,
        })
    }

    /// Adds what is said of a row; the keys must come in order, each once.
    pub(crate) fn push(&mut self, key: &[u8], said: Said<'_>) -> io::Result<()> {
        let too_long = || io::Error::other("a row is too long for a file of rows");
        if self.block.is_empty() {
            let offset = self.written.saturating_add(wide(self.pending.len()));
            self.fences.push(key, offset).ok_or_else(too_long)?;
        }
        self.block.push(key, said).ok_or_else(too_long)?;
        self.bloom.insert(fingerprint(key));
        if let Some(prefix) = self.known.prefix(key)
            && prefix != self.prefix
        {
            self.bloom.insert(fingerprint(prefix));
            self.prefixes = self.prefixes.saturating_add(1);
            prefix.clone_into(&mut self.prefix);
        }
        self.rows = self.rows.saturating_add(1);
        self.gone = self.gone.saturating_add(u64::from(said.value.is_none()));
        if self.block.is_full() {
            self.close_block()?;
        }
        Ok(())
    }

    /// Completes the run, makes it durable under its own name and opens it.
    pub(crate) fn finish(mut self) -> io::Result<RowRun> {
        if !self.block.is_empty() {
            self.close_block()?;
        }
        self.write_pending()?;
        let blocks_end = self.written;
        let (bloom, fences) = (self.bloom.bytes(), self.fences.bytes());
        self.append(&bloom)?;
        self.append(&fences)?;
        let plate = Plate {
            number: self.number,
            rows: self.rows,
            gone: self.gone,
            prefixes: self.prefixes,
            blocks_end,
            bloom_bytes: wide(bloom.len()),
            fences_bytes: wide(fences.len()),
            bloom_crc: crc32fast::hash(&bloom),
            fences_crc: crc32fast::hash(&fences),
        };
        self.file.write_at(0, &plate.encode())?;
        self.file.sync()?;
        self.disk
            .rename(&self.passing_name, &file_name(self.number))?;
        self.disk.sync_names()?;
        RowRun::open(self.disk, self.number)
    }

    fn close_block(&mut self) -> io::Result<()> {
        self.block.seal_into(&mut self.pending);
        if self.pending.len() >= WRITE_BYTES {
            self.write_pending()?;
        }
        Ok(())
    }

    fn write_pending(&mut self) -> io::Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        self.append(&pending)?;
        pending.clear();
        self.pending = pending;
        if self.unsynced >= SYNC_BYTES {
            self.file.sync()?;
            self.unsynced = 0;
        }
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_at(self.written, bytes)?;
        let length = wide(bytes.len());
        self.written = self.written.saturating_add(length);
        self.unsynced = self.unsynced.saturating_add(length);
        Ok(())
    }
}

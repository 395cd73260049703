//! The index as it is, over a journal that only counts.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use bytes::Bytes;
use switchboard_engine::entries::{IndexEntries, Key};
use switchboard_engine::state::State;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::index::Index;
use switchboard_engine::store::index::config::{Checkpoints, IndexConfig, OpenedIndex};
use switchboard_engine::store::index::sink::Indexing;
use switchboard_engine::store::schema::Schema;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::store::{
    Batch, CommitSink, Committed, Position, ReadError, ReadJournal, Record, Seq,
};
use switchboard_engine::table::Table;

use crate::shape::{Quiet, tables};
use crate::sides::Stored;

/// A journal of so many records that say nothing.
#[derive(Debug, Default)]
struct Counting(AtomicU64);

impl Counting {
    fn record(seq: u64) -> Record {
        Record {
            seq: Seq(seq),
            stream: Quiet::stream(&0),
            event: Bytes::from_static(b"null"),
            blob: Bytes::new(),
        }
    }
}

impl ReadJournal for Counting {
    fn read(&self, position: Position) -> Result<Record, ReadError> {
        let seq = u64::from(position.offset);
        if seq == 0 || seq > self.0.load(Ordering::Acquire) {
            return Err(ReadError::Closed);
        }
        Ok(Self::record(seq))
    }

    fn scan(
        &self,
        from: Option<Position>,
    ) -> Box<dyn Iterator<Item = Result<(Position, Record), ReadError>> + '_> {
        let first = from.map_or(1, |from| from.offset);
        let last = u32::try_from(self.0.load(Ordering::Acquire)).unwrap_or(u32::MAX);
        let seqs = first..=last;
        Box::new(seqs.map(|seq| Ok((position(seq), Self::record(u64::from(seq))))))
    }
}

fn position(seq: u32) -> Position {
    Position {
        segment: 1,
        offset: seq,
    }
}

/// The index with its own files.
pub struct Runs {
    journal: Arc<Counting>,
    index: Index,
    sink: Indexing<()>,
}

impl Runs {
    pub fn open(home: &Path, records: u64) -> Result<Self> {
        let disk = Arc::new(FileDisk::open(home.join("files"))?);
        let rest = Arc::new(SledHome::new(home.join("tables")));
        let schema = Schema::new(tables::ALL).with::<Quiet>();
        let mut config = IndexConfig::new(disk, rest, schema);
        config.checkpoint_records = u64::MAX;
        config.checkpoints = Checkpoints::Inline;
        let journal = Arc::new(Counting(AtomicU64::new(records)));
        let read: Arc<dyn ReadJournal> = Arc::<Counting>::clone(&journal);
        let (index, report) = Index::open(&config, &read)?;
        if let OpenedIndex::Rebuilt { reason, .. } = report.opened {
            bail!("damage was noticed: {reason}");
        }
        Ok(Self {
            journal,
            sink: Indexing::new(index.clone()),
            index,
        })
    }
}

impl Stored for Runs {
    fn take(&mut self, entries: IndexEntries) {
        let seq = self.journal.0.load(Ordering::Acquire).saturating_add(1);
        let record = Committed {
            seq: Seq(seq),
            position: position(u32::try_from(seq).unwrap_or(u32::MAX)),
            stream: Quiet::stream(&0),
            entries,
        };
        self.journal.0.store(seq, Ordering::Release);
        self.sink.committed(Batch {
            records: vec![record],
            notices: Vec::new(),
        });
    }

    fn checkpoint(&mut self) -> Result<()> {
        self.index.checkpoint_now().context("a checkpoint failed")
    }

    fn key(&self, key: Key) -> Result<Option<u64>> {
        let position = self.index.find(key)?;
        Ok(position.map(|position| u64::from(position.offset)))
    }

    fn row(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.index.row(table, key)?)
    }

    fn first(&self, table: Table, limit: usize) -> Result<Vec<Vec<u8>>> {
        let rows = self
            .index
            .scan(table, &KeyRange::all(), ScanOrder::Ascending, limit)?;
        Ok(rows.into_iter().map(|(key, _)| key).collect())
    }
}

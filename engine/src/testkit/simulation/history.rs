//! The history on a disk: to look at, or to change, which a test has to notice.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use serde_json::Value;

use super::machine::DiskContent;
use super::tables::SimTables;
use crate::entries::IndexEntries;
use crate::store::committer::Journal;
use crate::store::committer::config::{JournalConfig, Threading};
use crate::store::disk::Disk;
use crate::store::disk::faulty::FaultyDisk;
use crate::store::frontier::Frontier;
use crate::store::reader::JournalReader;
use crate::store::recovery::{RecoveryBounds, recover};
use crate::store::{Batch, CommitSink, Epoch, NewRecord, ReadJournal, Record, RecordGroup};

/// A sink that ignores all changes.
#[derive(Debug)]
struct Silence;

impl CommitSink for Silence {
    fn committed(&self, _: Batch) {}
}

/// A record with its event in a form that can be changed.
#[derive(Clone, Debug)]
pub struct Page {
    /// The record.
    pub record: Record,
    /// Its event.
    pub event: Value,
}

/// All records on the disk, in their order.
///
/// # Panics
/// When they cannot be read.
#[must_use]
pub fn read(disk: &FaultyDisk) -> Vec<Page> {
    let disk: Arc<dyn Disk> = Arc::new(disk.copy());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let reader = JournalReader::new(disk, Frontier::at(tail.position));
    let records = reader.scan(None).map(|found| found.unwrap().1);
    let pages = records.map(|record| Page {
        event: serde_json::from_slice(&record.event).unwrap(),
        record,
    });
    pages.collect()
}

/// The same store with another past: its journal is written anew, and its index is left to be rebuilt.
///
/// # Panics
/// When it cannot be written.
#[must_use]
pub fn rewritten(before: &DiskContent, pages: &[Page]) -> DiskContent {
    let after = before.disk.copy();
    for name in after.names().unwrap() {
        if name != "identity" {
            after.remove(&name).unwrap();
        }
    }
    let disk: Arc<dyn Disk> = Arc::new(after.clone());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let config = JournalConfig {
        threading: Threading::Inline,
        ..JournalConfig::default()
    };
    let frontier = Frontier::at(tail.position);
    let journal = Journal::open(disk, &tail, frontier, config, Arc::new(Silence)).unwrap();
    for page in pages {
        let record = NewRecord {
            stream: page.record.stream.clone(),
            event: serde_json::to_vec(&page.event).unwrap(),
            blob: page.record.blob.clone(),
            entries: IndexEntries::default(),
        };
        let group = RecordGroup {
            records: vec![record],
            notices: Vec::new(),
        };
        journal.submit(Epoch(0), group).unwrap();
    }
    journal.close();
    DiskContent {
        disk: after.copy(),
        tables: SimTables::default(),
    }
}

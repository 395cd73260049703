//! Shared parts of the journal's tests: groups that can be distinguished, and a journal on a disk that fails.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;

use crate::entries::IndexEntries;
use crate::store::committer::config::{JournalConfig, Threading};
use crate::store::committer::{FatalError, Journal, NotStoredError, SubmitError, Submitted};
use crate::store::disk::Disk;
use crate::store::frontier::Frontier;
use crate::store::lock::lock;
use crate::store::reader::JournalReader;
use crate::store::recovery::error::JournalOpenError;
use crate::store::recovery::{RecoveryBounds, recover};
use crate::store::width::wide;
use crate::store::{Batch, CommitSink, NewRecord, ReadJournal, RecordGroup, Seq};
use crate::stream::StreamKey;

/// Kinds of states for tests.
pub(crate) mod kinds {
    crate::kinds! { pub(crate) const;
        /// A person who talks, listed by the time of the last talk.
        TALK: 4, "Talk", Often;
        /// A counter.
        COUNTER: 5, "Counter", Seldom;
    }
}

/// Tables for tests.
pub(crate) mod tables {
    crate::tables! { pub(crate) const;
        /// Talks, the last one first.
        ACTIVITY: 2, "activity", Often;
        /// Counters by their total.
        TOTALS: 3, "totals", Often;
        /// Anything else that often changes.
        PAIRS: 5, "pairs", Often;
        /// A waiter: a place of two parts, and a number in it.
        WAITING: 6, "waiting", Often, asked by place;
        /// Anything that seldom changes.
        NAMES: 7, "names", Seldom;
        /// Another such table.
        LOG: 8, "log", Seldom;
    }

    /// The place in the key of a row that waits: a text of up to 255 bytes, and an id twice as long as a UUID.
    fn place(key: &[u8]) -> Option<&[u8]> {
        key.get(..usize::from(*key.first()?) + 33)
    }
}

/// A sink that keeps what it hears.
#[derive(Debug, Default)]
pub(crate) struct BatchLog(pub(crate) Mutex<Vec<Batch>>);

impl CommitSink for BatchLog {
    fn committed(&self, batch: Batch) {
        lock(&self.0).push(batch);
    }
}

/// The group with this number: `count` records of about `bytes` bytes that say where they belong.
pub(crate) fn group(number: u64, count: usize, bytes: usize) -> RecordGroup {
    let records = (1..=count).map(|index| NewRecord {
        stream: StreamKey::new(kinds::TALK, &number.to_le_bytes()),
        event: format!("{number}:{index}/{count}").into_bytes(),
        blob: Bytes::from(vec![u8::try_from(number % 251).unwrap(); bytes]),
        entries: IndexEntries::default(),
    });
    RecordGroup {
        records: records.collect(),
        notices: Vec::new(),
    }
}

/// Settings for an inline journal that asks for space every time.
pub(crate) fn inline(segment_bytes: u32) -> JournalConfig {
    JournalConfig {
        segment_bytes,
        prepare_bytes: 0,
        low_water_bytes: 0,
        space_check_every: Duration::ZERO,
        threading: Threading::Inline,
        ..JournalConfig::default()
    }
}

/// A journal with what it reported.
pub(crate) struct Opened {
    pub(crate) journal: Journal,
    pub(crate) sink: Arc<BatchLog>,
    pub(crate) fatal: Arc<Mutex<Vec<FatalError>>>,
}

/// Recovers the journal on the disk and goes on writing it.
pub(crate) fn open(
    disk: &dyn DiskClone,
    mut config: JournalConfig,
) -> Result<Opened, JournalOpenError> {
    let disk = disk.arc();
    let tail = recover(&*disk, RecoveryBounds::default())?;
    let fatal = Arc::<Mutex<Vec<FatalError>>>::default();
    let fatal_errors = Arc::clone(&fatal);
    config.on_fatal = Arc::new(move |error| lock(&fatal_errors).push(error.clone()));
    let sink = Arc::<BatchLog>::default();
    let frontier = Frontier::at(tail.position);
    let journal = Journal::open(disk, &tail, frontier, config, Arc::<BatchLog>::clone(&sink))?;
    Ok(Opened {
        journal,
        sink,
        fatal,
    })
}

/// A disk of which another handle can be had.
pub(crate) trait DiskClone {
    fn arc(&self) -> Arc<dyn Disk>;
}

impl<D: Disk + Clone> DiskClone for D {
    fn arc(&self) -> Arc<dyn Disk> {
        Arc::new(self.clone())
    }
}

impl Opened {
    /// Submits in the present epoch.
    pub(crate) fn submit(&self, group: RecordGroup) -> Result<Submitted, SubmitError> {
        self.journal.submit(self.journal.epoch(), group)
    }

    /// Returns the outcome of a group by now; `None`: nothing yet.
    pub(crate) fn outcome(&self, submitted: Submitted) -> Option<Result<(), NotStoredError>> {
        self.journal
            .durable(submitted.last, submitted.epoch)
            .now_or_never()
    }
}

/// The events of all records on the disk, in order; their numbers must have no gap.
pub(crate) fn events(disk: &dyn DiskClone) -> Result<Vec<String>, String> {
    let disk = disk.arc();
    let tail = recover(&*disk, RecoveryBounds::default()).map_err(|error| error.to_string())?;
    let reader = JournalReader::new(disk, Frontier::at(tail.position));
    let mut events = Vec::new();
    for (index, found) in reader.scan(None).enumerate() {
        let (position, record) = found.map_err(|error| error.to_string())?;
        assert_eq!(record.seq, Seq(wide(index) + 1));
        assert_eq!(reader.read(position).as_ref(), Ok(&record));
        events.push(String::from_utf8(record.event.to_vec()).unwrap());
    }
    assert_eq!(tail.next_seq, Seq(wide(events.len()) + 1));
    Ok(events)
}

/// The events of a group.
pub(crate) fn events_of(group: &RecordGroup) -> Vec<String> {
    let events = group.records.iter();
    events
        .map(|record| String::from_utf8(record.event.clone()).unwrap())
        .collect()
}

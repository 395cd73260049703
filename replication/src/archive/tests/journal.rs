//! A journal on a disk, with groups that say which ones they are.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::store::committer::Journal;
use switchboard_engine::store::committer::config::{JournalConfig, Threading};
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::erasure::list;
use switchboard_engine::store::erasure::{ClosedStore, ListHead, Verdict};
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::identity::Identity;
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::recovery::{RecoveryBounds, recover};
use switchboard_engine::store::tables::memory::MemoryHome;
use switchboard_engine::store::{
    Batch, CommitSink, NewRecord, ReadJournal as _, Record, RecordGroup,
};
use switchboard_engine::stream::StreamKey;
use tempfile::TempDir;

use super::no_files::NoFiles;
use crate::archive::source::Source;
use crate::files::JournalFiles;

switchboard_engine::kinds! { const;
    /// A stream for tests.
    STREAM: 1, "Stream", Seldom;
}

#[derive(Debug)]
struct Deaf;

impl CommitSink for Deaf {
    fn committed(&self, _: Batch) {}
}

/// The journal; each write opens it, and each reader sees what was written before.
pub(super) struct TestJournal {
    path: PathBuf,
    secret: [u8; 16],
    frontier: Frontier,
    _folder: Option<TempDir>,
}

/// The end of the journal in a directory.
fn frontier(path: &Path) -> Frontier {
    let disk = FileDisk::open(path).unwrap();
    let tail = recover(&disk, RecoveryBounds::default()).unwrap();
    Frontier::at(tail.position)
}

impl TestJournal {
    pub(super) fn new() -> Self {
        Self::with([1; 16])
    }

    pub(super) fn of_another_installation() -> Self {
        Self::with([2; 16])
    }

    fn with(secret: [u8; 16]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let identity = Identity::new(secret).encode();
        fs::write(folder.path().join("identity"), identity).unwrap();
        Self {
            path: folder.path().to_owned(),
            secret,
            frontier: frontier(folder.path()),
            _folder: Some(folder),
        }
    }

    /// The journal in a directory that was restored.
    pub(super) fn at(path: &Path) -> Self {
        let identity = fs::read(path.join("identity")).unwrap();
        assert_eq!(Identity::decode(&identity), Ok(Identity::new([1; 16])));
        Self {
            path: path.to_owned(),
            secret: [1; 16],
            frontier: frontier(path),
            _folder: None,
        }
    }

    /// A copy of the journal as it is.
    pub(super) fn copy(&self) -> Self {
        let mut copy = Self::with(self.secret);
        for file in fs::read_dir(&self.path).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), copy.path.join(file.file_name())).unwrap();
        }
        copy.frontier = frontier(&copy.path);
        copy
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn source(&self) -> Source {
        let disk = Arc::new(FileDisk::open(&self.path).unwrap());
        let erasures = list::all(&*disk).unwrap();
        let (frontier, identity) = (self.frontier.clone(), Identity::new(self.secret).encode());
        let files = JournalFiles {
            layout: Arc::new(NoFiles),
            data: self.path.clone(),
        };
        Source::new(disk, frontier, identity, erasures, files)
    }

    /// Erases these records, and lets the one behind them say something else.
    pub(super) fn erase(&mut self, number: u32, records: RangeInclusive<u64>) {
        let disk = Arc::new(FileDisk::open(&self.path).unwrap());
        let store = ClosedStore::open(disk, Arc::new(MemoryHome::default())).unwrap();
        let mut judge = |record: &Record| {
            if records.contains(&record.seq.0) {
                Verdict::Erase
            } else if record.seq.0 == records.end() + 1 {
                Verdict::Replace {
                    event: b"masked".to_vec(),
                    blob: Bytes::new(),
                }
            } else {
                Verdict::Keep
            }
        };
        let head = ListHead {
            number,
            note: String::new(),
        };
        store.erase(head, &mut judge).unwrap();
        self.frontier = frontier(&self.path);
    }

    /// The number of the last record, be it erased or not.
    pub(super) fn last_number(&self) -> u64 {
        let disk = FileDisk::open(&self.path).unwrap();
        recover(&disk, RecoveryBounds::default()).unwrap().durable.0
    }

    /// The last record.
    pub(super) fn last(&self) -> u64 {
        count(&events(&self.path))
    }

    /// Writes so many groups of one or two records.
    pub(super) fn write(&self, groups: u64) {
        self.write_named(groups, "record");
    }

    /// The same, with other contents.
    pub(super) fn write_others(&self, groups: u64) {
        self.write_named(groups, "other");
    }

    fn write_named(&self, groups: u64, word: &str) {
        let disk = Arc::new(FileDisk::open(&self.path).unwrap());
        let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
        let mut next = tail.next_seq.0;
        let config = JournalConfig {
            segment_bytes: 3_000,
            prepare_bytes: 0,
            low_water_bytes: 0,
            threading: Threading::Inline,
            ..JournalConfig::default()
        };
        let frontier = self.frontier.clone();
        let journal = Journal::open(disk, &tail, frontier, config, Arc::new(Deaf)).unwrap();
        for group in 0..groups {
            let count = 1 + group % 2;
            let records = (next..next + count).map(|number| NewRecord {
                stream: StreamKey::new(STREAM, b"stream"),
                event: format!("{word} {number}").into_bytes(),
                blob: Bytes::from(vec![7; 40]),
                entries: IndexEntries::default(),
            });
            let group = RecordGroup {
                records: records.collect(),
                notices: Vec::new(),
            };
            journal.submit(journal.epoch(), group).unwrap();
            next += count;
        }
        journal.close();
    }

    /// A power cut may take the file back.
    pub(super) fn forget_position(&self) {
        fs::remove_file(self.path.join("archive-position")).unwrap_or_default();
    }
}

/// The records of a journal that [`TestJournal::write`] has written.
pub(super) fn wrote(count: u64) -> Vec<String> {
    (1..=count)
        .map(|number| format!("record {number}"))
        .collect()
}

/// The records of the journal in a directory.
pub(super) fn events(path: &Path) -> Vec<String> {
    let disk = Arc::new(FileDisk::open(path).unwrap());
    let reader = JournalReader::new(disk, frontier(path));
    let event =
        |item: Result<(_, Record), _>| String::from_utf8(item.unwrap().1.event.to_vec()).unwrap();
    reader.scan(None).map(event).collect()
}

/// The number of records.
pub(super) fn count(events: &[String]) -> u64 {
    u64::try_from(events.len()).unwrap()
}

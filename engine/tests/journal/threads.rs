//! Many threads write one journal on a real disk, while others read it; then it is opened again.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use bytes::Bytes;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::store::committer::config::JournalConfig;
use switchboard_engine::store::committer::{Journal, SubmitError};
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::recovery::{RecoveryBounds, recover};
use switchboard_engine::store::{
    Batch, CommitSink, NewRecord, Position, ReadJournal, Record, RecordGroup, Seq,
};
use switchboard_engine::stream::StreamKey;

mod kinds {
    switchboard_engine::kinds! { pub(crate) const;
        /// The only state.
        THREAD: 4, "Thread", Often;
    }
}

const THREADS: u64 = 8;
const GROUPS: u64 = 150;

#[derive(Default)]
struct Places(Mutex<BTreeMap<Seq, Position>>);

impl CommitSink for Places {
    fn committed(&self, batch: Batch) {
        let mut places = self.0.lock().unwrap();
        for record in batch.records {
            places.insert(record.seq, record.position);
        }
    }
}

struct Opened {
    journal: Journal,
    reader: JournalReader,
    places: Arc<Places>,
}

fn open(path: &Path) -> Opened {
    let disk = Arc::new(FileDisk::open(path).unwrap());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let frontier = Frontier::at(tail.position);
    let disk_to_read = Arc::<FileDisk>::clone(&disk);
    let reader = JournalReader::new(disk_to_read, frontier.clone());
    let places = Arc::<Places>::default();
    let sink = Arc::<Places>::clone(&places);
    let config = JournalConfig {
        segment_bytes: 40_000,
        queue_groups: 5,
        ..JournalConfig::default()
    };
    let journal = Journal::open(disk, &tail, frontier, config, sink).unwrap();
    Opened {
        journal,
        reader,
        places,
    }
}

/// Group `number` of `thread`: one to three records.
fn group(thread: u64, number: u64) -> RecordGroup {
    let count = number % 3 + 1;
    let records = (1..=count).map(|index| NewRecord {
        stream: StreamKey::new(kinds::THREAD, &thread.to_le_bytes()),
        event: format!("{number} {index} {count}").into_bytes(),
        blob: Bytes::from(vec![b'x'; 200]),
        entries: IndexEntries::default(),
    });
    RecordGroup {
        records: records.collect(),
        notices: Vec::new(),
    }
}

/// Writes all groups of a thread, each after the one before is on disk; a busy journal is asked again.
fn write(journal: &Journal, thread: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    for number in 1..=GROUPS {
        let submitted = loop {
            match journal.submit(journal.epoch(), group(thread, number)) {
                Ok(submitted) => break submitted,
                Err(SubmitError::Busy) => thread::yield_now(),
                Err(error) => panic!("{error}"),
            }
        };
        let waiting = journal.durable(submitted.last, submitted.epoch);
        assert_eq!(runtime.block_on(waiting), Ok(()));
        assert!(journal.durable_upto() >= submitted.last);
    }
}

/// The events of each thread, in the order of the journal; numbers without gaps, groups in one piece.
fn events(records: impl Iterator<Item = Record>) -> BTreeMap<u64, Vec<String>> {
    let mut threads: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let mut open_group: Option<(StreamKey, String)> = None;
    for (record, due) in records.zip(1..) {
        assert_eq!(record.seq, Seq(due));
        let thread = u64::from_le_bytes(record.stream.id().try_into().unwrap());
        let event = String::from_utf8(record.event.to_vec()).unwrap();
        let [number, index, count] = event.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let of = (record.stream, number.to_owned());
        assert_eq!(index != "1", open_group.as_ref() == Some(&of), "{event}");
        open_group = (index != count).then_some(of);
        threads.entry(thread).or_default().push(event);
    }
    threads
}

fn expected() -> BTreeMap<u64, Vec<String>> {
    let of_thread = |thread| {
        let groups = (1..=GROUPS).flat_map(move |number| group(thread, number).records);
        groups.map(|record| String::from_utf8(record.event).unwrap())
    };
    (0..THREADS)
        .map(|thread| (thread, of_thread(thread).collect()))
        .collect()
}

fn read_all(reader: &JournalReader) -> Vec<(Position, Record)> {
    reader.scan(None).map(Result::unwrap).collect()
}

#[test]
fn eight_writers_and_one_reader_lose_no_record() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("data"));
    let flag = AtomicBool::new(false);
    thread::scope(|scope| {
        let scans = scope.spawn(|| {
            let mut reads = 0;
            while !flag.load(Ordering::Acquire) {
                let durable = store.journal.durable_upto();
                let records = read_all(&store.reader);
                // What is durable can be read, and nothing that was there is gone.
                assert!(records.len() >= reads);
                assert!(Seq(u64::try_from(records.len()).unwrap()) >= durable);
                reads = records.len();
                events(records.into_iter().map(|(_, record)| record));
            }
        });
        let writers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let journal = store.journal.clone();
                scope.spawn(move || write(&journal, thread))
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        flag.store(true, Ordering::Release);
        scans.join().unwrap();
    });
    store.journal.close();

    let records = read_all(&store.reader);
    let places = store.places.0.lock().unwrap();
    let heard_places: Vec<_> = places.iter().map(|(seq, place)| (*place, *seq)).collect();
    let record_places: Vec<_> = records.iter().map(|(place, it)| (*place, it.seq)).collect();
    assert_eq!(heard_places, record_places, "the sink heard of every place");
    assert!(
        records.last().unwrap().0.segment > 5,
        "there were rotations"
    );
    assert_eq!(
        store.reader.read(record_places[100].0).as_ref(),
        Ok(&records[100].1)
    );
    assert_eq!(events(records.into_iter().map(|(_, it)| it)), expected());

    let again = open(&dir.path().join("data"));
    let records = read_all(&again.reader);
    let total = Seq(u64::try_from(records.len()).unwrap());
    assert_eq!(again.journal.durable_upto(), total);
    assert_eq!(events(records.into_iter().map(|(_, it)| it)), expected());
    let from = read_all(&again.reader)[50].0;
    let (place, record) = again.reader.scan(Some(from)).next().unwrap().unwrap();
    assert_eq!((place, record.seq), (from, Seq(51)));
}

#[test]
fn reading_behind_the_end_is_refused_with_the_position() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    assert_eq!(store.reader.scan(None).count(), 0);
    write(&store.journal, 0);
    let behind = Position {
        segment: 99,
        offset: 32,
    };
    let error = store.reader.read(behind).unwrap_err().to_string();
    assert!(
        error.contains("journal-00000099") && error.contains("behind the end"),
        "{error}"
    );
}

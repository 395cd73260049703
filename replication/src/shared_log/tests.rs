//! A log in a store, and stores that must not have one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use switchboard_engine::store::Seq;
use switchboard_engine::store::identity::Identity;
use switchboard_engine::time::UnixMillis;
use tempfile::TempDir;

use super::test_entries::{claim, heartbeat};
use super::{
    AppendError, BucketLog, LogRange, NodeReport, RetryPause as _, SharedLog as _, Span,
    have_passed,
};
use crate::node::LogWaiting;
use crate::position::Position;
use crate::store::probe::{ProbeError, admit};
use crate::store::{Created, Directory, IDENTITY, Listed, Store, StoreError};

/// The identity of the installation of these tests.
fn ours() -> Vec<u8> {
    Identity::new([7; 16]).encode()
}
const SOON: Duration = Duration::ZERO;

fn directory() -> (Directory, TempDir) {
    let position = tempfile::tempdir().unwrap();
    let store = Directory::at(position.path().join("archive"));
    store.create(IDENTITY, &ours()).unwrap();
    (store, position)
}

/// A log with entries at these positions, those of claims first.
fn log_with(positions: u64, claims: &[u64]) -> (BucketLog, TempDir) {
    let (store, position) = directory();
    let mut log = BucketLog::new(Box::new(store));
    for position in 1..=positions {
        let bytes = if claims.contains(&position) {
            claim(position)
        } else {
            heartbeat(position, b"")
        };
        log.append(Position(position - 1), &bytes).unwrap();
    }
    (log, position)
}

/// The positions that reads bring, one behind the other, until one brings nothing.
fn positions(log: &mut BucketLog, after: u64) -> Vec<u64> {
    let mut positions = Vec::new();
    loop {
        let behind = positions.last().copied().unwrap_or(after);
        let entries = log.read(Position(behind), SOON).unwrap();
        if entries.is_empty() {
            return positions;
        }
        positions.extend(entries.iter().map(|entry| entry.position.0));
    }
}

#[test]
fn a_place_of_a_bucket_has_one_entry() {
    let (mut log, _place) = log_with(3, &[1]);
    assert_eq!(log.append(Position(2), b"another"), Err(AppendError::Taken));
    assert_eq!(positions(&mut log, 0), [1, 2, 3]);
    assert_eq!(positions(&mut log, 2), [3]);
    assert_eq!(positions(&mut log, 3), [0; 0]);
    let (oldest, newest) = (Position(1), Position(3));
    assert_eq!(log.range().unwrap(), Some(LogRange { oldest, newest }));
    let entries = log.read(Position(2), SOON).unwrap();
    assert_eq!(entries[0].bytes, heartbeat(3, b""));
    let (mut empty, _place) = log_with(0, &[]);
    assert_eq!(empty.range().unwrap(), None);
    assert_eq!(positions(&mut empty, 0), [0; 0]);
}

#[test]
fn a_claim_is_passed_when_every_other_node_says_so() {
    let (mut log, _place) = log_with(3, &[1]);
    let mut is_passed = |node: &str, position: u64| {
        let report = NodeReport {
            node: node.to_owned(),
            url: String::new(),
            position: Position(position),
            last: Seq(0),
            applied_at: None,
            reported_at: UnixMillis::ZERO,
        };
        log.report(&report).unwrap();
        have_passed(&mut log, "a", Position(3)).unwrap()
    };
    // This node said so before it was the owner.
    assert!(is_passed("a", 1));
    assert!(is_passed("b", 3));
    assert!(!is_passed("c", 2));
    assert!(is_passed("c", 4));
}

#[test]
fn a_trimmed_bucket_keeps_claims_and_the_newest_entry() {
    let (mut log, _place) = log_with(9, &[1, 4]);
    log.trim(Position(6)).unwrap();
    assert_eq!(positions(&mut log, 0), [1]);
    assert_eq!(positions(&mut log, 3), [4]);
    assert_eq!(positions(&mut log, 6), [7, 8, 9]);
    let (oldest, newest) = (Position(7), Position(9));
    assert_eq!(log.range().unwrap(), Some(LogRange { oldest, newest }));
    // The only position that a deposed owner can still try is that of a claim.
    assert_eq!(log.append(Position(3), b"late"), Err(AppendError::Taken));
    log.trim(Position(100)).unwrap();
    assert_eq!(positions(&mut log, 8), [9]);
}

#[test]
fn a_bucket_shows_its_entries_from_a_place_on() {
    let (mut log, _place) = log_with(9, &[1, 4]);
    log.trim(Position(6)).unwrap();
    let mut span = |from| log.span(Position(from)).unwrap();
    let spans = |first, newest| {
        Some(Span {
            first: Position(first),
            newest: Position(newest),
        })
    };
    assert_eq!(span(0), spans(1, 9));
    assert_eq!(span(2), spans(4, 9));
    assert_eq!(span(9), spans(9, 9));
    assert_eq!(span(10), None);
}

#[test]
fn a_bucket_keeps_the_newest_word_of_each_node() {
    let (mut log, _place) = log_with(1, &[1]);
    assert_eq!(log.reports().unwrap(), []);
    let report = |node: &str, position| NodeReport {
        node: node.to_owned(),
        url: "http://a".to_owned(),
        position: Position(position),
        last: Seq(position),
        applied_at: Some(UnixMillis::new(1)),
        reported_at: UnixMillis::new(2),
    };
    for position in 1..=3 {
        log.report(&report("a", position)).unwrap();
    }
    log.report(&report("b", 1)).unwrap();
    assert_eq!(log.reports().unwrap(), [report("a", 3), report("b", 1)]);
}

/// A store that needs some time for each request, and takes several at once.
#[derive(Debug)]
struct Far {
    store: Directory,
    /// Requests of which each began when the one before it had ended.
    turns: Arc<Mutex<u32>>,
}

impl Far {
    fn wait(&self) {
        *self.turns.lock().unwrap() += 1;
        std::thread::sleep(Duration::from_millis(30));
    }
}

impl Store for Far {
    fn create(&self, key: &str, bytes: &[u8]) -> Result<Created, StoreError> {
        self.wait();
        self.store.create(key, bytes)
    }

    fn replace(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.wait();
        self.store.replace(key, bytes)
    }

    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.wait();
        self.store.get(key)
    }

    fn get_all(&self, keys: &[String]) -> Vec<Result<Option<Vec<u8>>, StoreError>> {
        assert!(keys.len() <= 32, "{} requests at once", keys.len());
        self.wait();
        keys.iter().map(|key| self.store.get(key)).collect()
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        self.wait();
        self.store.list(prefix)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        self.wait();
        self.store.remove(key)
    }

    fn describe(&self, key: &str) -> String {
        self.store.describe(key)
    }
}

/// 1,000 entries of a store that needs 30 ms: with one request behind the other that would be half a minute.
#[test]
fn a_reader_that_is_behind_asks_for_many_entries_at_once() {
    let (store, position) = directory();
    std::fs::create_dir(position.path().join("archive/log")).unwrap();
    for number in 1..=1_000_u64 {
        let file = position.path().join(format!("archive/log/{number:016}"));
        std::fs::write(file, heartbeat(number, b"")).unwrap();
    }
    let turns = Arc::<Mutex<u32>>::default();
    let far = Far {
        store,
        turns: Arc::clone(&turns),
    };
    let mut log = BucketLog::new(Box::new(far));
    let start = std::time::Instant::now();
    assert_eq!(positions(&mut log, 0).len(), 1_000);
    let turns = *turns.lock().unwrap();
    println!(
        "1,000 entries in {:?}, {turns} requests one behind the other",
        start.elapsed()
    );
    assert!(turns <= 45, "{turns}");
}

/// Large entries are asked for a few at a time.
#[test]
fn entries_in_memory_are_bounded() {
    let (mut log, _place) = log_with(1, &[1]);
    let large = vec![0; 3 << 20];
    for position in 2..=20 {
        log.append(Position(position - 1), &heartbeat(position, &large))
            .unwrap();
    }
    let mut after = 0;
    let mut most = 0;
    while let Some(newest) = log
        .read(Position(after), SOON)
        .unwrap()
        .last()
        .map(|it| it.position.0)
    {
        most = most.max(newest - after);
        after = newest;
    }
    assert_eq!(after, 20);
    assert!((2..=6).contains(&most), "{most} entries at once");
}

/// The fault of a store.
#[derive(Clone, Copy, Debug)]
enum Lie {
    /// It replaces what a key has and says that it was new.
    IgnoresTheCondition,
    /// It lets each second of those through who come at once.
    LetsSomeThrough,
}

#[derive(Debug)]
struct Liar {
    store: Directory,
    lie: Lie,
    requests: Arc<Mutex<u32>>,
}

impl Store for Liar {
    fn create(&self, key: &str, bytes: &[u8]) -> Result<Created, StoreError> {
        if key == IDENTITY {
            return self.store.create(key, bytes);
        }
        let request = {
            let mut requests = self.requests.lock().unwrap();
            *requests += 1;
            *requests
        };
        match self.lie {
            Lie::LetsSomeThrough if request % 2 == 0 => self.store.create(key, bytes),
            Lie::IgnoresTheCondition | Lie::LetsSomeThrough => {
                self.store.replace(key, bytes).map(|()| Created::Stored)
            }
        }
    }

    fn replace(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.store.replace(key, bytes)
    }

    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.get(key)
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
        self.store.list(prefix)
    }

    fn remove(&self, key: &str) -> Result<(), StoreError> {
        self.store.remove(key)
    }

    fn describe(&self, key: &str) -> String {
        self.store.describe(key)
    }
}

fn unfit(store: &dyn Store, identity: &[u8]) -> String {
    match admit(store, identity) {
        Err(ProbeError::Unfit(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_store_that_ignores_conditions_is_refused() {
    for lie in [Lie::IgnoresTheCondition, Lie::LetsSomeThrough] {
        let (store, _place) = directory();
        let requests = Arc::default();
        let reason = unfit(
            &Liar {
                store,
                lie,
                requests,
            },
            &ours(),
        );
        assert!(
            reason.contains("two nodes could own a log"),
            "{lie:?}: {reason}"
        );
    }
    let (store, _place) = directory();
    admit(&store, &ours()).unwrap();
    assert_eq!(store.list("probe").unwrap(), []);
    let other = Identity::new([8; 16]).encode();
    let reason = unfit(&store, &other);
    assert!(reason.contains("another installation"), "{reason}");
}

#[test]
fn a_wait_for_the_log_ends_with_the_process() {
    let waiting = LogWaiting::default();
    let mut other = waiting.clone();
    assert!(other.wait(1, "no answer came"));
    assert_eq!(waiting.unknown(), 1);
    let ending = waiting.clone();
    let thread = std::thread::spawn(move || ending.end());
    assert!(!other.pause(Duration::from_secs(600)));
    thread.join().unwrap();
    assert!(!other.wait(1, "no answer came"));
    assert!(waiting.is_ending());
}

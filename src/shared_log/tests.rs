//! A log in a store, and stores that must not have one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use switchboard_engine::store::Seq;
use switchboard_engine::store::identity::Identity;
use switchboard_engine::store::shared_log::{
    Extent, NodeReport, NotAppended, Place, SharedLog, Span, Waiting as _,
};
use tempfile::TempDir;

use crate::archive::IDENTITY;
use crate::archive::store::{Created, Directory, Listed, Store, StoreError};
use crate::shared_log::LogWaiting;
use crate::shared_log::bucket::BucketLog;
use crate::shared_log::entries::{beat, claim};
use crate::shared_log::probe::{NotUsable, admit};

/// The identity of the installation of these tests.
fn ours() -> Vec<u8> {
    Identity::new([7; 16]).encode()
}
const SOON: Duration = Duration::ZERO;

fn directory() -> (Directory, TempDir) {
    let place = tempfile::tempdir().unwrap();
    let store = Directory::at(place.path().join("archive"));
    store.create(IDENTITY, &ours()).unwrap();
    (store, place)
}

/// A log with entries at these places, those of claims first.
fn log_with(places: u64, claims: &[u64]) -> (BucketLog, TempDir) {
    let (store, place) = directory();
    let mut log = BucketLog::new(Box::new(store));
    for place in 1..=places {
        let bytes = if claims.contains(&place) {
            claim(place)
        } else {
            beat(place, b"")
        };
        log.append(Place(place - 1), &bytes).unwrap();
    }
    (log, place)
}

/// The places that reads bring, one behind the other, until one brings nothing.
fn places(log: &mut BucketLog, after: u64) -> Vec<u64> {
    let mut places = Vec::new();
    loop {
        let behind = places.last().copied().unwrap_or(after);
        let found = log.read(Place(behind), SOON).unwrap();
        if found.is_empty() {
            return places;
        }
        places.extend(found.iter().map(|stored| stored.place.0));
    }
}

#[test]
fn a_place_of_a_bucket_has_one_entry() {
    let (mut log, _place) = log_with(3, &[1]);
    assert_eq!(log.append(Place(2), b"another"), Err(NotAppended::Taken));
    assert_eq!(places(&mut log, 0), [1, 2, 3]);
    assert_eq!(places(&mut log, 2), [3]);
    assert_eq!(places(&mut log, 3), [0; 0]);
    let (oldest, newest) = (Place(1), Place(3));
    assert_eq!(log.extent().unwrap(), Some(Extent { oldest, newest }));
    let found = log.read(Place(2), SOON).unwrap();
    assert_eq!(found[0].bytes, beat(3, b""));
    let (mut empty, _place) = log_with(0, &[]);
    assert_eq!(empty.extent().unwrap(), None);
    assert_eq!(places(&mut empty, 0), [0; 0]);
}

#[test]
fn a_trimmed_bucket_keeps_claims_and_the_newest_entry() {
    let (mut log, _place) = log_with(9, &[1, 4]);
    log.trim(Place(6)).unwrap();
    assert_eq!(places(&mut log, 0), [1]);
    assert_eq!(places(&mut log, 3), [4]);
    assert_eq!(places(&mut log, 6), [7, 8, 9]);
    let (oldest, newest) = (Place(7), Place(9));
    assert_eq!(log.extent().unwrap(), Some(Extent { oldest, newest }));
    // The only place that a deposed owner can still try is that of a claim.
    assert_eq!(log.append(Place(3), b"late"), Err(NotAppended::Taken));
    log.trim(Place(100)).unwrap();
    assert_eq!(places(&mut log, 8), [9]);
}

#[test]
fn a_bucket_shows_its_entries_from_a_place_on() {
    let (mut log, _place) = log_with(9, &[1, 4]);
    log.trim(Place(6)).unwrap();
    let mut span = |from| log.span(Place(from)).unwrap();
    let spans = |first, newest| {
        Some(Span {
            first: Place(first),
            newest: Place(newest),
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
    let report = |node: &str, place| NodeReport {
        node: node.to_owned(),
        url: "http://a".to_owned(),
        place: Place(place),
        last: Seq(place),
        applied_at: Some(1),
        reported_at: 2,
    };
    for place in 1..=3 {
        log.report(&report("a", place)).unwrap();
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
    let (store, place) = directory();
    std::fs::create_dir(place.path().join("archive/log")).unwrap();
    for number in 1..=1_000_u64 {
        let file = place.path().join(format!("archive/log/{number:016}"));
        std::fs::write(file, beat(number, b"")).unwrap();
    }
    let turns = Arc::<Mutex<u32>>::default();
    let far = Far {
        store,
        turns: Arc::clone(&turns),
    };
    let mut log = BucketLog::new(Box::new(far));
    let begun = std::time::Instant::now();
    assert_eq!(places(&mut log, 0).len(), 1_000);
    let turns = *turns.lock().unwrap();
    println!(
        "1,000 entries in {:?}, {turns} requests one behind the other",
        begun.elapsed()
    );
    assert!(turns <= 45, "{turns}");
}

/// Large entries are asked for a few at a time.
#[test]
fn entries_in_memory_are_bounded() {
    let (mut log, _place) = log_with(1, &[1]);
    let large = vec![0; 3 << 20];
    for place in 2..=20 {
        log.append(Place(place - 1), &beat(place, &large)).unwrap();
    }
    let mut after = 0;
    let mut most = 0;
    while let Some(newest) = log
        .read(Place(after), SOON)
        .unwrap()
        .last()
        .map(|it| it.place.0)
    {
        most = most.max(newest - after);
        after = newest;
    }
    assert_eq!(after, 20);
    assert!((2..=6).contains(&most), "{most} entries at once");
}

/// What is wrong with a store.
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
    asked: Arc<Mutex<u32>>,
}

impl Store for Liar {
    fn create(&self, key: &str, bytes: &[u8]) -> Result<Created, StoreError> {
        if key == IDENTITY {
            return self.store.create(key, bytes);
        }
        let asked = {
            let mut asked = self.asked.lock().unwrap();
            *asked += 1;
            *asked
        };
        match self.lie {
            Lie::LetsSomeThrough if asked % 2 == 0 => self.store.create(key, bytes),
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
        Err(NotUsable::Unfit(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_store_that_ignores_conditions_is_refused() {
    for lie in [Lie::IgnoresTheCondition, Lie::LetsSomeThrough] {
        let (store, _place) = directory();
        let asked = Arc::default();
        let reason = unfit(&Liar { store, lie, asked }, &ours());
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

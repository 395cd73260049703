//! A log in a store, and stores that must not have one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use switchboard_engine::store::identity::Identity;
use switchboard_engine::store::shared_log::{Extent, NotAppended, Place, SharedLog, Waiting as _};
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

fn places(log: &mut BucketLog, after: u64) -> Vec<u64> {
    let found = log.read(Place(after), SOON).unwrap();
    found.iter().map(|stored| stored.place.0).collect()
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

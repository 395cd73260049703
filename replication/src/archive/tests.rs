//! The archive over a store that fails in every way: whatever happens, it restores a beginning of the journal that ends with
//! a whole group, and once it has caught up, all of it.

mod damage;
mod flaky;
mod journal;
mod no_files;

use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use switchboard_engine::time::UnixMillis;

use self::flaky::{Fault, FlakyStore};
use self::journal::{TestJournal, count, events, wrote};
use self::no_files::NoFiles;
use super::begin::Beginning;
use super::contents::Contents;
use super::erase::Eraser;
use super::error::ArchiveError;
use super::restore::{Restore, RestoreFailure, Restored, Upto};
use super::shipper::{MergeAt, Shipper};
use super::source::Source;
use super::verify::{Verified, verify};

const TO: &str = "file:///archive";

/// Small numbers, so that a few entries make a volume.
const MERGE_AT: MergeAt = MergeAt {
    bytes: 4_000,
    entries: 5,
};

/// Archives what there is, as a process would that starts now: until it has everything, or a fault ends it.
fn run(store: &FlakyStore, journal: &TestJournal, time: u64) -> Result<(), ArchiveError> {
    let source = journal.source();
    let process = format!("process {time}");
    let beginning = beginning(store, &source, &process, time);
    let end = beginning.begin()?;
    let eraser = Eraser {
        store,
        source: &source,
        now: UnixMillis::new(time),
    };
    eraser.follow()?;
    let mut shipper = Shipper::new(&beginning, end, MERGE_AT)?;
    shipper.ship(|| UnixMillis::new(time), || false)
}

/// The knowledge of a process that starts now.
fn beginning<'b>(
    store: &'b FlakyStore,
    source: &'b Source,
    process: &'b str,
    now: u64,
) -> Beginning<'b> {
    Beginning {
        store,
        to: TO,
        source,
        process,
        is_shared: false,
        now: UnixMillis::new(now),
    }
}

fn restore(store: &FlakyStore, to: &Path, upto: Upto) -> Result<Restored, RestoreFailure> {
    let restore = Restore {
        store,
        files: &NoFiles,
        from: TO,
        to,
        upto,
        segment_bytes: 3_000,
    };
    restore.run(&mut |_| {})
}

fn check(store: &FlakyStore) -> Verified {
    verify(store, TO, &NoFiles, &mut |_, _| {}).unwrap()
}

/// The reason for which the archive does not go on, while the service does.
fn unfit(ended: Result<(), ArchiveError>) -> String {
    match ended {
        Err(ArchiveError::Unfit(why)) => why,
        other => panic!("expected an unfit archive, got {other:?}"),
    }
}

fn refusal(ended: Result<(), ArchiveError>) -> String {
    match ended {
        Err(ArchiveError::Refused(why)) => why,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn an_archive_restores_a_beginning_whatever_fails() {
    for seed in 0..40 {
        let mut random = StdRng::seed_from_u64(seed);
        let store = FlakyStore::default();
        let journal = TestJournal::new();
        for time in 1..=12 {
            journal.write(random.random_range(0..6));
            store.fail(Fault::random(&mut random), random.random_range(0..12));
            let ended = run(&store, &journal, time);
            assert!(
                !matches!(ended, Err(ArchiveError::Refused(_))),
                "{seed}: {ended:?}"
            );
            store.heal();
            if random.random_ratio(1, 4) {
                journal.forget_position();
            }
            let to = tempfile::tempdir().unwrap();
            let to = to.path().join("data");
            match restore(&store, &to, Upto::Newest) {
                Ok(restored) => {
                    let found = events(&to);
                    assert_eq!(found, wrote(count(&found)), "{seed}");
                    assert_eq!(restored.records, count(&found));
                    if ended.is_ok() {
                        assert_eq!(restored.records, journal.last(), "{seed}");
                    }
                    let found = check(&store);
                    assert!(found.damage.is_empty(), "{seed}");
                }
                Err(RestoreFailure::NoArchive(_)) => assert!(ended.is_err(), "{seed}"),
                // A start that was interrupted behind the identity.
                Err(failure) if failure.is_damage() => {
                    let contents = Contents::list(&store).unwrap();
                    assert!(
                        ended.is_err() && contents.newest().is_none(),
                        "{seed}: {failure}"
                    );
                }
                Err(other) => panic!("{seed}: {other}"),
            }
        }
        run(&store, &journal, 13).unwrap();
        let found = check(&store);
        assert_eq!(found.records, journal.last());
        let loose = Contents::list(&store).unwrap().loose.len();
        assert!(loose < 40, "{loose} objects are not merged");
    }
}

#[test]
fn any_record_and_any_moment_can_be_restored() {
    let store = FlakyStore::default();
    let journal = TestJournal::new();
    let mut ends = Vec::new();
    for time in 1..=9 {
        journal.write(4);
        run(&store, &journal, time * 1_000).unwrap();
        ends.push(journal.last());
    }
    for (time, end) in (1..=9).zip(ends) {
        let position = tempfile::tempdir().unwrap();
        let to = position.path().join("data");
        let restored =
            restore(&store, &to, Upto::Time(UnixMillis::new(time * 1_000 + 999))).unwrap();
        assert_eq!(
            (restored.records, restored.time),
            (end, Some(UnixMillis::new(time * 1_000)))
        );
        let to = position.path().join("record");
        let restored = restore(&store, &to, Upto::Record(end - 1)).unwrap();
        assert!(restored.records < end && restored.records + 4 > end);
        assert_eq!(events(&to), wrote(restored.records));
    }
    let position = tempfile::tempdir().unwrap();
    let early = restore(
        &store,
        &position.path().join("data"),
        Upto::Time(UnixMillis::new(999)),
    )
    .unwrap_err();
    assert_eq!(
        early.to_string(),
        "the archive has nothing that old: its first records are of 1970-01-01T00:00:01Z"
    );
    assert!(!position.path().join("data").exists());
}

#[test]
fn a_restored_directory_goes_on_and_the_old_process_stops() {
    let store = FlakyStore::default();
    let journal = TestJournal::new();
    journal.write(5);
    let source = journal.source();
    let beginning = beginning(&store, &source, "old", 1);
    let end = beginning.begin().unwrap();
    let mut old = Shipper::new(&beginning, end, MERGE_AT).unwrap();
    old.ship(|| UnixMillis::new(1), || false).unwrap();
    let shared = journal.last();
    journal.write(3);
    old.ship(|| UnixMillis::new(2), || false).unwrap();

    let position = tempfile::tempdir().unwrap();
    let to = position.path().join("data");
    restore(&store, &to, Upto::Record(shared)).unwrap();
    let restored = TestJournal::at(&to);
    restored.write_others(2);
    run(&store, &restored, 3).unwrap();

    journal.write(1);
    let told = refusal(old.ship(|| UnixMillis::new(4), || false));
    assert!(
        told.starts_with("another process archives to file:///archive now: it has taken place 4;"),
        "{told}"
    );
    // And so does every later process on the old directory.
    let told = refusal(run(&store, &journal, 5));
    assert!(
        told.contains("was continued by another process; either restore"),
        "{told}"
    );
    // What counts is what was restored and what came after it.
    let found = check(&store);
    assert_eq!(
        (found.records, found.superseded, found.epochs),
        (restored.last(), 1, 2)
    );
    let again = position.path().join("again");
    restore(&store, &again, Upto::Newest).unwrap();
    assert_eq!(events(&again), events(&to));
}

#[test]
fn an_archive_that_has_more_than_the_journal_is_refused() {
    let store = FlakyStore::default();
    let journal = TestJournal::new();
    journal.write(3);
    let copy = journal.copy();
    journal.write(3);
    run(&store, &journal, 1).unwrap();
    let told = unfit(run(&store, &copy, 2));
    assert!(
        told.contains("has records up to 8 that this data directory does not have, which has records up to 4; either restore"),
        "{told}"
    );
    let other = TestJournal::of_another_installation();
    let told = unfit(run(&store, &other, 3));
    assert!(told.contains("belongs to another installation"), "{told}");
}

#[test]
fn an_archive_follows_erasures_whatever_fails() {
    for seed in 0..30 {
        let mut random = StdRng::seed_from_u64(seed);
        let store = FlakyStore::default();
        let mut journal = TestJournal::new();
        for time in 1..=8 {
            journal.write(3);
            run(&store, &journal, time).unwrap();
        }
        // Some of it is archived before it is erased, some after.
        journal.write(3);
        let first = random.random_range(1..25);
        let erased = first..=first + random.random_range(0..8);
        journal.erase(1, erased.clone());
        for _ in 0..4 {
            store.fail(Fault::random(&mut random), random.random_range(0..30));
            let ended = run(&store, &journal, 9);
            assert!(
                !matches!(ended, Err(ArchiveError::Refused(_))),
                "{seed}: {ended:?}"
            );
            store.heal();
        }
        run(&store, &journal, 10).unwrap();
        let found = check(&store);
        let number = journal.last_number();
        assert_eq!(found.records, number, "{seed}");
        assert!(found.replaced > 0, "{seed}: {found:?}");
        let texts = store.texts();
        for record in 1..=number {
            let there = texts.contains(&format!("record {record}\u{7}"));
            let stays = !erased.contains(&record) && record != erased.end() + 1;
            assert_eq!(there, stays, "{seed}: record {record}");
        }
        let to = tempfile::tempdir().unwrap();
        let to = to.path().join("data");
        restore(&store, &to, Upto::Newest).unwrap();
        assert_eq!(events(&to), events(journal.path()), "{seed}");
    }
}

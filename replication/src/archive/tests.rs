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
use super::restore::{Restore, RestoreError, Restored, Upto};
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
    shipper.ship(|| UnixMillis::new(time), || false, || {})
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

fn restore(store: &FlakyStore, to: &Path, upto: Upto) -> Result<Restored, RestoreError> {
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
fn unfit(outcome: Result<(), ArchiveError>) -> String {
    match outcome {
        Err(ArchiveError::Unfit(why)) => why,
        other => panic!("expected an unfit archive, got {other:?}"),
    }
}

fn refusal(outcome: Result<(), ArchiveError>) -> String {
    match outcome {
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
            let outcome = run(&store, &journal, time);
            assert!(
                !matches!(outcome, Err(ArchiveError::Refused(_))),
                "{seed}: {outcome:?}"
            );
            store.heal();
            if random.random_ratio(1, 4) {
                journal.forget_position();
            }
            let folder = tempfile::tempdir().unwrap();
            let to = folder.path().join("data");
            match restore(&store, &to, Upto::Newest) {
                Ok(restored) => {
                    let restored_events = events(&to);
                    assert_eq!(restored_events, wrote(count(&restored_events)), "{seed}");
                    assert_eq!(restored.records, count(&restored_events));
                    if outcome.is_ok() {
                        assert_eq!(restored.records, journal.last(), "{seed}");
                    }
                    let verification = check(&store);
                    assert!(verification.damage.is_empty(), "{seed}");
                }
                Err(RestoreError::NoArchive(_)) => assert!(outcome.is_err(), "{seed}"),
                // A start that was interrupted behind the identity.
                Err(failure) if failure.is_damage() => {
                    let contents = Contents::list(&store).unwrap();
                    assert!(
                        outcome.is_err() && contents.newest().is_none(),
                        "{seed}: {failure}"
                    );
                }
                Err(other) => panic!("{seed}: {other}"),
            }
        }
        run(&store, &journal, 13).unwrap();
        let verification = check(&store);
        assert_eq!(verification.records, journal.last());
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
fn files_are_copied_between_reading_and_archiving_records() {
    let store = FlakyStore::default();
    let journal = TestJournal::new();
    journal.write(1);
    let source = journal.source();
    let beginning = beginning(&store, &source, "one", 1);
    let end = beginning.begin().unwrap();
    let mut shipper = Shipper::new(&beginning, end, MERGE_AT).unwrap();
    // Each copy of files finds the archive without the records that were read before it, and those that come during a copy
    // wait for the next one.
    let archived = || check(&store).records;
    let mut found = Vec::new();
    let copy_files = || {
        found.push(archived());
        if found.len() < 4 {
            journal.write(1);
        }
    };
    shipper
        .ship(|| UnixMillis::new(2), || false, copy_files)
        .unwrap();
    let total = archived();
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found.is_sorted_by(|one, next| one < next), "{found:?}");
    assert!(found.last().is_some_and(|last| *last < total), "{found:?}");
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
    old.ship(|| UnixMillis::new(1), || false, || {}).unwrap();
    let shared = journal.last();
    journal.write(3);
    old.ship(|| UnixMillis::new(2), || false, || {}).unwrap();

    let position = tempfile::tempdir().unwrap();
    let to = position.path().join("data");
    restore(&store, &to, Upto::Record(shared)).unwrap();
    let restored = TestJournal::at(&to);
    restored.write_others(2);
    run(&store, &restored, 3).unwrap();

    journal.write(1);
    let message = refusal(old.ship(|| UnixMillis::new(4), || false, || {}));
    assert!(
        message
            .starts_with("another process archives to file:///archive now: it has taken place 4;"),
        "{message}"
    );
    // And so does every later process on the old directory.
    let message = refusal(run(&store, &journal, 5));
    assert!(
        message.contains("was continued by another process; either restore"),
        "{message}"
    );
    // What counts is what was restored and what came after it.
    let verification = check(&store);
    assert_eq!(
        (
            verification.records,
            verification.superseded,
            verification.epochs
        ),
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
    let message = unfit(run(&store, &copy, 2));
    assert!(
        message.contains("has records up to 8 that this data directory does not have, which has records up to 4; either restore"),
        "{message}"
    );
    let other = TestJournal::of_another_installation();
    let message = unfit(run(&store, &other, 3));
    assert!(
        message.contains("belongs to another installation"),
        "{message}"
    );
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
        let erasure_range = first..=first + random.random_range(0..8);
        journal.erase(1, erasure_range.clone());
        for _ in 0..4 {
            store.fail(Fault::random(&mut random), random.random_range(0..30));
            let outcome = run(&store, &journal, 9);
            assert!(
                !matches!(outcome, Err(ArchiveError::Refused(_))),
                "{seed}: {outcome:?}"
            );
            store.heal();
        }
        run(&store, &journal, 10).unwrap();
        let verification = check(&store);
        let number = journal.last_number();
        assert_eq!(verification.records, number, "{seed}");
        assert!(verification.replaced > 0, "{seed}: {verification:?}");
        let texts = store.texts();
        for record in 1..=number {
            let there = texts.contains(&format!("record {record}\u{7}"));
            let stays = !erasure_range.contains(&record) && record != erasure_range.end() + 1;
            assert_eq!(there, stays, "{seed}: record {record}");
        }
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("data");
        restore(&store, &to, Upto::Newest).unwrap();
        assert_eq!(events(&to), events(journal.path()), "{seed}");
    }
}

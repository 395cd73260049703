//! The archive over a store that fails in every way: whatever happens, it restores a beginning of the journal that ends with
//! a whole group, and once it has caught up, all of it.

mod damage;
mod flaky;
mod journal;

use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use self::flaky::{Fault, FlakyStore};
use self::journal::{TestJournal, count, events, wrote};
use crate::archive::begin::Beginning;
use crate::archive::contents::Contents;
use crate::archive::erase::Eraser;
use crate::archive::restore::{Restore, RestoreFailure, Restored, Upto};
use crate::archive::shipper::{MergeAt, Shipper};
use crate::archive::source::{Source, Trouble};
use crate::archive::verify::verify;

const TO: &str = "file:///archive";

/// Small numbers, so that a few entries make a volume.
const MERGE_AT: MergeAt = MergeAt {
    bytes: 4_000,
    entries: 5,
};

/// Archives what there is, as a process would that starts now: until it has everything, or a fault ends it.
fn run(store: &FlakyStore, journal: &TestJournal, time: i64) -> Result<(), Trouble> {
    let source = journal.source();
    let process = format!("process {time}");
    let beginning = beginning(store, journal, &source, (&process, time));
    let end = beginning.begin()?;
    let eraser = Eraser {
        store,
        source: &source,
        now: time,
    };
    eraser.follow()?;
    let mut shipper = Shipper::new(&beginning, end, MERGE_AT)?;
    shipper.ship(|| time, || false)
}

/// What a process needs to know that starts now.
fn beginning<'b>(
    store: &'b FlakyStore,
    journal: &'b TestJournal,
    source: &'b Source,
    (process, now): (&'b str, i64),
) -> Beginning<'b> {
    Beginning {
        store,
        to: TO,
        source,
        directory: journal.path(),
        process,
        is_shared: false,
        now,
    }
}

fn restore(store: &FlakyStore, to: &Path, upto: Upto) -> Result<Restored, RestoreFailure> {
    let restore = Restore {
        store,
        from: TO,
        to,
        upto,
        segment_bytes: 3_000,
    };
    restore.run(&mut |_| {})
}

/// Why the archive does not go on, while the service does.
fn unfit(ended: Result<(), Trouble>) -> String {
    match ended {
        Err(Trouble::Unfit(why)) => why,
        other => panic!("expected an unfit archive, got {other:?}"),
    }
}

fn refusal(ended: Result<(), Trouble>) -> String {
    match ended {
        Err(Trouble::Refused(why)) => why,
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
                !matches!(ended, Err(Trouble::Refused(_))),
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
                    let found = verify(&store, TO, &mut |_, _| {}).unwrap();
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
        let found = verify(&store, TO, &mut |_, _| {}).unwrap();
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
        let place = tempfile::tempdir().unwrap();
        let to = place.path().join("data");
        let restored = restore(&store, &to, Upto::Time(time * 1_000 + 999)).unwrap();
        assert_eq!((restored.records, restored.time), (end, Some(time * 1_000)));
        let to = place.path().join("record");
        let restored = restore(&store, &to, Upto::Record(end - 1)).unwrap();
        assert!(restored.records < end && restored.records + 4 > end);
        assert_eq!(events(&to), wrote(restored.records));
    }
    let place = tempfile::tempdir().unwrap();
    let early = restore(&store, &place.path().join("data"), Upto::Time(999)).unwrap_err();
    assert_eq!(
        early.to_string(),
        "the archive has nothing that old: its first records are of 1970-01-01T00:00:01Z"
    );
    assert!(!place.path().join("data").exists());
}

#[test]
fn a_restored_directory_goes_on_and_the_old_process_stops() {
    let store = FlakyStore::default();
    let journal = TestJournal::new();
    journal.write(5);
    let source = journal.source();
    let beginning = beginning(&store, &journal, &source, ("old", 1));
    let end = beginning.begin().unwrap();
    let mut old = Shipper::new(&beginning, end, MERGE_AT).unwrap();
    old.ship(|| 1, || false).unwrap();
    let shared = journal.last();
    journal.write(3);
    old.ship(|| 2, || false).unwrap();

    let place = tempfile::tempdir().unwrap();
    let to = place.path().join("data");
    restore(&store, &to, Upto::Record(shared)).unwrap();
    let restored = TestJournal::at(&to);
    restored.write_others(2);
    run(&store, &restored, 3).unwrap();

    journal.write(1);
    let told = refusal(old.ship(|| 4, || false));
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
    let found = verify(&store, TO, &mut |_, _| {}).unwrap();
    assert_eq!(
        (found.records, found.superseded, found.epochs),
        (restored.last(), 1, 2)
    );
    let again = place.path().join("again");
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
                !matches!(ended, Err(Trouble::Refused(_))),
                "{seed}: {ended:?}"
            );
            store.heal();
        }
        run(&store, &journal, 10).unwrap();
        let found = verify(&store, TO, &mut |_, _| {}).unwrap();
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

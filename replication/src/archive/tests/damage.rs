//! Each object of an archive damaged in each way: the damage is found and named, or is harmless; the archive never ends the
//! service; and a repair makes it right again.

use std::collections::BTreeMap;

use switchboard_engine::time::UnixMillis;

use super::flaky::FlakyStore;
use super::journal::{TestJournal, count, events};
use super::{MERGE_AT, beginning, check, restore, run};
use crate::archive::error::ArchiveError;
use crate::archive::repair::{Repair, Repaired};
use crate::archive::restore::{RestoreError, Upto};
use crate::archive::shipper::Shipper;
use crate::store::Store as _;

/// An archive with claims, loose entries, volumes and an erasure, and its journal.
fn archive(journal: &mut TestJournal) -> FlakyStore {
    let store = FlakyStore::default();
    for time in 1..=2 {
        journal.write(3);
        run(&store, journal, time).unwrap();
    }
    let source = journal.source();
    let beginning = beginning(&store, &source, "long", 3);
    let end = beginning.begin().unwrap();
    let mut shipper = Shipper::new(&beginning, end, MERGE_AT).unwrap();
    for time in 4..=12 {
        journal.write(1);
        shipper
            .ship(|| UnixMillis::new(time), || false, || {})
            .unwrap();
    }
    journal.erase(1, 6..=7);
    journal.write(2);
    run(&store, journal, 13).unwrap();
    store
}

fn repair(store: &FlakyStore, journal: &TestJournal) -> Result<Repaired, ArchiveError> {
    let source = journal.source();
    let beginning = beginning(store, &source, "repair", 50);
    Repair { beginning }.run()
}

/// Everything is restored, and nothing is called damaged.
fn assert_whole(store: &FlakyStore, journal: &TestJournal, case: &str) {
    assert!(check(store).damage.is_empty(), "{case}");
    let position = tempfile::tempdir().unwrap();
    let to = position.path().join("data");
    restore(store, &to, Upto::Newest).unwrap_or_else(|error| panic!("{case}: {error}"));
    assert_eq!(events(&to), events(journal.path()), "{case}");
}

/// The bytes with each bit of some positions flipped, and cut at some lengths.
fn damaged(bytes: &[u8]) -> Vec<Vec<u8>> {
    let step = (bytes.len() / 40).max(1);
    let flipped = (0..bytes.len()).step_by(step).map(|at| {
        let mut copy = bytes.to_vec();
        copy[at] ^= 1 << (at % 8);
        copy
    });
    let cut = [0, 1, bytes.len() / 2, bytes.len() - 1];
    flipped
        .chain(cut.map(|length| bytes[..length].to_vec()))
        .collect()
}

/// A copy of the archive that has these bytes under a key; `None`: it has no such object.
fn with(store: &FlakyStore, key: &str, bytes: Option<&[u8]>) -> FlakyStore {
    let store = store.copy();
    match bytes {
        Some(bytes) => store.replace(key, bytes).unwrap(),
        None => store.remove(key).unwrap(),
    }
    store
}

fn kinds(objects: &BTreeMap<String, Vec<u8>>) -> Vec<&str> {
    let mut kinds: Vec<_> = objects
        .keys()
        .map(|key| key.split('/').next().unwrap())
        .collect();
    kinds.dedup();
    kinds
}

#[test]
fn every_damage_of_an_archive_is_named_or_harmless() {
    let mut journal = TestJournal::new();
    let store = archive(&mut journal);
    let objects = store.objects();
    assert_eq!(
        kinds(&objects),
        ["entries", "erasures", "identity", "reached", "volumes"]
    );
    let mut other = TestJournal::of_another_installation();
    let exchanged = archive(&mut other).objects();
    for (key, bytes) in &objects {
        let mut cases: Vec<_> = damaged(bytes).into_iter().map(Some).collect();
        cases.push(None);
        cases.extend(exchanged.get(key).cloned().map(Some));
        for (number, case) in cases.iter().enumerate() {
            let store = with(&store, key, case.as_deref());
            let verification = check(&store);
            let name = format!("{key}, case {number}: {verification:?}");
            // A compressed object says when it was made, and by which system.
            let is_harmless = key.starts_with("erasures/") || key.starts_with("volumes/");
            if is_harmless && verification.damage.is_empty() {
                assert_whole(&store, &journal, &name);
                continue;
            }
            let key = format!("memory/{key}");
            // An exchanged entry may be the one that the next one does not follow.
            let is_exchanged = number + 1 == cases.len()
                && verification.damage.iter().any(|it| it.contains("memory/"));
            // A volume that is gone is named by the first of its entries.
            let is_missing = case.is_none()
                && verification
                    .damage
                    .iter()
                    .any(|it| it.contains("is missing"));
            let is_named = verification.damage.iter().any(|it| it.contains(&key));
            assert!(is_named || is_exchanged || is_missing, "{name}");
        }
    }
    assert_whole(&store, &journal, "undamaged");
}

#[test]
fn a_repair_makes_every_damaged_archive_right() {
    let mut journal = TestJournal::new();
    let store = archive(&mut journal);
    let mut other = TestJournal::of_another_installation();
    let exchanged = archive(&mut other).objects();
    for (key, bytes) in &store.objects() {
        let flipped = damaged(bytes).swap_remove(damaged(bytes).len() / 2);
        let cases = [
            ("flipped", Some(flipped)),
            ("empty", Some(Vec::new())),
            ("removed", None),
            ("exchanged", exchanged.get(key).cloned()),
        ];
        for (case, bytes) in cases {
            let case = format!("{key} {case}");
            let store = with(&store, key, bytes.as_deref());
            let journal = journal.copy();
            journal.write(1);
            // Whatever the archive says, it is no reason to end.
            let outcome = run(&store, &journal, 20);
            assert!(
                !matches!(outcome, Err(ArchiveError::Refused(_))),
                "{case}: {outcome:?}"
            );
            match repair(&store, &journal) {
                Ok(_) => {}
                // An archive of another installation is not repaired.
                Err(ArchiveError::Unfit(why)) if case == "identity exchanged" => {
                    assert!(why.contains("belongs to another installation"), "{why}");
                    continue;
                }
                Err(other) => panic!("{case}: {other}"),
            }
            run(&store, &journal, 21).unwrap_or_else(|error| panic!("{case}: {error}"));
            assert_whole(&store, &journal, &case);
        }
    }
}

#[test]
fn a_repair_of_what_is_right_changes_nothing() {
    let mut journal = TestJournal::new();
    let store = archive(&mut journal);
    let before = store.objects();
    assert_eq!(repair(&store, &journal).unwrap(), Repaired::default());
    assert_eq!(store.objects(), before);
}

#[test]
fn an_archive_whose_objects_are_all_gone_begins_again() {
    let mut journal = TestJournal::new();
    let store = archive(&mut journal);
    for prefix in ["entries", "volumes", ""] {
        let store = store.copy();
        let journal = journal.copy();
        for key in store.objects().keys().filter(|key| key.starts_with(prefix)) {
            store.remove(key).unwrap();
        }
        let outcome = run(&store, &journal, 20);
        // Volumes are read by a merge, a check and a restore alone.
        assert!(outcome.is_err() || prefix == "volumes", "{prefix}");
        assert!(
            !matches!(outcome, Err(ArchiveError::Refused(_))),
            "{prefix}: {outcome:?}"
        );
        repair(&store, &journal).unwrap();
        run(&store, &journal, 21).unwrap();
        assert_whole(&store, &journal, prefix);
    }
}

#[test]
fn an_archive_behind_the_journal_says_how_far_both_are() {
    let journal = TestJournal::new();
    let store = FlakyStore::default();
    for time in 1..=3 {
        journal.write(2);
        run(&store, &journal, time).unwrap();
    }
    for key in ["entries/0000000000000006", "entries/0000000000000004"] {
        let store = with(&store, key, None);
        let verification = check(&store);
        assert!(
            !verification.restores_all && verification.damage[0].contains(key),
            "{verification:?}"
        );
        let position = tempfile::tempdir().unwrap();
        let failure = restore(&store, &position.path().join("all"), Upto::Newest).unwrap_err();
        assert!(failure.is_damage(), "{failure}");
        // What the message names can be restored.
        let last = failure.restorable().unwrap();
        assert_eq!(last, verification.records);
        assert!(
            failure.to_string().contains(&format!("--record {last}`")),
            "{failure}"
        );
        let to = position.path().join("before");
        let restored = restore(&store, &to, Upto::Record(last)).unwrap();
        assert_eq!((restored.records, count(&events(&to))), (last, last));
    }
    store.remove("entries/0000000000000006").unwrap();
    let message = run(&store, &journal, 4).unwrap_err().to_string();
    assert_eq!(
        message,
        "the archive file:///archive has records up to 6, this data directory up to 9: memory/entries/0000000000000006 is \
         missing, with which it had records up to 9; `switchboard backup repair` writes again what the archive lacks, from the \
         data directory of the running service"
    );
}

#[test]
fn an_identity_alone_is_a_damaged_archive() {
    let mut journal = TestJournal::new();
    let store = archive(&mut journal);
    for key in store.objects().keys().filter(|key| *key != "identity") {
        store.remove(key).unwrap();
    }
    let verification = check(&store);
    assert!(
        verification
            .damage
            .iter()
            .any(|it| it.contains("entries/0000000000000001")),
        "{verification:?}"
    );
    let position = tempfile::tempdir().unwrap();
    let to = position.path().join("data");
    let failure = restore(&store, &to, Upto::Newest).unwrap_err();
    assert!(failure.is_damage() && !to.exists(), "{failure}");
    store.remove("identity").unwrap();
    let failure = restore(&store, &to, Upto::Newest).unwrap_err();
    assert!(matches!(failure, RestoreError::NoArchive(_)), "{failure}");
}

/// The data directory was replaced by an older copy: the archive has what it lacks.
#[test]
fn a_repair_never_writes_over_what_only_the_archive_has() {
    let journal = TestJournal::new();
    let store = FlakyStore::default();
    journal.write(3);
    run(&store, &journal, 1).unwrap();
    let older = journal.copy();
    journal.write(3);
    run(&store, &journal, 2).unwrap();
    older.forget_position();
    let store = with(&store, "entries/0000000000000001", None);
    let before = store.objects();
    let why = repair(&store, &older).unwrap_err().to_string();
    assert!(
        why.contains("that this data directory does not have"),
        "{why}"
    );
    let other = TestJournal::of_another_installation();
    other.write(9);
    let why = repair(&store, &other).unwrap_err().to_string();
    assert!(why.contains("belongs to another installation"), "{why}");
    assert_eq!(store.objects(), before);
}

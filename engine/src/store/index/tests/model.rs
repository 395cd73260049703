//! The index finds what the model says, whatever happens in whatever order.

use super::disk::Crash;
use super::world::{Dice, World, happenings};
use crate::store::Seq;
use crate::store::index::Index;
use crate::store::index::config::OpenedIndex;
use crate::store::index::record_location::RecordLocation;
use crate::store::recovery::RecoveryBounds;

/// Every history of batches, checkpoints and restarts is found as the model says.
#[test]
fn batches_checkpoints_and_restarts_agree_with_the_model() {
    let (mut merges, mut checkpoints, mut replayed, mut rebuilt) = (0, 0, 0, 0);
    for seed in 0..500 {
        let mut dice = Dice(seed);
        let mut world = World::new(1 + dice.below(40));
        let ids = 1 + dice.below(30);
        let mut index = world.open().unwrap().0;
        for _ in 0..6 + dice.below(20) {
            match dice.below(10) {
                0 => index.checkpoint_now().unwrap(),
                1 => {
                    let stats = index.stats();
                    merges += stats.merges;
                    checkpoints += stats.checkpoints;
                    let is_closed = dice.below(2) == 0;
                    if is_closed {
                        index.close().unwrap();
                    }
                    drop(index);
                    world.crash(Crash::ALL[usize::try_from(dice.below(4)).unwrap()]);
                    let (again, report) = world.open().unwrap();
                    index = again;
                    replayed += report.replayed;
                    assert!(
                        !is_closed || report.replayed == 0,
                        "seed {seed}: {report:?}"
                    );
                    assert!(!matches!(report.opened, OpenedIndex::Rebuilt { .. }));
                    world.check(&index);
                }
                2 if seed % 4 == 0 && world.file_names().iter().any(|it| it == "manifest") => {
                    let stats = index.stats();
                    merges += stats.merges;
                    checkpoints += stats.checkpoints;
                    drop(index);
                    world.spoil("manifest", |bytes| bytes[30] ^= 1);
                    let (again, report) = world.open().unwrap();
                    index = again;
                    assert!(matches!(report.opened, OpenedIndex::Rebuilt { .. }));
                    assert_eq!(report.replayed, world.journal.len());
                    rebuilt += 1;
                    world.check(&index);
                }
                _ => {
                    let count = 1 + dice.below(16);
                    let batch = happenings(&mut dice, count, ids);
                    world.post(&index, batch);
                }
            }
        }
        world.check(&index);
        let stats = index.stats();
        merges += stats.merges;
        checkpoints += stats.checkpoints;
        assert_eq!(*world.troubles.lock().unwrap(), []);
    }
    assert!(merges > 100, "{merges} merges");
    assert!(checkpoints > 1_500, "{checkpoints} checkpoints");
    assert!(replayed > 2_000, "{replayed} records replayed");
    assert!(rebuilt > 50, "{rebuilt} rebuilt");
}

#[test]
fn a_start_replays_only_records_after_the_last_checkpoint() {
    let mut dice = Dice(1);
    let mut world = World::new(100);
    let (index, report) = world.open().unwrap();
    assert_eq!((report.opened, report.replayed), (OpenedIndex::Fresh, 0));
    assert_eq!(
        Index::known(&world.disk).unwrap(),
        RecoveryBounds::default()
    );
    for _ in 0..25 {
        world.post(&index, happenings(&mut dice, 10, 20));
    }
    drop(index);
    let bounds = Index::known(&world.disk).unwrap();
    let start = bounds
        .from
        .map(|(position, seq)| RecordLocation { seq, position });
    assert_eq!(bounds.proven, Seq(200));
    let (index, report) = world.open().unwrap();
    assert_eq!(report.opened, OpenedIndex::Resumed);
    assert_eq!(report.replayed, 50);
    assert_eq!(report.start, start);
    world.check(&index);
}

#[test]
fn records_without_an_index_entry_are_indexed_at_the_start() {
    let mut dice = Dice(2);
    let mut world = World::new(40);
    let index = world.open().unwrap().0;
    world.post(&index, happenings(&mut dice, 70, 9));
    drop(index);
    let _unheard = world.store(happenings(&mut dice, 500, 9));
    let (index, report) = world.open().unwrap();
    assert_eq!(report.replayed, 500);
    // On the way only after several intervals each time, the last part once it is open.
    assert!((3..12).contains(&index.stats().checkpoints));
    assert!(index.stats().pending_records < 40);
    world.check(&index);
}

#[test]
fn many_streams_cause_earlier_checkpoints_than_few() {
    let mut dice = Dice(4);
    let mut between = |ids| {
        let mut world = World::new(600);
        world.fetched_state_records = 5;
        let index = world.open().unwrap().0;
        for _ in 0..300 {
            world.post(&index, happenings(&mut dice, 10, ids));
        }
        world.check(&index);
        3_000 / index.stats().checkpoints
    };
    assert!((500..=600).contains(&between(3)));
    assert!((100..=150).contains(&between(1_000_000)));
}

#[test]
fn the_number_of_runs_grows_logarithmically() {
    let mut dice = Dice(3);
    let mut world = World::new(50);
    let index = world.open().unwrap().0;
    for _ in 0..400 {
        world.post(&index, happenings(&mut dice, 50, 300));
    }
    let stats = index.stats();
    assert_eq!(stats.checkpoints, 400);
    assert!(stats.runs <= 9, "{stats:?}");
    let files = world.file_names();
    for kind in ["keys-", "rows-"] {
        let runs = files.iter().filter(|name| name.starts_with(kind)).count();
        assert!(runs <= 10, "{runs} files {kind}…");
    }
    world.check(&index);
}

//! A failure at any step of a checkpoint costs nothing but time.

use super::disk::Crash;
use super::world::{Dice, World, happenings};
use crate::store::index::config::OpenedIndex;

/// A world with a few checkpoints behind it and records that are not in one.
fn prepared(seed: u64) -> (World, crate::store::index::Index) {
    let mut dice = Dice(seed);
    let mut world = World::new(1_000_000);
    let index = world.open().unwrap().0;
    // Three runs, and as many with rows: the next checkpoint merges both.
    for _ in 0..3 {
        world.post(&index, happenings(&mut dice, 12, 6));
        index.checkpoint_now().unwrap();
    }
    world.post(&index, happenings(&mut dice, 16, 8));
    (world, index)
}

/// Returns the number of operations of an undisturbed checkpoint.
fn operations(seed: u64) -> u64 {
    let (mut world, index) = prepared(seed);
    world.fail_at(u64::MAX, false);
    let before = index.stats().merges;
    index.checkpoint_now().unwrap();
    assert_eq!(index.stats().merges - before, 2);
    world.operations()
}

#[test]
fn a_crash_at_any_checkpoint_step_keeps_all_answers() {
    for crash in Crash::ALL {
        let steps = operations(7);
        assert!(steps > 40, "{steps} steps");
        let mut failed = 0;
        for step in 1..=steps {
            let (mut world, index) = prepared(7);
            world.fail_at(step, true);
            failed += u64::from(index.checkpoint_now().is_err());
            drop(index);
            world.crash(crash);
            let (index, report) = world.open().unwrap();
            assert_eq!(
                report.opened,
                OpenedIndex::Resumed,
                "step {step}, {crash:?}"
            );
            world.check(&index);
            // And it goes on from there.
            world.post(&index, happenings(&mut Dice(step), 10, 9));
            index.close().unwrap();
            drop(index);
            let (index, report) = world.open().unwrap();
            assert_eq!((report.opened, report.replayed), (OpenedIndex::Resumed, 0));
            world.check(&index);
        }
        // The others crashed while runs were merged or removed, which does not fail the checkpoint.
        assert!(failed > 30 && failed < steps, "{failed} of {steps} failed");
    }
}

/// A failure at any step of a checkpoint is reported, and the next checkpoint makes up for it.
#[test]
fn the_checkpoint_after_a_failed_step_catches_up() {
    for step in 1..=operations(8) {
        let (mut world, index) = prepared(8);
        world.fail_at(step, false);
        let result = index.checkpoint_now();
        world.disk.fail_no_operation();
        assert!(!world.troubles.lock().unwrap().is_empty(), "step {step}");
        assert_eq!(index.stats().checkpoints_failed, u64::from(result.is_err()));
        world.check(&index);
        world.post(&index, happenings(&mut Dice(step), 10, 9));
        world.check(&index);
        index.checkpoint_now().unwrap();
        assert_eq!(index.stats().pending_records, 0);
        world.check(&index);
        drop(index);
        world.crash(Crash::Power);
        let (index, _) = world.open().unwrap();
        world.check(&index);
    }
}

/// After a failure at any step, a crash at any step of what follows leaves nothing to rebuild.
#[test]
fn a_failed_step_and_a_later_crash_need_no_rebuild() {
    let steps = operations(11);
    for failed in 1..=steps {
        // Only some of the second steps each: all of them would be thousands.
        for crashed in (1 + failed % 23..=steps).step_by(23) {
            let (mut world, index) = prepared(11);
            world.fail_at(failed, false);
            let first = index.checkpoint_now();
            world.disk.fail_no_operation();
            world.post(&index, happenings(&mut Dice(failed), 10, 9));
            world.fail_at(crashed, true);
            let second = index.checkpoint_now();
            drop(index);
            world.crash(Crash::FilesKept);
            let (index, report) = world.open().unwrap();
            let at = format!("steps {failed} and {crashed}: {first:?}, {second:?}");
            // After a failed flush the content of the tables on disk is unknown, and the index says so itself.
            if let OpenedIndex::Rebuilt { reason, .. } = &report.opened {
                assert!(reason.contains("damage was met before"), "{at}: {reason}");
            }
            world.check(&index);
        }
    }
}

/// After a crash at any step of a start the next start makes up for it.
#[test]
fn the_start_after_a_crash_during_a_start_catches_up() {
    for rebuilds in [false, true] {
        for step in 1.. {
            let (mut world, index) = prepared(9);
            world.checkpoint_records = 15;
            drop(index);
            if rebuilds {
                world.spoil("manifest", |bytes| bytes[30] ^= 1);
            }
            world.fail_at(step, true);
            let result = world.open();
            let complete = world.operations() < step;
            drop(result);
            world.crash(Crash::Power);
            let (index, report) = world.open().unwrap();
            world.check(&index);
            if !rebuilds {
                assert_eq!(report.opened, OpenedIndex::Resumed, "step {step}");
            }
            if complete {
                assert!(step > 30, "only {step} steps");
                break;
            }
        }
    }
}

#[test]
fn a_failed_checkpoint_is_retried_as_records_arrive() {
    let mut dice = Dice(10);
    let mut world = World::new(80);
    let index = world.open().unwrap().0;
    world.fail_at(1, true);
    for _ in 0..20 {
        world.post(&index, happenings(&mut dice, 10, 20));
    }
    let failed = index.stats().checkpoints_failed;
    assert!((5..=13).contains(&failed), "{failed} failed checkpoints");
    world.disk.fail_no_operation();
    world.check(&index);
    world.post(&index, happenings(&mut dice, 10, 20));
    assert_eq!(index.stats().pending_records, 0);
    world.check(&index);
}

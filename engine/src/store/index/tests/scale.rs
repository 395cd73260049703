//! Many keys: what a record costs to take in, to find and to keep. The figures are printed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::runs::RunsOnDisk;
use super::world::{Dice, World, happenings};
use crate::entries::Key;
use crate::store::Position;
use crate::store::index::sorted_run::id::Family;
use crate::store::tables::sled::SledHome;

fn position(number: u64) -> Position {
    Position {
        segment: u32::try_from(number / 100_000 + 1).unwrap(),
        offset: u32::try_from(number % 100_000).unwrap(),
    }
}

/// Fewer in an unoptimised build, where everything takes twenty times as long.
const KEYS: u64 = if cfg!(debug_assertions) {
    100_000
} else {
    1_000_000
};

#[test]
fn all_of_a_million_keys_are_found_through_runs_and_merges() {
    let mut disk_runs = RunsOnDisk::new();
    let per_run = KEYS / 10;
    for run in 0..10 {
        let first = run * per_run;
        let numbers = first..first + per_run;
        let keys = numbers.map(|number| (Key::new("n", &number), position(number)));
        disk_runs.write_keys(&keys.collect());
        disk_runs.merge_due(Family::Keys);
    }
    let runs = &disk_runs.runs;
    let hit_start = Instant::now();
    for number in 0..KEYS {
        assert_eq!(
            runs.position(Key::new("n", &number)).unwrap(),
            Some(position(number))
        );
    }
    let hit_time = hit_start.elapsed();
    let start = Instant::now();
    for number in 0..KEYS {
        assert_eq!(runs.position(Key::new("absent", &number)).unwrap(), None);
    }
    let absent = start.elapsed();
    let list = runs.family(Family::Keys);
    let memory: usize = list.iter().map(|run| run.memory_bytes()).sum();
    let memory_bits = u64::try_from(memory).unwrap() * 8 / KEYS;
    let total_bytes: u64 = list.iter().map(|run| run.length()).sum();
    println!(
        "{KEYS} keys in {} runs: {} ns to find, {} ns when absent; {memory_bits} bits in memory, {} bytes on disk per key",
        list.len(),
        hit_time.as_nanos() / u128::from(KEYS),
        absent.as_nanos() / u128::from(KEYS),
        total_bytes / KEYS,
    );
    assert!(list.len() < 7, "{} runs", list.len());
    assert!(memory_bits <= 14, "{memory_bits} bits of memory per key");
}

#[test]
fn a_record_costs_a_bounded_time_on_the_commit_path() {
    let mut dice = Dice(4);
    let mut world = World::new(u64::MAX);
    let (records, streams) = (KEYS / 10, KEYS / 50);
    let index = world.open().unwrap().0;
    for round in 1..=2 {
        let mut total_time = Duration::ZERO;
        for _ in (0..records).step_by(64) {
            let batch = world.store(happenings(&mut dice, 64, streams));
            let start = Instant::now();
            index.add(batch.records, || {});
            total_time += start.elapsed();
        }
        let stats = index.stats();
        println!(
            "round {round}: {records} records with 2 keys and 2 rows: {} ns each to take in; {} bytes each in memory, without rows",
            total_time.as_nanos() / u128::from(records),
            stats.pending_bytes / records,
        );
        assert!(stats.pending_bytes / records < 400);
        index.checkpoint_now().unwrap();
    }
    world.check(&index);
}

#[test]
fn checkpoints_and_starts_after_a_kill_cost_bounded_time() {
    let directory = tempfile::tempdir().unwrap();
    let home = Arc::new(SledHome::new(directory.path().join("tables")));
    let mut world = World::new(u64::MAX);
    let (records, streams) = (KEYS / 20, KEYS / 100);
    let index = world.open_with(Arc::<SledHome>::clone(&home)).unwrap().0;
    let happened = happenings(&mut Dice(1), records, streams);
    world.post(&index, happened);
    let checkpoint_start = Instant::now();
    index.checkpoint_now().unwrap();
    let first = checkpoint_start.elapsed();
    let happened = happenings(&mut Dice(2), records, streams);
    world.post(&index, happened);
    drop(index);
    let open_start = Instant::now();
    let (index, report) = world.open_with(home).unwrap();
    let replay = open_start.elapsed();
    assert_eq!(report.replayed, records);
    let start = Instant::now();
    index.checkpoint_now().unwrap();
    let second = start.elapsed();
    println!(
        "{records} records of {streams} streams: {first:?} to checkpoint new streams, {replay:?} to replay, {second:?} to checkpoint old streams",
    );
    world.check(&index);
}

//! The whole service in a simulated world: store, clock, network and randomness come from one seed, and so do the
//! faults. The same seed is the same run, step by step.
//!
//! `SEED=n` repeats one run and tells it line by line; `SEEDS=n` plays so many, from `FIRST_SEED` on.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and tells how to repeat it"
)]

mod administrator;
mod audit;
mod clerk;
mod clients;
mod clock;
mod coverage;
mod customers;
#[path = "../system/model/dice.rs"]
mod dice;
mod disk;
mod forge;
mod healing;
mod integration;
mod ledger;
mod machine;
mod nature;
mod network;
mod operator;
mod plants;
mod possible;
mod process;
mod registry;
mod replays;
mod run;
mod setting;
mod tables;
mod trace;
mod users;
mod world;

use coverage::{Coverage, EXPECTED};
use plants::Plant;
use run::run;
use switchboard_actors::testkit::wanted;

/// How many seeds are played unless `SEEDS` says otherwise, from `FIRST_SEED` on.
const SEEDS: u64 = 400;
/// So many seeds meet everything that is expected.
const COVERING: u64 = 2_000;
const THREADS: u64 = 2;

/// Plays a seed; a failure is one line that repeats it.
fn play(seed: u64, told: bool, coverage: &Coverage) {
    if let Err(what) = run(seed, None, told, coverage) {
        panic!(
            "SEED={seed} cargo test --workspace --test simulator every_seed -- --nocapture # {what}"
        );
    }
}

#[test]
fn every_seed_keeps_every_promise() {
    let coverage = Coverage::default();
    if let Some(seed) = wanted("SEED") {
        return play(seed, true, &coverage);
    }
    let seeds = wanted("SEEDS").unwrap_or(SEEDS);
    let first = wanted("FIRST_SEED").unwrap_or(0);
    println!("seeds from {first}");
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let coverage = &coverage;
            scope.spawn(move || {
                let seeds = (thread..seeds).map(|number| first + number);
                for seed in seeds.step_by(usize::try_from(THREADS).unwrap()) {
                    play(seed, false, coverage);
                }
            });
        }
    });
    println!("how often each of these was met in {seeds} seeds:");
    coverage.print();
    if seeds >= COVERING {
        assert_eq!(coverage.missing(&EXPECTED), [""; 0], "never met");
    }
}

#[test]
fn the_same_seed_is_the_same_run() {
    let coverage = Coverage::default();
    let digests: Vec<u64> = (0..40)
        .map(|seed| {
            let once = run(seed, None, false, &coverage);
            let again = run(seed, None, false, &coverage);
            assert_eq!(once, again, "seed {seed}");
            once.unwrap()
        })
        .collect();
    // The digests are those of the runs: no two are the same.
    let mut others = digests.clone();
    others.sort_unstable();
    others.dedup();
    assert_eq!(others.len(), digests.len());
}

/// So many seeds may pass before a planted fault shows.
const PLANTED_SEEDS: u64 = 60;

#[test]
fn the_simulator_sees_every_planted_fault() {
    let coverage = Coverage::default();
    for plant in Plant::ALL {
        let runs = (0..PLANTED_SEEDS).map(|seed| run(seed, Some(plant), false, &coverage));
        let seen: Vec<String> = runs.filter_map(Result::err).collect();
        println!(
            "{plant:?} is seen in {} seeds: {:.150}",
            seen.len(),
            format!("{:?}", seen.first())
        );
        assert!(!seen.is_empty(), "{plant:?} goes unnoticed");
    }
}

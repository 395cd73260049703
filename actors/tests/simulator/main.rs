//! The whole service in a simulated world: store, clock, network and randomness come from one seed, and so do the
//! faults. The same seed is the same run, step by step.
//!
//! `SEED=n` repeats one run and prints it line by line. `SEEDS=n` runs so many seeds, from `FIRST_SEED` on.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and tells how to repeat it"
)]

mod administrator;
mod apart;
mod audit;
mod clients;
mod coverage;
mod customers;
mod disturbances;
mod forge;
mod healing;
mod integration;
mod lead_user;
mod ledger;
mod network;
mod operator;
mod plants;
mod process;
mod registry;
mod replays;
mod run;
mod setting;
mod users;
mod world;

use coverage::EXPECTED;
use plants::Plant;
use run::run;
use switchboard_engine::testkit::simulation::{Coverage, seeds};

/// The number of seeds, from `FIRST_SEED` on, unless `SEEDS` says otherwise.
const SEEDS: u64 = 400;
/// So many seeds meet everything that is expected.
const COVERING: u64 = 2_000;

#[test]
fn every_seed_keeps_every_promise() {
    let coverage = Coverage::default();
    let command = "cargo test --workspace --test simulator every_seed";
    seeds::keep_promises(
        SEEDS,
        COVERING,
        &coverage,
        &EXPECTED,
        command,
        |seed, told| run(seed, None, told, &coverage),
    );
}

#[test]
fn the_same_seed_gives_the_same_run() {
    seeds::are_repeatable(|seed| run(seed, None, false, &Coverage::default()));
}

/// So many seeds may pass before a planted fault shows.
const PLANTED_SEEDS: u64 = 400;

#[test]
fn the_simulator_detects_every_planted_fault() {
    seeds::see_every_plant(&Plant::ALL, PLANTED_SEEDS, |seed, plant| {
        run(seed, Some(plant), false, &Coverage::default())
    });
}

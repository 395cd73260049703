//! The engine with a toy product on a simulated machine: commands at random, kills, power cuts, full disks, restarts and
//! checkpoints. The same seed is the same run.
//!
//! `SEED=n` repeats one run and prints it line by line. `SEEDS=n` runs so many seeds, from `FIRST_SEED` on.

mod check;
mod clients;
mod ledger;
mod plants;
mod process;
mod world;

use switchboard_engine::testkit::simulation::{Coverage, seeds};

use plants::Plant;
use process::{End, Plan, live};
use world::World;

/// The number of seeds that are played unless `SEEDS` says otherwise, from `FIRST_SEED` on.
const SEEDS: u64 = 2_000;
/// So many processes follow each other at most.
const LIVES: usize = 5;
/// So many seeds may pass before a planted fault shows.
const PLANTED_SEEDS: u64 = 60;

/// The faults and outcomes that the seeds of one run of this test must meet.
const EXPECTED: [&str; 17] = [
    "answer lost",
    "change of three owners",
    "change of two owners",
    "checkpoint written",
    "clock jumps",
    "disk full",
    "disk refuses a write",
    "everything compared",
    "interrupted",
    "kill",
    "owner retires",
    "power cut",
    "power cut during a start",
    "power cut that loses a flush",
    "refused",
    "rejected",
    "repeat answered",
];

/// Plays one seed; gives the digest of all that happened, or what was wrong.
fn run(seed: u64, plant: Option<Plant>, told: bool, coverage: &Coverage) -> Result<u64, String> {
    let world = World::new(seed, plant, told, coverage);
    let mut is_planted = false;
    for life in 1..=LIVES {
        let last = life == LIVES || world.is_done();
        let plan = if last { Plan::Stop } else { world.plan() };
        if let Some(plant) = plant
            && !is_planted
        {
            world.machine.tamper(|stored| {
                let after = plant.change(stored);
                is_planted = after.is_some();
                after
            });
        }
        let end = live(&world, plan);
        if let Some(what) = world.wrong() {
            return Err(what);
        }
        if end == End::Stopped && last {
            break;
        }
    }
    Ok(world.machine.digest())
}

#[test]
fn every_seed_keeps_the_promises_of_the_engine() {
    let coverage = Coverage::default();
    let command = "cargo test --workspace --test toys every_seed";
    seeds::keep_promises(SEEDS, SEEDS, &coverage, &EXPECTED, command, |seed, told| {
        run(seed, None, told, &coverage)
    });
}

#[test]
fn the_same_seed_gives_the_same_run() {
    seeds::are_repeatable(|seed| run(seed, None, false, &Coverage::default()));
}

#[test]
fn the_simulator_detects_every_planted_fault() {
    seeds::see_every_plant(&Plant::ALL, PLANTED_SEEDS, |seed, plant| {
        run(seed, Some(plant), false, &Coverage::default())
    });
}

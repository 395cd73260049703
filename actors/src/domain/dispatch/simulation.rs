//! The machine against a naive model of its shell, its store and its receivers, through random histories.
//!
//! The model knows nothing of breakers, slots or paging. It keeps every message with its record, loses the
//! newest records at a crash, and checks the promises at every step.

mod world;

use crate::domain::dispatch::simulation::world::World;

/// How many histories unless `HISTORIES` says otherwise; each is told by its number, so a failure names the history to run
/// again.
const HISTORIES: usize = 2_000;
const STEPS: u32 = 60;
const THREADS: usize = 4;

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the test says how long"
)]
fn histories() -> usize {
    std::env::var("HISTORIES").map_or(HISTORIES, |number| number.parse().unwrap())
}

#[test]
fn every_history_keeps_the_promises_and_ends_when_the_receivers_are_well() {
    let histories = histories();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for history in (thread..histories).step_by(THREADS) {
                    run(history);
                }
            });
        }
    });
}

fn run(history: usize) {
    let mut world = World::new(u64::try_from(history).unwrap());
    for _ in 0..STEPS {
        world.something_happens();
    }
    world.heals();
}

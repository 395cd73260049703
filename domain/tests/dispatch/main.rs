//! The machine against a naive model of its shell, its store and its receivers, through random histories.
//!
//! The model knows nothing of breakers, slots or paging. It keeps every message with its record, loses the
//! newest records at a crash, and checks the promises at every step.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says how to repeat it"
)]

mod world;

use switchboard_engine::testkit::wanted;

use crate::world::World;

/// The number of histories, unless `HISTORIES` sets it, from `FIRST_SEED` on.
const HISTORIES: u64 = 2_000;
const STEPS: u32 = 60;
const THREADS: u64 = 4;

/// Says how to play a history again when it fails.
struct Played(u64);

impl Drop for Played {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let seed = self.0;
            eprintln!("SEED={seed} cargo test --workspace --test dispatch");
        }
    }
}

/// Every history keeps the promises, and ends once the endpoints are healthy.
#[test]
fn every_history_keeps_the_promises_and_drains_when_healthy() {
    if let Some(history) = wanted("SEED") {
        return run(history);
    }
    let histories = wanted("HISTORIES").unwrap_or(HISTORIES);
    let first = wanted("FIRST_SEED").unwrap_or(0);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for number in (thread..histories).step_by(usize::try_from(THREADS).unwrap()) {
                    run(first + number);
                }
            });
        }
    });
}

fn run(history: u64) {
    let _played = Played(history);
    let mut world = World::new(history);
    for _ in 0..STEPS {
        world.something_happens();
    }
    world.heals();
}

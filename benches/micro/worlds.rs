//! Worlds for tests: making one, and a day of retries in one. What one takes of memory is printed.

use std::time::Duration;

use criterion::Criterion;
use switchboard_bench::machine::resident_mib;
use switchboard_worlds::prelude::{Behaviour, World};

/// So many worlds are made to see what one takes.
const WORLDS: u32 = 200;
const DAY: Duration = Duration::from_secs(86_400);

pub(crate) fn world(criterion: &mut Criterion) {
    print_memory();
    let mut group = criterion.benchmark_group("world");
    group.bench_function("made", |bencher| bencher.iter_with_large_drop(World::start));
    group.bench_function("made, used and ended", |bencher| {
        bencher.iter(|| {
            let world = World::start();
            world.customer("bo").says("Have you any tulips?");
            world.user("ada").replies("Red ones.");
            assert_eq!(world.callbacks().len(), 1);
        });
    });
    group.sample_size(10);
    group.bench_function("a day of retries", |bencher| bencher.iter(day_of_retries));
    group.finish();
}

fn day_of_retries() {
    let world = World::start();
    world.receiver().answer_always(Behaviour::status(500));
    world.customer("bo").says("Have you any tulips?");
    world.user("ada").replies("Red ones.");
    world.advance(DAY);
    assert!(world.receiver().attempts().len() > 100);
}

#[expect(clippy::print_stdout, reason = "a benchmark shows its figures")]
fn print_memory() {
    let resident = || resident_mib(std::process::id()).expect("this process runs");
    // What the first one takes of code and of allocators is taken once.
    drop(World::start());
    let before = resident();
    let worlds: Vec<World> = (0..WORLDS).map(|_| World::start()).collect();
    let each = (resident() - before) / f64::from(WORLDS);
    println!("world/memory: {each:.2} MiB each, of {}", worlds.len());
}

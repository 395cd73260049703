//! The demands of every simulation on its seeds: each keeps what was promised, each is always the same run, and every
//! planted fault is seen.
#![expect(
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and tells what it met"
)]

use std::fmt::Debug;

use super::coverage::Coverage;
use crate::testkit::wanted;

/// The number of threads that play seeds.
const THREADS: usize = 2;
/// The number of seeds that are played twice.
const REPEATED: u64 = 40;

/// Plays seeds, `seeds` of them unless `SEEDS` says otherwise, from `FIRST_SEED` on; or the one that `SEED` says,
/// printed line by line. `run` gets a seed and whether to print it. All of `expected` has to be met by `covering`
/// seeds.
///
/// # Panics
/// When something is wrong with a seed, with the line that repeats it: `command` is what runs the test.
pub fn keep_promises(
    seeds: u64,
    covering: u64,
    coverage: &Coverage,
    expected: &[&'static str],
    command: &str,
    run: impl Fn(u64, bool) -> Result<u64, String> + Sync,
) {
    let play = |seed, told| {
        if let Err(what) = run(seed, told) {
            panic!("SEED={seed} {command} -- --nocapture # {what}");
        }
    };
    if let Some(seed) = wanted("SEED") {
        return play(seed, true);
    }
    let seeds = wanted("SEEDS").unwrap_or(seeds);
    let first = wanted("FIRST_SEED").unwrap_or(0);
    println!("seeds from {first}");
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let play = &play;
            scope.spawn(move || {
                for number in (0..seeds).skip(thread).step_by(THREADS) {
                    play(first.saturating_add(number), false);
                }
            });
        }
    });
    println!("how often each of these was met in {seeds} seeds:");
    coverage.print();
    if seeds >= covering {
        assert_eq!(coverage.missing(expected), [""; 0], "never met");
    }
}

/// The same seed is the same run, and another seed another one: `run` gives the digest of what happened.
///
/// # Panics
/// When it is not so.
pub fn are_repeatable(run: impl Fn(u64) -> Result<u64, String>) {
    let mut digests = Vec::new();
    for seed in 0..REPEATED {
        let once = run(seed);
        assert_eq!(once, run(seed), "seed {seed}");
        match once {
            Ok(digest) => digests.push(digest),
            Err(what) => panic!("seed {seed}: {what}"),
        }
    }
    let played = digests.len();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), played, "two seeds are one run");
}

/// Each planted fault is seen by one of the first `seeds` seeds.
///
/// # Panics
/// When one is not.
pub fn see_every_plant<P: Copy + Debug>(
    plants: &[P],
    seeds: u64,
    run: impl Fn(u64, P) -> Result<u64, String>,
) {
    for plant in plants {
        let sight = (0..seeds).find_map(|seed| Some((seed, run(seed, *plant).err()?)));
        let Some((seed, what)) = sight else {
            panic!("{plant:?} goes unnoticed in {seeds} seeds");
        };
        println!("{plant:?} is seen with seed {seed}: {what:.150}");
    }
}

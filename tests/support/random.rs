//! Randomness that can be had again: every test prints its seed and takes it from `SEED`. `FIRST_SEED` is the seed of runs
//! that are to be the same for a commit, and others for another.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A stream of numbers that follows from its seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of `SEED` or `FIRST_SEED` when that is set, of a new seed otherwise; the seed is printed.
    pub fn of_this_run() -> Self {
        let fresh = RandomState::new().build_hasher().finish();
        let seed = times("SEED", times("FIRST_SEED", fresh));
        println!("SEED={seed}");
        Self(seed)
    }

    /// A stream of its own that follows from this one.
    pub fn fork(&mut self) -> Self {
        Self(self.any())
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let half_mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (half_mixed ^ (half_mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.any() % end
    }

    /// True in this many of 100 cases.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// One of these; there is at least one.
    pub fn one_of<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        let count = u64::try_from(among.len()).unwrap();
        &among[usize::try_from(self.below(count)).unwrap()]
    }
}

/// Returns the number of repetitions: the value of this variable, else `default`.
pub fn times(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |count| count.parse().unwrap())
}

//! Numbers that look random and are the same for the same seed.

use crate::store::width::{narrow, wide};

/// A generator of numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator's `next` would need an `unwrap` each time"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 when there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        narrow(self.next().checked_rem(wide(bound)).unwrap_or_default())
    }

    /// True once in so many times.
    pub fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    /// A place in a list of this length; `None` when it is empty.
    pub fn place(&mut self, length: usize) -> Option<usize> {
        (length > 0).then(|| self.below(length))
    }
}

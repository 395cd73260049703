//! A source of chance that repeats itself: the same orders give the same world.

/// The generator `SplitMix64`.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number of the range from `low` to below `high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let width = u64::try_from(high.saturating_sub(low)).unwrap_or(1).max(1);
        low.saturating_add(i64::try_from(self.next() % width).unwrap_or(0))
    }

    /// Puts a list in another order. A list of two or more changes.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        let length = i64::try_from(list.len()).unwrap_or(0);
        // By Sattolo: no entry stays where it is.
        for at in (1..length).rev() {
            let other = self.between(0, at);
            if let (Ok(at), Ok(other)) = (usize::try_from(at), usize::try_from(other)) {
                list.swap(at, other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn a_shuffle_moves_every_entry() {
        let mut chance = Chance::new(1);
        for _ in 0..50 {
            let mut list: Vec<usize> = (0..5).collect();
            chance.shuffle(&mut list);
            assert!(list.iter().enumerate().all(|(at, entry)| at != *entry));
        }
        chance.shuffle::<u8>(&mut []);
        assert!((60..120).contains(&chance.between(60, 120)));
        assert_eq!(chance.between(3, 3), 3);
    }
}

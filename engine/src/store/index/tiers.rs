//! Chooses the files of sorted entries to merge. They are neighbours in age; at most [`PER_TIER`] − 1 of similar size
//! are left beside each other, so a lookup touches a number of them that grows with the logarithm of the stored size,
//! and an entry is written again as often.

use std::ops::Range;

/// So many files of one tier become one.
pub(super) const PER_TIER: usize = 4;

/// The neighbours that should become one, if any, given the sizes of all, newest first. Those up to `lowest` are the
/// lowest tier; each further tier is four times as large.
pub(super) fn due(sizes: impl Iterator<Item = u64>, lowest: u64) -> Option<Range<usize>> {
    // A file counts to the tier of the largest newer one at least, so that tiers only rise with age.
    let mut tiers: Vec<u32> = Vec::new();
    for size in sizes {
        let floor = tiers.last().copied().unwrap_or(0);
        tiers.push(tier(size, lowest).max(floor));
    }
    let mut start = 0_usize;
    for group in tiers.chunk_by(|left, right| left == right) {
        let end = start.saturating_add(group.len());
        if group.len() >= PER_TIER {
            return Some(start..end);
        }
        start = end;
    }
    None
}

fn tier(size: u64, lowest: u64) -> u32 {
    let above = size.div_ceil(lowest.max(1)).max(1);
    above.ilog2().div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four runs of one size are due for a merge, and a small one below larger ones belongs to their tier.
    #[test]
    fn four_runs_of_a_tier_are_merged_with_small_ones_below() {
        let due = |sizes: &[u64]| due(sizes.iter().copied(), 10);
        assert_eq!(due(&[]), None);
        assert_eq!(due(&[1, 10, 5]), None);
        assert_eq!(due(&[1, 10, 5, 9]), Some(0..4));
        assert_eq!(due(&[1, 40, 30, 35]), None);
        assert_eq!(due(&[1, 40, 30, 35, 31, 1_000]), Some(1..5));
        // It is older than the large ones, so it is of their tier.
        assert_eq!(due(&[1, 40, 30, 35, 2, 1_000]), Some(1..5));
    }
}

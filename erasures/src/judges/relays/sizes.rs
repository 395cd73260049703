//! The bytes of the hooks of a relay by the minute, and the moment from which on the newest of them fit below a bound.

use std::collections::BTreeMap;

use switchboard_domain::time::UnixMillis;

const MINUTE: u64 = 60_000;

/// The bytes that were taken in each minute.
#[derive(Clone, Debug, Default)]
pub(super) struct SizesByMinute(BTreeMap<u64, u64>);

impl SizesByMinute {
    /// Counts a body.
    pub(super) fn add(&mut self, at: UnixMillis, bytes: usize) {
        let sum = self.0.entry(at.get() / MINUTE).or_default();
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        *sum = sum.saturating_add(bytes);
    }

    /// The moment before which everything goes, so that no more than `most` bytes stay. None when all of them fit.
    pub(super) fn cut(&self, most: u64) -> Option<UnixMillis> {
        let mut sum: u64 = 0;
        let beyond = self.0.iter().rev().find(|(_, bytes)| {
            sum = sum.saturating_add(**bytes);
            sum > most
        });
        beyond.map(|(minute, _)| UnixMillis::new(minute.saturating_add(1).saturating_mul(MINUTE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_that_fit_stay() {
        let mut sizes = SizesByMinute::default();
        assert_eq!(sizes.cut(0), None);
        for (seconds, bytes) in [(5, 10), (50, 10), (65, 30), (300, 7)] {
            sizes.add(UnixMillis::from_secs(seconds), bytes);
        }
        for (most, cut) in [
            (57, None),
            (56, Some(60)),
            (37, Some(60)),
            (36, Some(120)),
            (7, Some(120)),
            (6, Some(360)),
            (0, Some(360)),
        ] {
            assert_eq!(sizes.cut(most), cut.map(UnixMillis::from_secs), "{most}");
        }
    }
}

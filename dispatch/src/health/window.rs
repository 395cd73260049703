//! The outcomes of the last minute.

use std::time::Duration;

use crate::clock::Steady;

const BUCKETS: u64 = 12;
const BUCKET: Duration = Duration::from_secs(5);
const OUTCOMES_TO_JUDGE: u32 = 20;

/// The outcomes of the last minute, in buckets of five seconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    /// Bucket number, successes, failures; at most [`BUCKETS`], the oldest first.
    buckets: Vec<(u64, u32, u32)>,
}

impl Window {
    pub(super) fn add(&mut self, now: Steady, success: bool) {
        let bucket = now.bucket(BUCKET);
        self.buckets
            .retain(|(number, ..)| number + BUCKETS > bucket);
        let (good, bad) = (u32::from(success), u32::from(!success));
        match self.buckets.last_mut() {
            Some((number, succeeded, failed)) if *number == bucket => {
                *succeeded = succeeded.saturating_add(good);
                *failed = failed.saturating_add(bad);
            }
            Some(_) | None => self.buckets.push((bucket, good, bad)),
        }
    }

    pub(super) fn mostly_failed(&self, now: Steady) -> bool {
        let bucket = now.bucket(BUCKET);
        let recent = self
            .buckets
            .iter()
            .filter(|(number, ..)| number + BUCKETS > bucket);
        let (good, bad) = recent.fold((0_u32, 0_u32), |(good, bad), (_, succeeded, failed)| {
            (good.saturating_add(*succeeded), bad.saturating_add(*failed))
        });
        good.saturating_add(bad) >= OUTCOMES_TO_JUDGE && bad >= good
    }
}

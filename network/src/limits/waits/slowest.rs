//! The wait that is given up first: the one that is longest overdue, by what has come of it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use super::{Held, Wait};

/// The bytes that make up for a second of waiting. A slow telephone sends more.
const BYTES_PER_SECOND: u64 = 4_096;

/// The number of a wait, and how slow it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slow {
    overdue: Duration,
    /// Of equals the first one.
    first: Reverse<u64>,
    pub(super) number: u64,
}

/// The slowest wait of a holder.
pub(super) fn slowest(held: &Held, now: Instant) -> Option<Slow> {
    let slow = held.iter().map(|(number, wait)| Slow {
        overdue: overdue(wait, now),
        first: Reverse(*number),
        number: *number,
    });
    slow.max()
}

/// The slowest wait of the holders that have the most.
pub(super) fn slowest_of_the_most<K: Ord + Clone>(
    holders: &BTreeMap<K, Held>,
    now: Instant,
) -> Option<(K, u64)> {
    let most = holders.values().map(BTreeMap::len).max()?;
    let candidates = holders.iter().filter(|(_, held)| held.len() == most);
    let slow = candidates.filter_map(|(holder, held)| Some((slowest(held, now)?, holder)));
    let (slow, holder) = slow.max_by_key(|(slow, _)| *slow)?;
    Some((holder.clone(), slow.number))
}

/// The time that the client has waited beyond what its bytes make up for.
fn overdue(wait: &Wait, now: Instant) -> Duration {
    let bytes = u64::try_from(wait.progress.load(Ordering::Relaxed)).unwrap_or(u64::MAX);
    let earned = Duration::from_millis(bytes.saturating_mul(1_000) / BYTES_PER_SECOND);
    now.saturating_duration_since(wait.since)
        .saturating_sub(earned)
}

//! The simulated time: the runtime's own, which passes only when nothing else can happen, and a wall clock that jumps.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

use crate::runtime::clock::{Clock, Sleep};
use crate::store::lock::lock;
use crate::time::UnixMillis;

/// The beginning of every simulation.
const EPOCH_MILLIS: u64 = 1_800_000_000_000;

/// The wall clock. Clones are the same clock.
#[derive(Clone, Debug, Default)]
pub struct SimClock(Arc<Mutex<Hands>>);

#[derive(Debug, Default)]
struct Hands {
    /// The time for which earlier processes ran.
    before: Duration,
    /// The start of the present one.
    since: Option<Instant>,
    /// By how much the wall clock is ahead, or behind.
    skew_millis: i64,
}

impl SimClock {
    /// A process begins; to be called in its runtime.
    pub fn begin(&self) {
        lock(&self.0).since = Some(Instant::now());
    }

    /// The process ends; to be called in its runtime.
    pub fn end(&self) {
        let mut hands = lock(&self.0);
        if let Some(since) = hands.since.take() {
            hands.before = hands.before.saturating_add(since.elapsed());
        }
    }

    /// Another clock that shows the same; to be called in the runtime of the process.
    #[must_use]
    pub fn copied(&self) -> Self {
        let before = self.passed();
        Self(Arc::new(Mutex::new(Hands {
            before,
            since: None,
            skew_millis: lock(&self.0).skew_millis,
        })))
    }

    /// Sets the wall clock forward, or back, by `millis`.
    pub fn jump(&self, millis: i64) {
        let mut hands = lock(&self.0);
        hands.skew_millis = hands.skew_millis.saturating_add(millis);
    }

    /// Sets the wall clock of a process that has not begun to this time.
    pub fn show(&self, time: UnixMillis) {
        let ahead = i64::try_from(time.get()).unwrap_or(i64::MAX);
        let from = i64::try_from(EPOCH_MILLIS).unwrap_or(i64::MAX);
        lock(&self.0).skew_millis = ahead.saturating_sub(from);
    }

    /// Returns the time that has truly passed.
    #[must_use]
    pub fn passed(&self) -> Duration {
        let hands = lock(&self.0);
        let now = hands.since.map_or(Duration::ZERO, |since| since.elapsed());
        hands.before.saturating_add(now)
    }
}

impl Clock for SimClock {
    fn now(&self) -> UnixMillis {
        let elapsed = u64::try_from(self.passed().as_millis()).unwrap_or(u64::MAX);
        let skew = lock(&self.0).skew_millis;
        let now = EPOCH_MILLIS.saturating_add(elapsed);
        UnixMillis::new(now.saturating_add_signed(skew))
    }

    fn sleep(&self, after: Duration) -> Sleep {
        Box::pin(tokio::time::sleep(after))
    }
}

//! The simulated time: the runtime's own, which passes only when nothing else can happen, and a wall clock that jumps.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use switchboard_actors::domain::time::UnixMillis;
use switchboard_engine::runtime::clock::{Clock, Sleep};
use tokio::time::Instant;

/// When every simulation begins.
const EPOCH_MILLIS: u64 = 1_800_000_000_000;

/// The wall clock. Clones are the same clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct SimClock(Arc<Mutex<Hands>>);

#[derive(Debug, Default)]
struct Hands {
    /// How long earlier processes ran.
    before: Duration,
    /// When the present one was started.
    since: Option<Instant>,
    /// By how much the wall clock is ahead, or behind.
    skew_millis: i64,
}

impl SimClock {
    /// A process begins; to be called in its runtime.
    pub(crate) fn begin(&self) {
        self.0.lock().unwrap().since = Some(Instant::now());
    }

    /// The process ends; to be called in its runtime.
    pub(crate) fn end(&self) {
        let mut hands = self.0.lock().unwrap();
        if let Some(since) = hands.since.take() {
            hands.before += since.elapsed();
        }
    }

    /// Somebody sets the wall clock.
    pub(crate) fn jump(&self, millis: i64) {
        self.0.lock().unwrap().skew_millis += millis;
    }

    /// How much time has truly passed.
    pub(crate) fn passed(&self) -> Duration {
        let hands = self.0.lock().unwrap();
        hands.before + hands.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl Clock for SimClock {
    fn now(&self) -> UnixMillis {
        let passed = u64::try_from(self.passed().as_millis()).unwrap();
        let skew = self.0.lock().unwrap().skew_millis;
        UnixMillis::new((EPOCH_MILLIS + passed).saturating_add_signed(skew))
    }

    fn sleep(&self, after: Duration) -> Sleep {
        Box::pin(tokio::time::sleep(after))
    }
}

//! A clock that stands still until it is moved.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::runtime::clock::{Clock, Sleep};
use crate::time::UnixMillis;

/// A clock that stands still until it is moved. Clones are the same clock.
#[derive(Clone, Debug)]
pub struct ManualClock {
    hands: Arc<Mutex<Hands>>,
}

#[derive(Debug)]
struct Hands {
    now: UnixMillis,
    sleepers: BTreeMap<(UnixMillis, u64), oneshot::Sender<()>>,
    count: u64,
}

impl ManualClock {
    /// A clock that shows `now`.
    #[must_use]
    pub fn at(now: UnixMillis) -> Self {
        Self {
            hands: Arc::new(Mutex::new(Hands {
                now,
                sleepers: BTreeMap::new(),
                count: 0,
            })),
        }
    }

    /// Moves the clock on; sleepers that are due wake, in the order of their times.
    pub fn advance(&self, by: Duration) {
        let due = {
            let mut hands = self.hands();
            hands.now = hands.now.plus(by);
            let now = hands.now;
            let behind = hands.sleepers.split_off(&(now, u64::MAX));
            std::mem::replace(&mut hands.sleepers, behind)
        };
        for sleeper in due.into_values() {
            // The sleeper may have been dropped meanwhile.
            sleeper.send(()).unwrap_or_default();
        }
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for ManualClock {
    fn now(&self) -> UnixMillis {
        self.hands().now
    }

    fn sleep(&self, after: Duration) -> Sleep {
        if after.is_zero() {
            return Box::pin(std::future::ready(()));
        }
        let (wake, woken) = oneshot::channel();
        let mut hands = self.hands();
        hands.count = hands.count.saturating_add(1);
        let place = (hands.now.plus(after), hands.count);
        hands.sleepers.insert(place, wake);
        drop(hands);
        Box::pin(async move { woken.await.unwrap_or_default() })
    }
}

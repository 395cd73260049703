//! The state machine with its clock, behind one lock; and the waits for its changes.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, watch};

use crate::bounds::LARGE_BODIES_MAX;
use crate::clock::{Clock, Moment};
use crate::orders::{Advance, ClockState, OrderError};
use crate::state::Machine;

/// The longest sleep at a time.
const SLEEP_MAX: Duration = Duration::from_secs(3_600);
/// The most by which an order moves the clock: ten years, in seconds.
const ADVANCE_MAX: i64 = 10 * 366 * 86_400;

/// The last moment of the clock, in milliseconds: the end of the year 9999.
const CLOCK_MAX: i64 = 253_402_300_799_000;

/// The shared state.
#[derive(Debug)]
pub(crate) struct Shared {
    inner: Mutex<Inner>,
    changes: watch::Sender<u64>,
    /// The places of large bodies.
    pub(crate) bodies: Semaphore,
}

#[derive(Debug)]
struct Inner {
    machine: Machine,
    clock: Clock,
}

/// A place in the line of changes.
pub(crate) type Changes = watch::Receiver<u64>;

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            inner: Mutex::new(Inner {
                machine: Machine::new(),
                clock: Clock::running(),
            }),
            changes: watch::Sender::new(0),
            bodies: Semaphore::new(LARGE_BODIES_MAX),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads or changes the state without waking those who wait.
    pub(crate) fn quietly<T>(&self, act: impl FnOnce(&mut Machine, Moment) -> T) -> T {
        let mut inner = self.lock();
        let now = inner.clock.now();
        act(&mut inner.machine, now)
    }

    /// Changes the state, and wakes all who wait.
    pub(crate) fn change<T>(&self, act: impl FnOnce(&mut Machine, Moment) -> T) -> T {
        let outcome = self.quietly(act);
        self.wake();
        outcome
    }

    fn wake(&self) {
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Begins to note changes. Called before the look at the state that a wait follows.
    pub(crate) fn changes(&self) -> Changes {
        self.changes.subscribe()
    }

    /// Waits until the state or the clock has changed, or until a moment of the clock, if it runs.
    pub(crate) async fn wait(&self, changes: &mut Changes, until: Option<Moment>) {
        let clock = self.lock().clock;
        let millis = until.map(|it| it.saturating_sub(clock.now()).max(0));
        let wait = millis.map(|it| Duration::from_millis(u64::try_from(it).unwrap_or(0)));
        let sleep = async {
            match wait {
                Some(wait) if !clock.is_held() => {
                    // A timer never ends early, but the clock has parts of a millisecond.
                    let wait = wait + Duration::from_millis(1);
                    tokio::time::sleep(wait.min(SLEEP_MAX)).await;
                }
                Some(_) | None => std::future::pending().await,
            }
        };
        tokio::select! {
            outcome = changes.changed() => {
                // The sender lives as long as this.
                drop(outcome);
            }
            () = sleep => {}
        }
    }

    /// Waits until a moment of the clock.
    pub(crate) async fn wait_until(&self, until: Moment) {
        let mut changes = self.changes();
        while self.clock().now < until {
            self.wait(&mut changes, Some(until)).await;
        }
    }

    pub(crate) fn clock(&self) -> ClockState {
        let clock = self.lock().clock;
        ClockState {
            now: clock.now(),
            is_held: clock.is_held(),
        }
    }

    /// Holds, runs and moves the clock.
    pub(crate) fn set_clock(&self, order: Advance) -> Result<ClockState, OrderError> {
        let fields = [
            ("advance_seconds", order.advance_seconds, 1_000),
            ("advance_millis", order.advance_millis, 1),
        ];
        let mut millis: i64 = 0;
        for (path, number, unit) in fields {
            let number = number.unwrap_or_default();
            let most = ADVANCE_MAX.saturating_mul(1_000) / unit;
            if !(0..=most).contains(&number) {
                let text = format!("the clock moves forward, by at most {most}");
                return Err(OrderError::one(path, text));
            }
            millis = millis.saturating_add(number.saturating_mul(unit));
        }
        {
            let mut inner = self.lock();
            if inner.clock.now().saturating_add(millis) > CLOCK_MAX {
                let text = "the clock ends with the year 9999";
                return Err(OrderError::one("advance_seconds", text));
            }
            match order.hold {
                Some(true) if !inner.clock.is_held() => inner.clock.hold(),
                Some(false) if inner.clock.is_held() => inner.clock.run(),
                Some(_) | None => {}
            }
            inner.clock.advance(millis);
        }
        self.wake();
        Ok(self.clock())
    }
}

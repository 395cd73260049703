//! Timers: what is due is done, by a record that takes its timer away.
//!
//! A list of timers follows from the records. So a timer that was due while the service was down is found after its start.

use std::time::Duration;

use actix::Arbiter;
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable, select};
use tokio::sync::Notify;

use crate::domain::time::UnixMillis;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::table::Table;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::{Kernel, Shared};

/// The number of timers that are read at once.
const BATCH: usize = 128;
/// The pause before a timer that could not be read or stored is tried again.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest sleep. The clock of a machine can be set forward, and a sleep does not feel it.
const LONGEST_SLEEP: Duration = Duration::from_secs(600);

/// A list of timers.
pub(super) trait Timers: Send + Sync + 'static {
    /// The subject of a timer.
    type Subject: Send;
    /// The list, ordered by the time of each.
    const TABLE: Table;
    /// The subject in the log.
    const SUBJECT: &'static str;

    /// The time and the subject of a row.
    fn parse(row: &[u8]) -> Option<(UnixMillis, Self::Subject)>;

    /// Wakes the sleeper: a timer was set, perhaps for an earlier time than all others.
    fn news(shared: &Shared) -> &Notify;

    /// Does what is due now, and takes the timer away.
    fn act(
        &self,
        kernel: &Kernel,
        subject: Self::Subject,
    ) -> impl Future<Output = Result<(), UnavailableError>> + Send;
}

/// The wait before the next look at the timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// Until a timer is set: there is none.
    News,
    /// So long, or until a timer is set.
    AtMost(Duration),
}

/// Does what is due until it is aborted.
pub(super) fn start<T: Timers>(kernel: &Kernel, timers: T) -> AbortHandle {
    let (worker, handle) = abortable(run(kernel.clone(), timers));
    // It runs until it is aborted, so its result is of no use.
    Arbiter::current().spawn(worker.map(drop));
    handle
}

async fn run<T: Timers>(kernel: Kernel, timers: T) {
    loop {
        let wait = match act_on_due(&kernel, &timers).await {
            Ok(wait) => wait,
            Err(UnavailableError::Stopping) => return,
            Err(error) => {
                tracing::warn!(subject = T::SUBJECT, %error, "timers wait: they cannot be read now");
                Wait::AtMost(PAUSE)
            }
        };
        let news = T::news(&kernel.shared).notified();
        match wait {
            Wait::News => news.await,
            Wait::AtMost(longest) => {
                let sleep = kernel.clock.sleep(longest);
                select(Box::pin(news), sleep).await;
            }
        }
    }
}

/// Acts on all that is due now.
async fn act_on_due<T: Timers>(kernel: &Kernel, timers: &T) -> Result<Wait, UnavailableError> {
    let mut range = KeyRange::all();
    let mut is_left = false;
    loop {
        kernel.caught_up().await;
        let rows = kernel
            .index
            .scan(T::TABLE, &range, ScanOrder::Ascending, BATCH)?;
        for (key, _) in &rows {
            let Some((due, subject)) = T::parse(key) else {
                continue;
            };
            let now = kernel.clock.now();
            if due > now {
                return Ok(wait_for(due, now, is_left));
            }
            match timers.act(kernel, subject).await {
                Ok(()) => {}
                Err(UnavailableError::Stopping) => return Err(UnavailableError::Stopping),
                Err(error) => {
                    tracing::warn!(subject = T::SUBJECT, %error, "a timer is due and nothing can be done now; it is tried again");
                    is_left = true;
                }
            }
        }
        let Some((last, _)) = rows.last().filter(|_| rows.len() == BATCH) else {
            return Ok(if is_left {
                Wait::AtMost(PAUSE)
            } else {
                Wait::News
            });
        };
        range = KeyRange::all().behind(last.clone(), ScanOrder::Ascending);
    }
}

fn wait_for(due: UnixMillis, now: UnixMillis, is_left: bool) -> Wait {
    let longest = if is_left { PAUSE } else { LONGEST_SLEEP };
    Wait::AtMost(due.since(now).min(longest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sleep_ends_at_the_next_timer_and_is_not_too_long() {
        let wait = |secs, is_left| {
            let due = UnixMillis::from_secs(secs);
            wait_for(due, UnixMillis::from_secs(100), is_left)
        };
        assert_eq!(wait(103, false), Wait::AtMost(Duration::from_secs(3)));
        assert_eq!(wait(103, true), Wait::AtMost(Duration::from_secs(3)));
        assert_eq!(wait(9_000, false), Wait::AtMost(LONGEST_SLEEP));
        assert_eq!(wait(9_000, true), Wait::AtMost(PAUSE));
    }
}

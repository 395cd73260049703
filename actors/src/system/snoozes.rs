//! The waker: conversations whose snooze is due are open again, by a record.
//!
//! The list of timers follows from the records of conversations. So a timer that was due while the service was down is found
//! after its start.

use std::time::Duration;

use actix::Arbiter;
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable, select};

use crate::domain::conversation::wake_conversation::WakeConversation;
use crate::domain::id::ConversationId;
use crate::domain::keys;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::error::UnavailableError;
use crate::shared::Kernel;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};

/// The number of timers that are read at once.
const BATCH: usize = 128;
/// The pause before a timer that could not be read or stored is tried again.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest sleep. The clock of a machine can be set forward, and a sleep does not feel it.
const LONGEST_SLEEP: Duration = Duration::from_secs(600);

/// The wait before the next look at the timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// Until a conversation is snoozed: there is no timer.
    Snooze,
    /// So long, or until a conversation is snoozed.
    AtMost(Duration),
}

/// Wakes conversations until it is aborted.
pub(super) fn start_waker(kernel: &Kernel) -> AbortHandle {
    let (waker, handle) = abortable(wake(kernel.clone()));
    // It runs until it is aborted, so its result is of no use.
    Arbiter::current().spawn(waker.map(drop));
    handle
}

async fn wake(kernel: Kernel) {
    loop {
        let wait = match wake_due(&kernel).await {
            Ok(wait) => wait,
            Err(UnavailableError::Stopping) => return,
            Err(error) => {
                tracing::warn!(%error, "snoozed conversations wait: their times cannot be read now");
                Wait::AtMost(PAUSE)
            }
        };
        let snoozed = kernel.shared.snoozed.notified();
        match wait {
            Wait::Snooze => snoozed.await,
            Wait::AtMost(longest) => {
                let sleep = kernel.clock.sleep(longest);
                select(Box::pin(snoozed), sleep).await;
            }
        }
    }
}

/// Wakes all that is due now.
async fn wake_due(kernel: &Kernel) -> Result<Wait, UnavailableError> {
    let mut range = KeyRange::all();
    let mut is_left = false;
    loop {
        kernel.caught_up().await;
        let rows = kernel
            .index
            .scan(tables::SNOOZED, &range, ScanOrder::Ascending, BATCH)?;
        for (key, _) in &rows {
            let Some((until, conversation)) = keys::snooze::parse_row(key) else {
                continue;
            };
            let now = kernel.clock.now();
            if until > now {
                return Ok(wait_for(until, now, is_left));
            }
            match wake_one(kernel, conversation).await {
                Ok(()) => {}
                Err(UnavailableError::Stopping) => return Err(UnavailableError::Stopping),
                Err(error) => {
                    tracing::warn!(%conversation, %error, "a snoozed conversation is due and cannot be opened now; it is tried again");
                    is_left = true;
                }
            }
        }
        let Some((last, _)) = rows.last().filter(|_| rows.len() == BATCH) else {
            return Ok(if is_left {
                Wait::AtMost(PAUSE)
            } else {
                Wait::Snooze
            });
        };
        range = KeyRange::all().behind(last.clone(), ScanOrder::Ascending);
    }
}

fn wait_for(until: UnixMillis, now: UnixMillis, is_left: bool) -> Wait {
    let longest = if is_left { PAUSE } else { LONGEST_SLEEP };
    Wait::AtMost(until.since(now).min(longest))
}

async fn wake_one(kernel: &Kernel, conversation: ConversationId) -> Result<(), UnavailableError> {
    let woken = execute(kernel, &conversation, WakeConversation::Due).await;
    woken.map(drop).map_err(unavailable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_waker_sleeps_until_the_next_timer_and_not_too_long() {
        let wait = |secs, is_left| {
            let until = UnixMillis::from_secs(secs);
            wait_for(until, UnixMillis::from_secs(100), is_left)
        };
        assert_eq!(wait(103, false), Wait::AtMost(Duration::from_secs(3)));
        assert_eq!(wait(103, true), Wait::AtMost(Duration::from_secs(3)));
        assert_eq!(wait(9_000, false), Wait::AtMost(LONGEST_SLEEP));
        assert_eq!(wait(9_000, true), Wait::AtMost(PAUSE));
    }
}

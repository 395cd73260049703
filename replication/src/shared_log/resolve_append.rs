//! Finds out whether an entry is stored, however often that is unknown at first: the same bytes go to the same position until
//! the log says so.

use super::log::{AppendError, SharedLog, Stored};
use super::lookup::stored_at;
use crate::position::Position;

/// The pause between two attempts.
pub trait RetryPause: Send {
    /// Waits before the next attempt; false: the attempts are to end, and whether the entry is stored stays unknown.
    fn wait(&mut self, attempts: u32, reason: &str) -> bool;

    /// Returns whether the process ends: long work that can be done later is not begun.
    fn is_ending(&self) -> bool {
        false
    }
}

/// The outcome of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// It is in the log.
    Stored,
    /// Another one is at its position.
    Taken(Stored),
    /// It is not stored and will not be.
    Refused(String),
    /// It may be stored by now, later, or never.
    Unknown(String),
}

/// Stores an entry behind `after`.
pub(super) fn resolve_append(
    log: &mut dyn SharedLog,
    after: Position,
    entry: &[u8],
    waiting: &mut dyn RetryPause,
) -> Resolved {
    // An attempt whose outcome is unknown may be carried out at any later time.
    let mut may_come = false;
    for attempts in 1.. {
        let reason = match log.append(after, entry) {
            Ok(()) => return Resolved::Stored,
            Err(AppendError::Refused(reason)) if !may_come => return Resolved::Refused(reason),
            Err(AppendError::Refused(reason)) => reason,
            Err(AppendError::Unknown(reason)) => {
                may_come = true;
                reason
            }
            Err(AppendError::Taken) => match stored_at(log, after.next()) {
                Ok(stored) if stored.bytes == entry => return Resolved::Stored,
                Ok(stored) => return Resolved::Taken(stored),
                Err(error) => error.to_string(),
            },
        };
        if !waiting.wait(attempts, &reason) {
            return Resolved::Unknown(reason);
        }
    }
    Resolved::Unknown(String::new())
}

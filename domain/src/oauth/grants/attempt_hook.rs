//! An attempt to send the report of an uninstallation begins, or failed.
//!
//! An attempt is stored before it is made, with the time of the next one. So an attempt during which the process ends counts
//! as well, and the next one is not made at once.

use std::convert::Infallible;
use std::time::Duration;

use crate::Decision;
use crate::oauth::grants::Grants;
use crate::oauth::grants::event::GrantsEvent;
use crate::oauth::grants::grant::{PendingHook, WaitingHook};
use switchboard_engine::state::{Command, Moment};

/// The stored part of an attempt.
#[derive(Clone, Debug)]
pub enum AttemptHook {
    /// It begins. The next one is due after this time.
    Begins(PendingHook, Duration),
    /// The client did not accept the report, or could not be asked.
    Failed(PendingHook),
}

impl Command for AttemptHook {
    type Of = Grants;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Grants,
        moment: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, ()>, Infallible> {
        let (Self::Begins(hook, _) | Self::Failed(hook)) = &self;
        let Some(pending) = state.waiting(hook).cloned() else {
            return Ok(Decision::unchanged(()));
        };
        let waiting = match self {
            Self::Begins(_, wait) => WaitingHook {
                attempts: pending.attempts.saturating_add(1),
                interrupted: pending.interrupted.saturating_add(1),
                due: moment.now.plus(wait),
                ..pending
            },
            Self::Failed(_) => WaitingHook {
                interrupted: 0,
                ..pending
            },
        };
        Ok(Decision::event(GrantsEvent::HookAttempted { waiting }, ()))
    }
}

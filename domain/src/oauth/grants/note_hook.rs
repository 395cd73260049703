//! The report of an uninstallation arrived, or was given up.

use std::convert::Infallible;

use crate::Decision;
use crate::audit::By;
use crate::oauth::grants::Grants;
use crate::oauth::grants::event::GrantsEvent;
use crate::oauth::grants::grant::PendingHook;
use crate::oauth::grants::revoke::entry;
use switchboard_engine::state::{Command, Moment};

/// The report ended.
#[derive(Clone, Debug)]
pub struct NoteHook {
    /// The report.
    pub hook: PendingHook,
    /// The outcome, in a few words.
    pub outcome: String,
}

impl Command for NoteHook {
    type Of = Grants;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Grants,
        moment: &mut Moment<'_, GrantsEvent>,
    ) -> Result<Decision<GrantsEvent, ()>, Infallible> {
        let Some(waiting) = state.waiting(&self.hook) else {
            return Ok(Decision::unchanged(()));
        };
        let client = self.hook.client;
        let audit = entry(state, By::Service, "grant.uninstall_hook", client, moment)
            .change("outcome", serde_json::Value::Null, self.outcome)
            .change("attempts", serde_json::Value::Null, waiting.attempts);
        let event = GrantsEvent::HookEnded {
            hook: self.hook,
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, ()))
    }
}

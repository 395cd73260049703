//! The operator ends a job.

use crate::audit::{AuditEntry, By};
use crate::replays::{
    Decided, JobState, ReplayJob, Replays, ReplaysEvent, ReplaysRejection, decided,
};
use switchboard_engine::state::{Command, Moment};

/// An operator ends a job.
#[derive(Clone, Debug)]
pub struct CancelReplay {
    /// The actor, for the audit log.
    pub by: By,
    /// The job.
    pub number: u64,
}

impl Command for CancelReplay {
    type Of = Replays;
    type Reply = ReplayJob;
    type Rejection = ReplaysRejection;

    fn decide(self, state: &Replays, moment: &mut Moment<'_, ReplaysEvent>) -> Decided<ReplayJob> {
        let job = state.get(self.number).ok_or(ReplaysRejection::Unknown)?;
        if !job.is_running() {
            return Err(ReplaysRejection::Ended);
        }
        let new_state = JobState::Cancelled { at: moment.now };
        let audit = AuditEntry::new(self.by, "replay.cancel", self.number, moment);
        let after = ReplayJob {
            state: new_state,
            ..job.clone()
        };
        let event = ReplaysEvent::Ended {
            number: self.number,
            state: new_state,
            audit: Some(Box::new(audit)),
        };
        Ok(decided(event, after))
    }
}

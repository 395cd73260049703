//! The operator begins a job.

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::notice::Notice;
use crate::replays::{
    Decided, JobState, ReplayFilter, ReplayJob, Replays, ReplaysEvent, ReplaysRejection, decided,
};
use switchboard_engine::state::{Command, Moment};

/// A job begins.
#[derive(Clone, Debug)]
pub struct CreateReplay {
    /// The actor, for the audit log.
    pub by: By,
    /// The filter of the messages.
    pub filter: ReplayFilter,
}

impl Command for CreateReplay {
    type Of = Replays;
    type Reply = ReplayJob;
    type Rejection = ReplaysRejection;

    fn decide(self, state: &Replays, moment: &mut Moment<'_, ReplaysEvent>) -> Decided<ReplayJob> {
        let running = state.iter().filter(|job| job.is_running()).count();
        if running >= Replays::RUNNING_MAX {
            return Err(ReplaysRejection::TooMany);
        }
        let number = state.count.saturating_add(1);
        let mut audit = AuditEntry::new(self.by.clone(), "replay.create", number, moment);
        audit.account = self.filter.scope.as_ref().map(|scope| scope.account());
        let job = ReplayJob {
            number,
            filter: self.filter,
            by: self.by,
            began_at: moment.now,
            state: JobState::Running,
            behind: None,
            replayed: 0,
            skipped: 0,
        };
        let event = ReplaysEvent::Begun {
            job: Box::new(job.clone()),
            audit: Box::new(audit),
        };
        Ok(Decision {
            // The caller may no longer wait for the answer, but the job must run in any case.
            notices: vec![Notice::ReplayBegun],
            ..decided(event, job)
        })
    }
}

//! A page of a job is done.

use crate::replays::{Decided, JobState, Replays, ReplaysEvent, ReplaysRejection, decided};
use switchboard_engine::state::{Command, Moment};

/// A page of a job is done.
#[derive(Clone, Debug)]
pub struct NoteProgress {
    /// The job.
    pub number: u64,
    /// The last row that it passed; `None` when it is complete.
    pub behind: Option<Vec<u8>>,
    /// The number of messages queued again with this page.
    pub replayed: u64,
    /// The number of messages left alone.
    pub skipped: u64,
}

impl Command for NoteProgress {
    type Of = Replays;
    type Reply = ();
    type Rejection = ReplaysRejection;

    fn decide(self, state: &Replays, moment: &mut Moment<'_, ReplaysEvent>) -> Decided<()> {
        let job = state.get(self.number).ok_or(ReplaysRejection::Unknown)?;
        if !job.is_running() {
            return Err(ReplaysRejection::Ended);
        }
        let number = self.number;
        let event = match self.behind {
            Some(behind) => ReplaysEvent::Progressed {
                number,
                behind,
                replayed: job.replayed.saturating_add(self.replayed),
                skipped: job.skipped.saturating_add(self.skipped),
            },
            None => ReplaysEvent::Ended {
                number,
                state: JobState::Done { at: moment.now },
                audit: None,
            },
        };
        Ok(decided(event, ()))
    }
}

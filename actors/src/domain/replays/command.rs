//! Jobs are begun, go on, and end.

use crate::domain::Decision;
use crate::domain::audit::{AuditEntry, By};
use crate::domain::notice::Notice;
use crate::domain::replays::{JobState, ReplayFilter, ReplayJob, Replays, ReplaysEvent};
use switchboard_engine::state::{Command, Moment, Recorded};

/// Why nothing happens to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplaysRejection {
    /// There is none with this number.
    #[error("there is no such replay job, or it was removed from the list")]
    Unknown,
    /// It has ended.
    #[error("this replay job has already ended")]
    Ended,
    /// Too many run.
    #[error(
        "{} replays are under way already; wait until one ends, or end one",
        Replays::RUNNING_MAX
    )]
    TooMany,
}

type Decided<R> = Result<Decision<ReplaysEvent, R>, ReplaysRejection>;

/// A job begins.
#[derive(Clone, Debug)]
pub struct BeginReplay {
    /// Who wants it.
    pub by: By,
    /// What it sends again.
    pub filter: ReplayFilter,
}

impl Command for BeginReplay {
    type Of = Replays;
    type Reply = ReplayJob;
    type Rejection = ReplaysRejection;

    fn decide(
        self,
        state: &Replays,
        _found: &[Option<Recorded<ReplaysEvent>>],
        moment: &mut Moment<'_>,
    ) -> Decided<ReplayJob> {
        let running = state.iter().filter(|job| job.is_running()).count();
        if running >= Replays::RUNNING_MAX {
            return Err(ReplaysRejection::TooMany);
        }
        let number = state.count.saturating_add(1);
        let mut audit = AuditEntry::new(self.by.clone(), "replay.begin", number, moment);
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
        let begun = ReplaysEvent::Begun {
            job: Box::new(job.clone()),
            audit: Box::new(audit),
        };
        Ok(Decision {
            // Whoever wants it may not hear of it any more, and it is to be done all the same.
            notices: vec![Notice::ReplayBegun],
            ..decided(begun, job)
        })
    }
}

/// A page of a job is done.
#[derive(Clone, Debug)]
pub struct NoteProgress {
    /// The job.
    pub number: u64,
    /// Behind which row it goes on; `None` when it is through.
    pub behind: Option<Vec<u8>>,
    /// How many messages were queued again with this page.
    pub replayed: u64,
    /// How many were left alone.
    pub skipped: u64,
}

impl Command for NoteProgress {
    type Of = Replays;
    type Reply = ();
    type Rejection = ReplaysRejection;

    fn decide(
        self,
        state: &Replays,
        _found: &[Option<Recorded<ReplaysEvent>>],
        moment: &mut Moment<'_>,
    ) -> Decided<()> {
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

/// An operator ends a job.
#[derive(Clone, Debug)]
pub struct CancelReplay {
    /// Who does it.
    pub by: By,
    /// The job.
    pub number: u64,
}

impl Command for CancelReplay {
    type Of = Replays;
    type Reply = ReplayJob;
    type Rejection = ReplaysRejection;

    fn decide(
        self,
        state: &Replays,
        _found: &[Option<Recorded<ReplaysEvent>>],
        moment: &mut Moment<'_>,
    ) -> Decided<ReplayJob> {
        let job = state.get(self.number).ok_or(ReplaysRejection::Unknown)?;
        if !job.is_running() {
            return Err(ReplaysRejection::Ended);
        }
        let ended = JobState::Cancelled { at: moment.now };
        let audit = AuditEntry::new(self.by, "replay.cancel", self.number, moment);
        let after = ReplayJob {
            state: ended,
            ..job.clone()
        };
        let event = ReplaysEvent::Ended {
            number: self.number,
            state: ended,
            audit: Some(Box::new(audit)),
        };
        Ok(decided(event, after))
    }
}

fn decided<R>(event: ReplaysEvent, reply: R) -> Decision<ReplaysEvent, R> {
    Decision {
        events: vec![event.into()],
        notices: Vec::new(),
        reply,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::fate::Fate;
    use crate::domain::time::UnixMillis;
    use switchboard_engine::state::State;

    fn run<C: Command<Of = Replays>>(
        state: &mut Replays,
        command: C,
    ) -> Result<C::Reply, C::Rejection> {
        let mut moment = Moment {
            now: UnixMillis::from_secs(5),
            random: &mut || [7; 16],
        };
        let decision = command.decide(state, &[], &mut moment)?;
        for recorded in &decision.events {
            state.apply(&recorded.event);
        }
        Ok(decision.reply)
    }

    fn begin(state: &mut Replays) -> Result<ReplayJob, ReplaysRejection> {
        let filter = ReplayFilter {
            fate: Some(Fate::Dead),
            ..ReplayFilter::default()
        };
        let by = By::Operator;
        run(state, BeginReplay { by, filter })
    }

    fn page(number: u64, behind: Option<&[u8]>) -> NoteProgress {
        NoteProgress {
            number,
            behind: behind.map(<[u8]>::to_vec),
            replayed: 3,
            skipped: 1,
        }
    }

    #[test]
    fn a_job_counts_its_pages_and_ends_behind_the_last_one() {
        let mut state = Replays::default();
        let number = begin(&mut state).unwrap().number;
        run(&mut state, page(number, Some(b"a"))).unwrap();
        run(&mut state, page(number, Some(b"b"))).unwrap();
        let job = state.running().unwrap();
        assert_eq!((job.replayed, job.skipped), (6, 2));
        assert_eq!(job.behind.as_deref(), Some(b"b".as_slice()));
        run(&mut state, page(number, None)).unwrap();
        assert_eq!(state.running(), None);
        let again = run(&mut state, page(number, None));
        assert_eq!(again, Err(ReplaysRejection::Ended));
    }

    #[test]
    fn a_job_that_was_ended_does_no_further_page() {
        let mut state = Replays::default();
        let number = begin(&mut state).unwrap().number;
        let cancel = CancelReplay {
            by: By::Operator,
            number,
        };
        run(&mut state, cancel.clone()).unwrap();
        let ended = Err(ReplaysRejection::Ended);
        assert_eq!(run(&mut state, page(number, Some(b"a"))), ended);
        assert_eq!(
            run(&mut state, cancel).map(drop),
            Err(ReplaysRejection::Ended)
        );
    }

    #[test]
    fn few_run_and_few_are_remembered() {
        let mut state = Replays::default();
        for _ in 0..3 * Replays::KEPT {
            let number = begin(&mut state).unwrap().number;
            run(&mut state, page(number, None)).unwrap();
        }
        assert_eq!(state.iter().count(), Replays::KEPT);
        for _ in 0..Replays::RUNNING_MAX {
            begin(&mut state).unwrap();
        }
        assert_eq!(begin(&mut state), Err(ReplaysRejection::TooMany));
    }

    #[test]
    fn a_filter_names_the_rows_it_means() {
        let scope: crate::domain::id::ScopeId = "messenger_af9945ff-1490-4cad-807d-945c15d88bec"
            .parse()
            .unwrap();
        let mut filter = ReplayFilter {
            scope: Some(scope.clone()),
            ..ReplayFilter::default()
        };
        let conversation = crate::domain::id::ConversationId::from_random([1; 16]);
        for fate in Fate::ALL {
            let row = crate::domain::keys::undelivered_row(fate, &scope, conversation, 7);
            let meant = |filter: &ReplayFilter| {
                let prefixes = filter.prefixes();
                prefixes.iter().any(|prefix| row.starts_with(prefix))
            };
            assert!(meant(&filter));
            filter.fate = Some(Fate::Dead);
            assert_eq!(meant(&filter), fate == Fate::Dead);
            filter.fate = None;
        }
    }
}

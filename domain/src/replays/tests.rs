//! A job from its beginning to its end.

use super::cancel::CancelReplay;
use super::create::CreateReplay;
use super::note_progress::NoteProgress;
use super::{ReplayFilter, ReplayJob, Replays, ReplaysRejection};
use crate::audit::By;
use crate::fate::Fate;
use crate::time::UnixMillis;
use switchboard_engine::state::{Command, Moment, State};

fn run<C: Command<Of = Replays>>(
    state: &mut Replays,
    command: C,
) -> Result<C::Reply, C::Rejection> {
    let mut moment = Moment {
        now: UnixMillis::from_secs(5),
        random: &mut || [7; 16],
        earlier: &[],
    };
    let decision = command.decide(state, &mut moment)?;
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
    run(state, CreateReplay { by, filter })
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
fn a_replay_job_counts_its_pages_and_ends_after_the_last_one() {
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
fn a_stopped_replay_job_processes_no_further_page() {
    let mut state = Replays::default();
    let number = begin(&mut state).unwrap().number;
    let cancel = CancelReplay {
        by: By::Operator,
        number,
    };
    run(&mut state, cancel.clone()).unwrap();
    let rejection = Err(ReplaysRejection::Ended);
    assert_eq!(run(&mut state, page(number, Some(b"a"))), rejection);
    assert_eq!(
        run(&mut state, cancel).map(drop),
        Err(ReplaysRejection::Ended)
    );
}

#[test]
fn the_number_of_running_and_kept_replay_jobs_is_bounded() {
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
fn a_filter_selects_only_the_rows_it_names() {
    let scope: crate::id::ScopeId = "messenger_af9945ff-1490-4cad-807d-945c15d88bec"
        .parse()
        .unwrap();
    let mut filter = ReplayFilter {
        scope: Some(scope.clone()),
        ..ReplayFilter::default()
    };
    let conversation = crate::id::ConversationId::from_random([1; 16]);
    for fate in Fate::ALL {
        let row = crate::keys::undelivered_row(fate, &scope, conversation, 7);
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

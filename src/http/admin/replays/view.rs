//! Jobs as the operator sees them.

use serde_json::{Value, json};
use switchboard_actors::domain::lane::Fate;
use switchboard_actors::domain::replays::{JobState, ReplayJob};
use switchboard_actors::domain::time::UnixMillis;

/// A job: what it sends again, and how far it is.
pub(super) fn job(job: &ReplayJob) -> Value {
    let (state, ended) = match job.state {
        JobState::Running => ("running", None),
        JobState::Done { at } => ("done", Some(at)),
        JobState::Cancelled { at } => ("cancelled", Some(at)),
    };
    let filter = &job.filter;
    let fate = filter.fate.map(|fate| match fate {
        Fate::Dead => "dead",
        Fate::Cancelled => "cancelled",
    });
    json!({
        "id": job.number,
        "state": state,
        "filter": {
            "state": fate,
            "channel_id": filter.channel,
            "scope_id": filter.scope,
            "conversation_id": filter.conversation,
        },
        "began_at": job.began_at.secs(),
        "ended_at": ended.map(UnixMillis::secs),
        "replayed": job.replayed,
        "skipped": job.skipped,
    })
}

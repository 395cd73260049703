//! Jobs as the operator sees them.

use serde_json::{Value, json};
use switchboard_actors::domain::fate::Fate;
use switchboard_actors::domain::replays::{JobState, ReplayJob};
use switchboard_actors::domain::time::UnixMillis;

use crate::http::openapi::{Schema, must};

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

/// A job.
pub(super) fn schema() -> Schema {
    let filter = Schema::object([
        must("state", Schema::words(["dead", "cancelled"]).or_null()),
        must("channel_id", Schema::text().or_null()),
        must("scope_id", Schema::text().or_null()),
        must("conversation_id", Schema::uuid().or_null()),
    ]);
    let job = Schema::object([
        must("id", Schema::number()),
        must("state", Schema::words(["running", "done", "cancelled"])),
        must("filter", filter),
        must("began_at", Schema::seconds()),
        must("ended_at", Schema::seconds().or_null()),
        must("replayed", Schema::count()),
        must("skipped", Schema::count()),
    ]);
    Schema::named("ReplayJob", job)
}

//! Jobs as the operator sees them: what is sent again, and how far it is.

use switchboard_actors::domain::fate::Fate;
use switchboard_actors::domain::id::{ChannelId, ConversationId, ScopeId};
use switchboard_actors::domain::replays::{self, JobState, ReplayFilter};

use crate::openapi::Seconds;

view! {
    pub(super) struct ReplayJob<'j>(job: &'j replays::ReplayJob) [
        let (state, ended) = match job.state {
            JobState::Running => ("running", None),
            JobState::Done { at } => ("done", Some(at)),
            JobState::Cancelled { at } => ("cancelled", Some(at)),
        };
    ] {
        #[schemars(range(min = 1))]
        id: u64 = job.number,
        #[schemars(extend("enum" = ["running", "done", "cancelled"]))]
        state: &'static str = state,
        filter: Filter<'j> = Filter::new(&job.filter),
        began_at: Seconds = job.began_at.into(),
        ended_at: Option<Seconds> = ended.map(Seconds::from),
        replayed: u64 = job.replayed,
        skipped: u64 = job.skipped,
    }

    #[schemars(inline)]
    pub(super) struct Filter<'j>(filter: &'j ReplayFilter) {
        state: Option<Fate> = filter.fate,
        channel_id: Option<&'j ChannelId> = filter.channel.as_ref(),
        scope_id: Option<&'j ScopeId> = filter.scope.as_ref(),
        conversation_id: Option<ConversationId> = filter.conversation,
    }
}

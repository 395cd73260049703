//! The filter of deliveries, as a query and as a body name it.

use switchboard_actors::domain::id::{ChannelId, ConversationId, ScopeId};
use switchboard_actors::system::deliveries::{DeliveryFilter, StateFilter, StateGroup};
use switchboard_actors::wire::schema::Schema;
use switchboard_actors::wire::{body, body_values};

use crate::extract::query::Query;
use crate::reply::problem::Problem;

/// `state`, `group`, `channel_id`, `scope_id` and `conversation_id` of a query.
pub(crate) fn of_query(query: &Query) -> Result<DeliveryFilter, Problem> {
    let group = query.text("group").map(StateGroup::of_name).transpose();
    let state_group = group.map_err(|error| Problem::BadRequest(format!("group {error}")))?;
    Ok(DeliveryFilter {
        state: query.parsed::<StateFilter>("state")?,
        group: state_group.flatten(),
        channel: query.parsed("channel_id")?,
        scope: query.parsed("scope_id")?,
        conversation: query.parsed("conversation_id")?,
    })
}

body!(
    /// The same in a body, which must name at least one of them, so that no operator replays all deliveries by mistake.
    pub(in crate::admin) struct ReplayFilter {
        state: Option<Ended>,
        channel_id: Option<ChannelId>,
        scope_id: Option<ScopeId>,
        conversation_id: Option<ConversationId>,
    }
);

const ENDED: [(&str, Ended); 2] = [
    ("dead", Ended(StateFilter::Dead)),
    ("cancelled", Ended(StateFilter::Cancelled)),
];

body_values! {
    Ended: Schema::choice(&ENDED), |found| found.choice(&ENDED);
}

/// A state of what can be replayed.
#[derive(Clone, Copy)]
pub(in crate::admin) struct Ended(StateFilter);

impl ReplayFilter {
    /// The deliveries that are meant.
    pub(in crate::admin) fn filter(self) -> Result<DeliveryFilter, Problem> {
        let filter = DeliveryFilter {
            state: self.state.map(|Ended(state)| state),
            group: None,
            channel: self.channel_id,
            scope: self.scope_id,
            conversation: self.conversation_id,
        };
        if filter == DeliveryFilter::default() {
            return Err(Problem::BadRequest(
                "a filter is required: state, channel_id, scope_id or conversation_id".to_owned(),
            ));
        }
        Ok(filter)
    }
}

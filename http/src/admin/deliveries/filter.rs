//! Which deliveries are meant, as a query and as a body name it.

use switchboard_actors::system::deliveries::{DeliveryFilter, StateFilter, StateGroup};
use switchboard_actors::wire::json;
use switchboard_actors::wire::json::object::Nulls;

use crate::extract::query::Query;
use crate::openapi::{Schema, may};
use crate::reply::problem::Problem;

/// `state`, `group`, `channel_id`, `scope_id` and `conversation_id` of a query.
pub(crate) fn of_query(query: &Query) -> Result<DeliveryFilter, Problem> {
    let group = query.text("group").map(StateGroup::of_name).transpose();
    let group = group.map_err(|error| Problem::BadRequest(format!("group {error}")))?;
    Ok(DeliveryFilter {
        state: query.parsed::<StateFilter>("state")?,
        group: group.flatten(),
        channel: query.parsed("channel_id")?,
        scope: query.parsed("scope_id")?,
        conversation: query.parsed("conversation_id")?,
    })
}

/// The same of a body, which must name at least one of them, so that no operator replays all deliveries by mistake.
pub(crate) fn of_body(bytes: &[u8]) -> Result<DeliveryFilter, Problem> {
    let filter = json::read(bytes, Nulls::Refused, |body| {
        body.refuse_unknown(&["state", "channel_id", "scope_id", "conversation_id"]);
        let states = [
            ("dead", StateFilter::Dead),
            ("cancelled", StateFilter::Cancelled),
        ];
        Some(DeliveryFilter {
            state: body.optional_choice("state", &states),
            group: None,
            channel: body.optional_parsed("channel_id"),
            scope: body.optional_parsed("scope_id"),
            conversation: body.optional_parsed("conversation_id"),
        })
    });
    let filter = filter.map_err(Problem::from)?;
    if filter == DeliveryFilter::default() {
        return Err(Problem::BadRequest(
            "a filter is required: state, channel_id, scope_id or conversation_id".to_owned(),
        ));
    }
    Ok(filter)
}

/// The body that says which deliveries are meant.
pub(crate) fn schema() -> Schema {
    Schema::object([
        may("state", Schema::words(["dead", "cancelled"])),
        may("channel_id", Schema::text()),
        may("scope_id", Schema::text()),
        may("conversation_id", Schema::uuid()),
    ])
    .needing_one_field()
}

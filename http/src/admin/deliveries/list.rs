//! `GET /admin/v1/deliveries`: the recent ones, the newest first, then what is older and has not arrived, by channel,
//! scope, conversation and number.
//!
//! A page may be shorter than `limit`, even empty, though there are more: `next` says where to go on. What was delivered
//! and is not recent any more is found by its id.

use actix_web::HttpResponse;
use switchboard_actors::system::deliveries::{DeliveryCursor, StateGroup};

use crate::admin::deliveries::filter;
use crate::admin::deliveries::view::DeliverySummary;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::inbox::view::CALLBACK_STATES;
use crate::openapi::{Operation, Schema};
use crate::reply::list;
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(
        &access.request,
        &[
            "state",
            "group",
            "channel_id",
            "scope_id",
            "conversation_id",
        ],
    )?;
    let limit = query.entries()?;
    let filter = filter::of_query(&query)?;
    let after = query.cursor(DeliveryCursor::from_text)?;
    let page = access
        .system()
        .deliveries(&filter, after.as_ref(), limit)
        .await?;
    let next = page.next.map(|cursor| cursor.to_text());
    let deliveries = page.entries.iter().map(DeliverySummary::new);
    Ok(list::page("deliveries", deliveries, next))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listDeliveries",
        "List deliveries.",
    )
    .says(
        "First the recent deliveries, newest first, in any state: at most requests.keep_deliveries_per_channel of each channel, in memory, so none right after a start. Then older deliveries that have not arrived, by channel, scope, conversation and number. Get an older delivered one by the id of its message.",
    )
    .query("state", Schema::words(CALLBACK_STATES))
    .query(
        "group",
        Schema::words(StateGroup::NAMES).says(
            "Several states at once. `waiting`: queued, sending, waiting or held. `failed`: dead or cancelled.",
        ),
    )
    .query("channel_id", Schema::text())
    .query("scope_id", Schema::text())
    .query("conversation_id", Schema::uuid())
    .cursor()
    .answers_next::<DeliverySummary<'_>>("deliveries", "A page. It may be short, even empty, while `next` is there.")
}

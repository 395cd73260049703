//! `GET /admin/v1/deliveries`: the recent ones, the newest first, then what is older and has not arrived, by channel,
//! scope, conversation and number.
//!
//! A page may be shorter than `limit`, even empty, though there are more: `next` says where to go on. What was delivered
//! and is not recent any more is found by its id.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::system::deliveries::{DeliveryCursor, StateGroup};

use crate::http::admin::deliveries::{filter, view};
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::inbox;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    _: Operator,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let limit = usize::try_from(query.limit()?).unwrap_or(1);
    let filter = filter::of_query(&query)?;
    let after = match query.text("cursor") {
        None => None,
        Some(text) => Some(DeliveryCursor::from_text(text).ok_or_else(|| {
            Problem::BadRequest(
                "cursor must be the «next» of an earlier page of this list".to_owned(),
            )
        })?),
    };
    let page = state
        .system()
        .deliveries(&filter, after.as_ref(), limit)
        .await?;
    let deliveries: Vec<Value> = page.entries.iter().map(view::summary).collect();
    let next = page.next.map(|cursor| cursor.to_text());
    Ok(HttpResponse::Ok().json(json!({ "deliveries": deliveries, "next": next })))
}

pub(crate) fn describe() -> Operation {
    let list = Schema::object([
        must("deliveries", Schema::list(view::summary_schema())),
        must("next", Schema::text().or_null()),
    ]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "listDeliveries",
        "Lists what was sent and what is to be sent.",
    )
    .says(
        "First the recent deliveries, the newest first, whatever became of them: so many of each channel as \
         requests.keep_deliveries_per_channel says, in memory, so none right after a start. Then those that are older and \
         have not arrived, by channel, scope, conversation and number. An older one that was delivered is found by the id \
         of its message.",
    )
    .query("state", inbox::view::callback_states())
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
    .answers(
        200,
        "A page. It may be short, even empty, while `next` is there.",
        list,
    )
}

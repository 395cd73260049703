//! `POST /admin/v1/replays`: everything that the filter means is sent again, if it was given up or cancelled until now.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::{ChannelId, ScopeId};
use switchboard_actors::system::deliveries::DeliveryFilter;
use switchboard_actors::wire::body::Body;

use crate::admin::deliveries::filter::ReplayFilter;
use crate::admin::replays::refused;
use crate::admin::replays::view::ReplayJob;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn create(
    access: Access<Operator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let body: ReplayFilter = access.json(payload).await?;
    let filter = body.filter()?;
    if let Some(unknown) = unknown_channel(&access.state, &filter) {
        return Err(Problem::NotFound(format!(
            "there is no such channel: {unknown}"
        )));
    }
    let result = access.system().create_replay(By::Operator, &filter).await;
    let job = result.map_err(refused)?.ok_or_else(|| {
        Problem::NotFound(
            "there is no such conversation, or it is not of this scope and channel".to_owned(),
        )
    })?;
    Ok(HttpResponse::Accepted().json(ReplayJob::new(&job)))
}

/// The channel that the filter names, itself or as that of a scope, and that is not there.
fn unknown_channel<'f>(state: &AppState, filter: &'f DeliveryFilter) -> Option<&'f ChannelId> {
    let of_scope = filter.scope.as_ref().map(ScopeId::channel);
    let mut channels = filter.channel.iter().chain(of_scope);
    channels.find(|channel| state.system().channel(channel).is_none())
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "createReplay",
        "Replay all dead or cancelled deliveries that match a filter.",
    )
    .body(
        ReplayFilter::schema().needing_one_field(),
        json!({ "state": "dead" }),
    )
    .gives::<ReplayJob<'_>>(202, "The job. It continues after a crash.")
    .refuses(
        404,
        "There is no such channel, or no such conversation of this scope and channel.",
    )
    .refuses(409, "Too many jobs are running.")
}

//! `POST /admin/v1/channels/{id}/pause` and `/resume`: no callback of the channel is sent until it is resumed, and then
//! they go again in the order in which they were written. Account users can write all the time.

use actix_web::{HttpResponse, web};
use switchboard_actors::domain::audit::By;

use crate::admin::channels::id_schema;
use crate::admin::channels::view::Channel;
use crate::admin::channels::{id, refused};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn pause(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    switch(&path, &access.state, true).await
}

pub(crate) async fn resume(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    switch(&path, &access.state, false).await
}

async fn switch(path: &str, state: &AppState, paused: bool) -> Result<HttpResponse, Problem> {
    let id = id(path)?;
    let result = state.system().pause_channel(By::Operator, id, paused).await;
    let channel = result.map_err(refused)?;
    Ok(HttpResponse::Ok().json(Channel::new(&channel, state.now())))
}

pub(crate) fn describe_pause() -> Operation {
    describe(
        "pauseChannel",
        "Pause the callbacks of a channel; they queue in order until it is resumed.",
    )
}

pub(crate) fn describe_resume() -> Operation {
    describe(
        "resumeChannel",
        "Resume the callbacks of a channel, queued ones first, in order.",
    )
}

fn describe(name: &'static str, summary: &'static str) -> Operation {
    Operation::operator(name, summary)
        .path("id", id_schema())
        .gives::<Channel<'_>>(200, "The channel as it is now.")
        .refuses(404, "There is no such channel.")
}

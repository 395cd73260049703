//! `PATCH /admin/v1/channels/{id}`: changes what is named and leaves the rest; `null` takes an address away.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::installation::channels::change::ChangeChannel;

use crate::http::admin::channels::id_schema;
use crate::http::admin::channels::view::Channel;
use crate::http::admin::channels::{body, id, refused};
use crate::http::extract::body::read_json;
use crate::http::extract::operator::Operator;
use crate::http::openapi::{Operation, Schema, may};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn change(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let change = body::change(&bytes, &state)?;
    let change = ChangeChannel {
        by: By::Operator,
        id,
        name: change.name,
        webhook_v1: change.webhook_v1,
        webhook_v2: change.webhook_v2,
        accounts: change.accounts,
        generation: change.generation,
        typing_callbacks: change.typing_callbacks,
        reaction_callbacks: change.reaction_callbacks,
        timeout_seconds: change.timeout_seconds,
    };
    let channel = state
        .system()
        .change_channel(change)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok().json(Channel::of(&channel, state.now())))
}

pub(crate) fn describe() -> Operation {
    let mut fields = body::fields();
    fields.push(may("name", Schema::line(255)));
    let example = json!({ "name": "Messenger", "webhook_v1": null });
    Operation::operator(
        "changeChannel",
        "Changes what is named and leaves the rest.",
    )
    .path("id", id_schema())
    .body(Schema::object(fields), example)
    .gives::<Channel<'_>>(200, "The channel as it is now.")
    .refuses(404, "There is no such channel.")
}

//! `PATCH /admin/v1/channels/{id}`: changes what is named and leaves the rest; `null` takes an address away.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::installation::channels::change::ChangeChannel;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;

use crate::admin::channels::id_schema;
use crate::admin::channels::view::Channel;
use crate::admin::channels::{body, id, refused};
use crate::extract::body::read_json;
use crate::extract::operator::Operator;
use crate::fields::of_change;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::state::AppState;

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
    let by = By::Operator;
    let change = ChangeChannel { by, id, change };
    let channel = state
        .system()
        .change_channel(change)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok().json(Channel::of(&channel, state.now())))
}

pub(crate) fn describe() -> Operation {
    let fields = of_change::<ChannelSettings>();
    let example = json!({ "name": "Messenger", "webhook_v1": null });
    Operation::operator("changeChannel", "Update a channel.")
        .says("Fields that the body does not name keep their values.")
        .path("id", id_schema())
        .body(Schema::object(fields), example)
        .gives::<Channel<'_>>(200, "The channel as it is now.")
        .refuses(404, "There is no such channel.")
}

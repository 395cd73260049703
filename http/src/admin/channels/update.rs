//! `PATCH /admin/v1/channels/{id}`: changes what is named and leaves the rest; `null` takes an address away.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::domain::installation::channels::update::UpdateChannel;
use switchboard_actors::wire::operator_body::channels::ChangedChannel;

use crate::admin::channels::view::Channel;
use crate::admin::channels::{id, id_schema, refused};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::fields;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn update(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let body: ChangedChannel = fields::read::<_, ChannelSettings, _>(&access, payload).await?;
    let change = UpdateChannel {
        by: By::Operator,
        id,
        change: body.change,
    };
    let channel = access
        .system()
        .update_channel(change)
        .await
        .map_err(refused)?;
    Ok(HttpResponse::Ok().json(Channel::new(&channel, access.state.now())))
}

pub(crate) fn describe() -> Operation {
    let example = json!({ "name": "Messenger", "webhook_v1": null });
    Operation::operator("updateChannel", "Update a channel.")
        .says("Fields that the body does not name keep their values.")
        .path("id", id_schema())
        .takes::<ChangedChannel>(example)
        .gives::<Channel<'_>>(200, "The channel as it is now.")
        .refuses(404, "There is no such channel.")
}

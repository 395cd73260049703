//! `POST /admin/v1/channels`: makes a channel. A secret that is made here is in this answer and in no other.

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::installation::channels::create::CreateChannel;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::wire::operator_body::channels::NewChannel;

use crate::admin::channels::refused;
use crate::admin::channels::view::ChannelMade;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::fields;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn create(
    access: Access<Operator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let new: NewChannel = fields::read::<_, ChannelSettings, _>(&access, payload).await?;
    let is_generated = new.secret.is_none();
    let create = CreateChannel {
        by: By::Operator,
        id: new.id,
        secret: new.secret,
        settings: new.settings,
    };
    let channel = access
        .system()
        .create_channel(create)
        .await
        .map_err(refused)?;
    let place = access.address(&format!("/admin/v1/channels/{}", channel.id));
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, place))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(ChannelMade::new(&channel, is_generated, access.state.now())))
}

pub(crate) fn describe() -> Operation {
    let example = json!({
        "name": "Second messenger",
        "webhook_v2": "https://example.com/in/:scope_id",
        "accounts": ["*"],
        "timeout_seconds": 5,
    });
    Operation::operator("createChannel", "Create a channel.")
        .takes::<NewChannel>(example)
        .gives::<ChannelMade<'_>>(
            201,
            "The channel, with its secret if that was made now: this once.",
        )
        .with_header(201, "Location", "Where the channel is.")
        .refuses(
            409,
            "There is a channel with this id, or there are too many.",
        )
}

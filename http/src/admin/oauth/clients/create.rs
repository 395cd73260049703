//! `POST /admin/v1/oauth-clients`: creates an OAuth client. A secret that is made here is in this answer and in no other.

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::clients::create::CreateOauthClient;
use switchboard_actors::domain::oauth::clients::settings::OauthClientSettings;
use switchboard_actors::wire::operator_body::oauth::NewClient;

use crate::admin::oauth::clients::refused;
use crate::admin::oauth::clients::view::OauthClientMade;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::fields;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn create(
    access: Access<Operator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let new: NewClient = fields::read::<_, OauthClientSettings, _>(&access, payload).await?;
    let is_generated = new.secret.is_none();
    let create = CreateOauthClient {
        by: By::Operator,
        id: new.id,
        secret: new.secret,
        settings: new.settings,
    };
    let result = access.system().create_oauth_client(create).await;
    let client = result.map_err(refused)?;
    let place = access.address(&format!("/admin/v1/oauth-clients/{}", client.id));
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, place))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(OauthClientMade::new(&client, is_generated)))
}

pub(crate) fn describe() -> Operation {
    let example = json!({
        "name": "Second bridge",
        "redirect_uri": "https://example.com/oauth/callback",
        "uninstall_hook": "https://example.com/oauth/uninstalled",
    });
    Operation::operator("createOauthClient", "Create an OAuth client.")
        .takes::<NewClient>(example)
        .gives::<OauthClientMade<'_>>(
            201,
            "The client, with its secret if that was made now: this once.",
        )
        .with_header(201, "Location", "Where the client is.")
        .refuses(
            409,
            "There is an OAuth client with this id, or there are too many.",
        )
}

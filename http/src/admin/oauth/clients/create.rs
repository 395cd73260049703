//! `POST /admin/v1/oauth-clients`: creates an OAuth client. A secret that is made here is in this answer and in no other.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::clients::create::CreateOauthClient;
use switchboard_actors::domain::oauth::clients::settings::{
    OauthClientChange, OauthClientSettings,
};
use switchboard_actors::wire::json::object::Nulls;
use switchboard_actors::wire::json::read;

use crate::admin::oauth::clients::view::OauthClientMade;
use crate::admin::oauth::clients::{refused, secret_schema};
use crate::base::Base;
use crate::extract::body::read_json;
use crate::extract::operator::Operator;
use crate::fields::{CheckedFields, of_new};
use crate::openapi::{Operation, Schema, may};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn create(
    _: Operator,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let create = read(&bytes, Nulls::Refused, |body| {
        let others = ["id", "secret"];
        let mut fields = CheckedFields::of_new::<OauthClientSettings>(body, &state, &others);
        let id = body.optional_parsed("id");
        let secret = body.optional_parsed("secret");
        let settings = OauthClientChange::read(&mut fields).complete();
        Some(CreateOauthClient {
            by: By::Operator,
            id,
            secret,
            settings: settings?,
        })
    })?;
    let made = create.secret.is_none();
    let client = state.system().create_oauth_client(create).await;
    let client = client.map_err(refused)?;
    let place = format!("{base}/admin/v1/oauth-clients/{}", client.id);
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, place))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(OauthClientMade::of(&client, made)))
}

pub(crate) fn describe() -> Operation {
    let id = Schema::uuid().says("Made when it is left out.");
    let own = [may("id", id), may("secret", secret_schema())];
    let fields = own.into_iter().chain(of_new::<OauthClientSettings>());
    let example = json!({
        "name": "Second bridge",
        "redirect_uri": "https://example.com/oauth/callback",
        "uninstall_hook": "https://example.com/oauth/uninstalled",
    });
    Operation::operator("createOauthClient", "Create an OAuth client.")
        .body(Schema::object(fields), example)
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

//! `PATCH /admin/v1/oauth-clients/{id}`: changes what is named and leaves the rest.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::clients::change::ChangeOauthClient;
use switchboard_actors::domain::oauth::clients::settings::{
    OauthClientChange, OauthClientSettings,
};
use switchboard_actors::wire::json::object::Nulls;
use switchboard_actors::wire::json::read;

use crate::admin::oauth::clients::view::OauthClient;
use crate::admin::oauth::clients::{id, of_one, refused};
use crate::extract::body::read_json;
use crate::extract::operator::Operator;
use crate::fields::{CheckedFields, of_change};
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
    let change = read(&bytes, Nulls::Refused, |body| {
        let mut fields = CheckedFields::of_change::<OauthClientSettings>(body, &state);
        Some(OauthClientChange::read(&mut fields))
    })?;
    let by = By::Operator;
    let change = ChangeOauthClient { by, id, change };
    let client = state.system().change_oauth_client(change).await;
    Ok(HttpResponse::Ok().json(OauthClient::of(&client.map_err(refused)?)))
}

pub(crate) fn describe() -> Operation {
    let fields = of_change::<OauthClientSettings>();
    let example = json!({ "redirect_uri": "https://example.com/oauth/callback" });
    of_one(Operation::operator(
        "changeOauthClient",
        "Update an OAuth client.",
    ))
    .says("Fields that the body does not name keep their values. Grants and tokens stay.")
    .body(Schema::object(fields), example)
    .gives::<OauthClient<'_>>(200, "The client as it is now.")
}

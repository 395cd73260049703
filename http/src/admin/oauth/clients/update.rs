//! `PATCH /admin/v1/oauth-clients/{id}`: changes what is named and leaves the rest.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::clients::settings::OauthClientSettings;
use switchboard_actors::domain::oauth::clients::update::UpdateOauthClient;
use switchboard_actors::wire::operator_body::oauth::ChangedClient;

use crate::admin::oauth::clients::view::OauthClient;
use crate::admin::oauth::clients::{id, of_one, refused};
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
    let body: ChangedClient = fields::read::<_, OauthClientSettings, _>(&access, payload).await?;
    let change = UpdateOauthClient {
        by: By::Operator,
        id,
        change: body.change,
    };
    let client = access.system().update_oauth_client(change).await;
    Ok(HttpResponse::Ok().json(OauthClient::new(&client.map_err(refused)?)))
}

pub(crate) fn describe() -> Operation {
    let example = json!({ "redirect_uri": "https://example.com/oauth/callback" });
    of_one(Operation::operator(
        "updateOauthClient",
        "Update an OAuth client.",
    ))
    .says("Fields that the body does not name keep their values. Grants and tokens stay.")
    .takes::<ChangedClient>(example)
    .gives::<OauthClient<'_>>(200, "The client as it is now.")
}

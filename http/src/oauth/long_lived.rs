//! `/inbox/v1/oauth-clients/{id}/tokens`: long-lived tokens. A token is in the answer that creates it and in no other.

use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::grants::grant::LONG_LIFE;
use switchboard_actors::domain::oauth::grants::long_lived::RevokeLongLivedRejection;
use switchboard_actors::domain::text::Name;
use switchboard_actors::system::oauth::ConsentRequest;
use switchboard_actors::wire;
use switchboard_actors::wire::body::value::Whole;

use crate::extract::body;
use crate::extract::caller::{GrantEnder, SignedInAdministrator};
use crate::oauth::account_host::AccountDomain;
use crate::oauth::view::LongLivedMade;
use crate::oauth::{id, refused};
use crate::openapi::{Asker, Operation, Schema, Tag};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// A day.
const LIFE_LEAST: i64 = 86_400;
/// Five years.
const LIFE_MOST: i64 = 5 * 365 * 86_400;

wire::body!(
    struct NewLongLived {
        /// The purpose of the token.
        name: Name,
        /// In seconds: a day to five years.
        expires_in_seconds: Whole<LIFE_LEAST, LIFE_MOST>,
    }
);

/// `POST …/tokens`: creates a long-lived token. Installs the client if the account has not.
pub(crate) async fn create(
    SignedInAdministrator(caller): SignedInAdministrator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let client = id(&path)?;
    let NewLongLived {
        name,
        expires_in_seconds,
    } = body::json(&request, payload, &state).await?;
    let consent = ConsentRequest {
        client,
        redirect_uri: None,
        challenge: None,
        scopes: None,
    };
    let system = state.system();
    let client = system
        .consentable(caller.account, &consent)
        .map_err(|rejection| refused(&rejection))?;
    let life = Duration::from_secs(expires_in_seconds.count()).clamp(LONG_LIFE.0, LONG_LIFE.1);
    let domain = AccountDomain::from_request(request.head(), &state).name;
    let result = system
        .create_long_lived(&caller, &client, name, life, domain)
        .await;
    let (token, text) =
        result.map_err(|refused| refused.into_error(|it| Problem::Conflict(it.to_string())))?;
    Ok(HttpResponse::Created()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(LongLivedMade::new(&token, &text)))
}

/// `DELETE …/tokens/{token}`: revokes a long-lived token.
pub(crate) async fn revoke(
    ender: GrantEnder,
    path: web::Path<(String, String)>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let client = id(&path.0)?;
    let caller = ender.for_client(client)?;
    let unknown = || Problem::NotFound(RevokeLongLivedRejection.to_string());
    let token = path.1.parse().map_err(|_not_a_number| unknown())?;
    let by = By::from(&caller);
    let system = state.system();
    let result = system
        .revoke_long_lived(by, caller.account, client, token)
        .await;
    result.map_err(|refused| refused.into_error(|RevokeLongLivedRejection| unknown()))?;
    Ok(HttpResponse::NoContent().finish())
}

pub(crate) fn describe_create() -> Operation {
    let example = json!({ "name": "nightly report", "expires_in_seconds": 31_536_000 });
    Operation::new(
        Tag::Oauth,
        Asker::SignedInAdministrator,
        "createLongLived",
        "Create a long-lived token of an OAuth client.",
    )
        .says("An access token without a refresh token. The client acts for the caller. Installs the client if the account has not.")
        .path("id", Schema::uuid())
        .takes::<NewLongLived>(example)
        .gives::<LongLivedMade<'_>>(201, "The token.")
        .refuses(403, "The client is not offered to the account.")
        .refuses(404, "There is no such client.")
        .refuses(409, "The client has too many long-lived tokens in the account.")
}

pub(crate) fn describe_revoke() -> Operation {
    Operation::ends_grants("revokeLongLived", "Revoke a long-lived token.")
        .says("The service refuses the token from the next request on.")
        .path("id", Schema::uuid())
        .path("token", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(404, "There is no such token.")
}

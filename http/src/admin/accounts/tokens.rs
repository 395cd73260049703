//! `/admin/v1/accounts/{id}/users/{user}/tokens`: bearer tokens. A token is in the answer that makes it and in no other.

use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::credentials::Token;
use switchboard_actors::domain::account::credentials::token::{
    CreateToken, CreateTokenRejection, UnknownToken,
};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::TokenId;
use switchboard_actors::domain::text::Name;
use switchboard_actors::domain::time::UnixMillis;

use crate::admin::accounts::read;
use crate::admin::accounts::users::holder;
use crate::extract::body::read_json;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds, may, must};
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The longest life of a token that has an end, in seconds: ten years.
const LIFE_MAX: i64 = 10 * 365 * 86_400;

/// `GET …/tokens`: the tokens that were not revoked, by number.
pub(crate) async fn list(
    _: Operator,
    path: web::Path<(String, String)>,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&request, &[])?;
    let holder = holder(&state, &path.0, &path.1).await?;
    let tokens = state.system().tokens(holder).await?;
    let now = state.now();
    let page = paging::smallest_first(&query, tokens.iter(), |token| token.id)?;
    let tokens = page.entries.into_iter();
    let tokens = tokens.map(|token| TokenView::of(token, now));
    Ok(list::page("tokens", tokens, page.next))
}

/// `POST …/tokens`: makes a token.
pub(crate) async fn create(
    _: Operator,
    path: web::Path<(String, String)>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let holder = holder(&state, &path.0, &path.1).await?;
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let now = state.now();
    let issue = read(&bytes, |body| {
        body.refuse_unknown(&["name", "expires_in_seconds"]);
        let name = body.required_parsed("name");
        let life = body.optional_integer("expires_in_seconds", 1..=LIFE_MAX);
        let life = life.and_then(|seconds| u64::try_from(seconds).ok());
        Some(CreateToken {
            by: By::Operator,
            name: name?,
            expires_at: life.map(|seconds| now.plus(Duration::from_secs(seconds))),
        })
    })?;
    let issued = state.system().create_token(holder, issue).await;
    let (token, made) = issued.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            CreateTokenRejection::TooMany | CreateTokenRejection::Expired => {
                Problem::Conflict(rejection.to_string())
            }
        })
    })?;
    Ok(HttpResponse::Created()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(TokenMade::of(&token, now, made.expose())))
}

/// `DELETE …/tokens/{token}`: revokes a token. It is refused from the next request on.
pub(crate) async fn revoke(
    _: Operator,
    path: web::Path<(String, String, String)>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let (account, user, token) = path.into_inner();
    let holder = holder(&state, &account, &user).await?;
    let unknown = || Problem::NotFound(UnknownToken.to_string());
    let token = token.parse().map_err(|_not_a_number| unknown())?;
    let revoked = state
        .system()
        .revoke_token(holder, By::Operator, token)
        .await;
    revoked.map_err(|refused| refused.into_error(|UnknownToken| unknown()))?;
    Ok(HttpResponse::NoContent().finish())
}

view! {
    #[schemars(inline)]
    pub(crate) struct TokenView<'t>(token: &'t Token, now: UnixMillis) {
        id: TokenId = token.id,
        name: &'t Name = &token.name,
        created_at: Seconds = token.created_at.into(),
        expires_at: Option<Seconds> = token.expires_at.map(Seconds::from),
        expired: bool = token.has_expired(now),
    }

    #[schemars(inline)]
    struct TokenMade<'t>(view: &'t Token, now: UnixMillis, token: &'t str) {
        #[serde(flatten)]
        view: TokenView<'t> = TokenView::of(view, now),
        /// Shown this once.
        token: &'t str = token,
    }
}

pub(crate) fn describe_list() -> Operation {
    Operation::operator("listTokens", "List the tokens of a user.")
        .says("Without the token that the configuration declares.")
        .path("id", Schema::uuid())
        .path("user", Schema::number())
        .cursor()
        .answers_next::<TokenView<'_>>("tokens", "A page, by number, without the secrets.")
        .refuses(404, "There is no such user.")
}

pub(crate) fn describe_create() -> Operation {
    let life = Schema::between(1, LIFE_MAX)
        .says("In seconds, at most ten years; for ever if it is left out.");
    let body = Schema::object([
        must("name", Schema::line(255)),
        may("expires_in_seconds", life),
    ]);
    let example = json!({ "name": "nightly report", "expires_in_seconds": 7_776_000 });
    Operation::operator("createToken", "Create a bearer token.")
        .says("Only this answer has the token; the service stores its hash.")
        .path("id", Schema::uuid())
        .path("user", Schema::number())
        .body(body, example)
        .gives::<TokenMade<'_>>(201, "The token.")
        .refuses(404, "There is no such user.")
        .refuses(409, "The user has too many tokens.")
}

pub(crate) fn describe_revoke() -> Operation {
    Operation::operator("revokeToken", "Revoke a token.")
        .says("The service refuses the token from the next request on.")
        .path("id", Schema::uuid())
        .path("user", Schema::number())
        .path("token", Schema::number())
        .answers_nothing(204, "On disk.")
        .refuses(404, "There is no such token.")
}

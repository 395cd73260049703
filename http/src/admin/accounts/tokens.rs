//! `/admin/v1/accounts/{id}/users/{user}/tokens`: bearer tokens. A token is in the answer that makes it and in no other.

use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::credentials::Token;
use switchboard_actors::domain::account::credentials::token::{
    CreateToken, CreateTokenRejection, RevokeTokenRejection,
};
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::TokenId;
use switchboard_actors::domain::text::Name;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::wire::body;
use switchboard_actors::wire::body::value::Whole;

use crate::admin::accounts::users::holder;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::list;
use crate::reply::paging;
use crate::reply::problem::Problem;

/// The longest life of a token that has an end, in seconds: ten years.
const LIFE_MAX: i64 = 10 * 365 * 86_400;

body!(
    struct NewToken {
        name: Name,
        /// In seconds, at most ten years; for ever if it is left out.
        expires_in_seconds: Option<Whole<1, LIFE_MAX>>,
    }
);

/// `GET …/tokens`: the tokens that were not revoked, by number.
pub(crate) async fn list(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &[])?;
    let holder = holder(&access.state, &path.0, &path.1).await?;
    let tokens = access.system().tokens(holder).await?;
    let now = access.state.now();
    let page = paging::smallest_first(&query, tokens.iter(), |token| token.id)?;
    let tokens = page.entries.into_iter();
    let views = tokens.map(|token| TokenView::new(token, now));
    Ok(list::page("tokens", views, page.next))
}

/// `POST …/tokens`: makes a token.
pub(crate) async fn create(
    access: Access<Operator>,
    path: web::Path<(String, String)>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let holder = holder(&access.state, &path.0, &path.1).await?;
    let body: NewToken = access.json(payload).await?;
    let now = access.state.now();
    let life = body.expires_in_seconds;
    let issue = CreateToken {
        by: By::Operator,
        name: body.name,
        expires_at: life.map(|seconds| now.plus(Duration::from_secs(seconds.count()))),
    };
    let issued = access.system().create_token(holder, issue).await;
    let (token, made) = issued.map_err(|refused| {
        refused.into_error(|rejection| match rejection {
            CreateTokenRejection::TooMany | CreateTokenRejection::Expired => {
                Problem::Conflict(rejection.to_string())
            }
        })
    })?;
    Ok(HttpResponse::Created()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(TokenMade::new(&token, now, made.expose())))
}

/// `DELETE …/tokens/{token}`: revokes a token. It is refused from the next request on.
pub(crate) async fn revoke(
    access: Access<Operator>,
    path: web::Path<(String, String, String)>,
) -> Result<HttpResponse, Problem> {
    let (account, user, token) = path.into_inner();
    let holder = holder(&access.state, &account, &user).await?;
    let unknown = || Problem::NotFound(RevokeTokenRejection.to_string());
    let token = token.parse().map_err(|_not_a_number| unknown())?;
    let revocation = access
        .system()
        .revoke_token(holder, By::Operator, token)
        .await;
    revocation.map_err(|refused| refused.into_error(|RevokeTokenRejection| unknown()))?;
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
        view: TokenView<'t> = TokenView::new(view, now),
        /// Shown this once.
        #[schemars(extend("x-secret" = true))]
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
    let example = json!({ "name": "nightly report", "expires_in_seconds": 7_776_000 });
    Operation::operator("createToken", "Create a bearer token.")
        .says("Only this answer has the token; the service stores its hash.")
        .path("id", Schema::uuid())
        .path("user", Schema::number())
        .takes::<NewToken>(example)
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

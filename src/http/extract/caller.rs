//! The account user who is asking, known by a bearer token or by the cookie of a session.
//!
//! A request with an `Authorization` header is judged by that alone, whatever cookies came along: rights of two users
//! are never merged. With a cookie, whatever changes something must also carry the session's CSRF token, which a page
//! of another site cannot know.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::{Either, FutureExt, LocalBoxFuture};
use switchboard_actors::Caller;
use switchboard_actors::domain::account::credentials::session::is_csrf_token;

use crate::http::extract::bearer;
use crate::http::extract::cookie;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// The header that carries a session's CSRF token.
pub(crate) const CSRF_HEADER: &str = "X-CSRF-Token";

/// An account user who may come in: a handler that takes one cannot be reached without.
pub(crate) struct AnyUser(pub(crate) Caller);

/// An administrator of an account.
pub(crate) struct Administrator(pub(crate) Caller);

/// An account user who signed in, with what the cookie holds.
pub(crate) struct SignedInUser {
    pub(crate) caller: Caller,
    pub(crate) secret: String,
}

/// Known at once, or once it is noted that a session is used.
type Known<T> = Either<Ready<Result<T, Problem>>, LocalBoxFuture<'static, Result<T, Problem>>>;

impl FromRequest for AnyUser {
    type Error = Problem;
    type Future = Known<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |identity| Ok(Self(identity.caller)))
    }
}

impl FromRequest for Administrator {
    type Error = Problem;
    type Future = Known<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |identity| {
            if identity.caller.is_admin {
                return Ok(Self(identity.caller));
            }
            Err(Problem::Forbidden(
                "Insufficient rights to call this method: it is for administrators of the account"
                    .to_owned(),
            ))
        })
    }
}

impl FromRequest for SignedInUser {
    type Error = Problem;
    type Future = Known<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |identity| {
            let caller = identity.caller;
            match identity.secret {
                Some(secret) => Ok(Self { caller, secret }),
                None => Err(Problem::BadRequest(
                    "this is for sessions; a bearer token is revoked by the operator".to_owned(),
                )),
            }
        })
    }
}

/// Who is asking, and by which session.
struct Identity {
    caller: Caller,
    secret: Option<String>,
}

fn known<T: 'static>(
    request: &HttpRequest,
    take: impl FnOnce(Identity) -> Result<T, Problem> + 'static,
) -> Known<T> {
    match identify(request) {
        Err(problem) => Either::Left(ready(Err(problem))),
        Ok((identity, None)) => Either::Left(ready(take(identity))),
        Ok((identity, Some(state))) => Either::Right(
            async move {
                if let Some(secret) = &identity.secret {
                    let kept = state.system().keep_session(&identity.caller, secret).await;
                    if let Err(unavailable) = kept {
                        // The session is good all the same; the next request tries again.
                        tracing::debug!(%unavailable, "that a session is used was not noted");
                    }
                }
                take(identity)
            }
            .boxed_local(),
        ),
    }
}

/// Who is asking; with the state when it is time to note that their session is used.
fn identify(request: &HttpRequest) -> Result<(Identity, Option<web::Data<AppState>>), Problem> {
    let state = request
        .app_data::<web::Data<AppState>>()
        .ok_or(Problem::Unauthorized)?;
    if request.headers().contains_key(header::AUTHORIZATION) {
        let caller = bearer::token(request).and_then(|token| state.system().caller(token));
        let caller = caller.ok_or(Problem::Unauthorized)?;
        let secret = None;
        return Ok((Identity { caller, secret }, None));
    }
    let secret = cookie::session(request, state).ok_or(Problem::Unauthorized)?;
    let session = state.system().session(&secret);
    let session = session.ok_or(Problem::Unauthorized)?;
    if !request.method().is_safe() && !has_csrf_token(request, &secret) {
        return Err(Problem::Forbidden(format!(
            "with a session, what changes something needs the header {CSRF_HEADER}; GET /inbox/v1/me tells its value"
        )));
    }
    let identity = Identity {
        caller: session.caller,
        secret: Some(secret),
    };
    Ok((identity, session.is_stale.then(|| state.clone())))
}

fn has_csrf_token(request: &HttpRequest, secret: &str) -> bool {
    let mut given = request.headers().get_all(CSRF_HEADER);
    match (given.next(), given.next()) {
        (Some(given), None) => given
            .to_str()
            .is_ok_and(|given| is_csrf_token(secret, given)),
        (Some(_) | None, _) => false,
    }
}

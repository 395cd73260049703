//! The account user who is asking, known by a bearer token or by the cookie of a session.
//!
//! A request with an `Authorization` header is judged by that alone, whatever cookies came along: rights of two users
//! are never merged. With a cookie, whatever changes something must also carry the session's CSRF token, which a page
//! of another site cannot know.

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::future::{FutureExt, LocalBoxFuture};
use switchboard_actors::Caller;
use switchboard_actors::domain::account::credentials::session::is_csrf_token;
use switchboard_actors::domain::id::OauthClientId;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::oauth::BearerTokenError;
use switchboard_gate::limits::connection::{BodyOwner, Connection};
use switchboard_gate::request_id;

use crate::base::Base;
use crate::extract::bearer;
use crate::extract::cookie;
use crate::reply::problem::Problem;
use crate::reply::token_error::TokenError;
use crate::requests::observed;
use crate::state::AppState;

/// The header that carries a session's CSRF token.
pub(crate) const CSRF_HEADER: &str = "X-CSRF-Token";

/// An account user who may come in: a handler that takes one cannot be reached without.
pub(crate) struct AnyUser(pub(crate) Caller);

/// An administrator of an account.
pub(crate) struct Administrator(pub(crate) Caller);

/// An administrator of an account who signed in.
pub(crate) struct SignedInAdministrator(pub(crate) Caller);

/// An administrator of an account who may end what an OAuth client has: one who signed in, or a client, of itself. A consent
/// needs a session too, and its end is no less of a decision.
pub(crate) struct GrantEnder {
    caller: Caller,
    has_session: bool,
}

impl GrantEnder {
    /// The caller, if they may end the grant to this client and its tokens.
    pub(crate) fn for_client(self, client: OauthClientId) -> Result<Caller, Problem> {
        match &self.caller.client {
            None if self.has_session => Ok(self.caller),
            None => Err(needs_session()),
            Some(own) if own.id == client => Ok(self.caller),
            Some(_) => Err(Problem::Forbidden(
                "an OAuth client ends only its own grant and its own tokens; an administrator who signed in ends those of others".to_owned(),
            )),
        }
    }
}

/// An account user who signed in, with what the cookie holds.
pub(crate) struct SignedInUser {
    pub(crate) caller: Caller,
    pub secret: String,
}

/// An account user who stays, and may be asked again who they are.
pub(crate) struct StreamListener {
    pub(crate) caller: Caller,
    credential: Credential,
}

impl StreamListener {
    /// Returns whether they would still be let in: they are not when they signed out, when their password was changed, when the
    /// token was revoked or its time is over, or when the user was switched off.
    pub(crate) async fn is_welcome(&self, state: &AppState) -> bool {
        let system = state.system();
        match &self.credential {
            Credential::Token(token) => matches!(system.caller(token).await, Ok(Some(_))),
            Credential::Session(secret) => matches!(system.session(secret).await, Ok(Some(_))),
        }
    }
}

/// An identity, once its proof is on disk and the use of its session is noted.
type IdentityFuture<T> = LocalBoxFuture<'static, Result<T, Problem>>;

impl FromRequest for AnyUser {
    type Error = Problem;
    type Future = IdentityFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |identity| Ok(Self(identity.caller)))
    }
}

impl FromRequest for Administrator {
    type Error = Problem;
    type Future = IdentityFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |identity| identity.administrator().map(Self))
    }
}

impl FromRequest for SignedInAdministrator {
    type Error = Problem;
    type Future = IdentityFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |identity| match identity.credential {
            Credential::Session(_) => identity.administrator().map(Self),
            Credential::Token(_) => Err(needs_session()),
        })
    }
}

impl FromRequest for GrantEnder {
    type Error = Problem;
    type Future = IdentityFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |identity| {
            let has_session = matches!(identity.credential, Credential::Session(_));
            let caller = identity.administrator()?;
            Ok(Self {
                caller,
                has_session,
            })
        })
    }
}

/// The refusal of a bearer token where an administrator must have signed in.
fn needs_session() -> Problem {
    Problem::BadRequest("this is for sessions: an administrator signs in and decides".to_owned())
}

impl FromRequest for SignedInUser {
    type Error = Problem;
    type Future = IdentityFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |identity| {
            let caller = identity.caller;
            match identity.credential {
                Credential::Session(secret) => Ok(Self { caller, secret }),
                Credential::Token(_) => Err(Problem::BadRequest(
                    "this is for sessions; a bearer token is revoked by the operator".to_owned(),
                )),
            }
        })
    }
}

impl FromRequest for StreamListener {
    type Error = Problem;
    type Future = IdentityFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        known(request, |Identity { caller, credential }| {
            Ok(Self { caller, credential })
        })
    }
}

/// The caller with their credential.
struct Identity {
    caller: Caller,
    credential: Credential,
}

impl Identity {
    fn administrator(self) -> Result<Caller, Problem> {
        if self.caller.is_admin {
            return Ok(self.caller);
        }
        Err(Problem::Forbidden(
            "Insufficient rights to call this method: it is for administrators of the account"
                .to_owned(),
        ))
    }
}

/// The credential of a request.
enum Credential {
    Token(String),
    /// The secret in the cookie.
    Session(String),
}

fn known<T: 'static>(
    request: &HttpRequest,
    take: impl FnOnce(Identity) -> Result<T, Problem> + 'static,
) -> IdentityFuture<T> {
    let request = request.clone();
    async move { take(identify(&request).await?) }.boxed_local()
}

/// Identifies the caller, unless they ask too fast.
async fn identify(request: &HttpRequest) -> Result<Identity, Problem> {
    let state = request
        .app_data::<web::Data<AppState>>()
        .ok_or(Problem::Unauthorized(None))?;
    let (identity, is_stale) = recognise(request, state).await?;
    if let Some(connection) = request.conn_data::<Connection>() {
        connection.prove(BodyOwner::Account(identity.caller.account));
    }
    observed::note_caller(request, &identity.caller);
    state.limits().of_user(&identity.caller)?;
    if let Credential::Session(secret) = &identity.credential
        && is_stale
    {
        let result = state.system().keep_session(&identity.caller, secret).await;
        if let Err(unavailable) = result {
            // The session stays valid; the next request tries again.
            tracing::debug!(request_id = request_id::current(), %unavailable, "that a session is used was not noted");
        }
    }
    Ok(identity)
}

/// Recognises the caller; with a flag that is true when it is time to note that their session is used.
async fn recognise(
    request: &HttpRequest,
    state: &web::Data<AppState>,
) -> Result<(Identity, bool), Problem> {
    if request.headers().contains_key(header::AUTHORIZATION) {
        let token = bearer::token(request).ok_or(Problem::Unauthorized(None))?;
        let caller = match state.system().identify(token).await {
            Ok(caller) => caller,
            Err(CommandError::Rejected(BearerTokenError::Unknown)) => {
                let kind = bearer::kind(request, state, token).await?;
                return Err(Problem::Unauthorized(kind));
            }
            Err(CommandError::Rejected(refusal)) => {
                let kind = TokenError::Refused(refusal);
                return Err(Problem::Unauthorized(Some(kind)));
            }
            Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
        };
        let host = state
            .vendor_host(request.headers())
            .and_then(|host| host.account);
        if host.is_some_and(|account| account != caller.account) {
            return Err(Problem::Unauthorized(Some(TokenError::AnotherAccount)));
        }
        let identity = Identity {
            caller,
            credential: Credential::Token(token.to_owned()),
        };
        return Ok((identity, false));
    }
    let secret = cookie::session(request, &Base::for_request(request.head(), state))
        .ok_or(Problem::Unauthorized(None))?;
    let session = state
        .system()
        .session(&secret)
        .await?
        .ok_or(Problem::Unauthorized(None))?;
    if !request.method().is_safe() && !has_csrf_token(request, &secret) {
        return Err(Problem::Forbidden(format!(
            "with a session, requests that change something need the header {CSRF_HEADER}; GET /inbox/v1/me returns its value"
        )));
    }
    let identity = Identity {
        caller: session.caller,
        credential: Credential::Session(secret),
    };
    Ok((identity, session.is_stale))
}

fn has_csrf_token(request: &HttpRequest, secret: &str) -> bool {
    let mut values = request.headers().get_all(CSRF_HEADER);
    match (values.next(), values.next()) {
        (Some(value), None) => value
            .to_str()
            .is_ok_and(|token| is_csrf_token(secret, token)),
        (Some(_) | None, _) => false,
    }
}

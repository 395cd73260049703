//! OAuth 2: tokens for clients, and what administrators of an account grant to clients.

pub(crate) mod account_domain;
pub(crate) mod account_host;
pub(crate) mod admitted;
pub(crate) mod clients;
pub(crate) mod consent;
pub(crate) mod grants;
pub(crate) mod issue_tokens;
pub(crate) mod long_lived;
pub(crate) mod token_log;
pub(crate) mod view;

use switchboard_actors::Caller;
use switchboard_actors::domain::id::OauthClientId;
use switchboard_actors::system::oauth::ConsentRejection;

use crate::reply::problem::Problem;

/// The client in a path. Text that cannot be an id is answered like an id without a client.
fn id(path: &str) -> Result<OauthClientId, Problem> {
    let unknown = || Problem::NotFound(ConsentRejection::UnknownClient.to_string());
    path.parse().map_err(|_not_an_id| unknown())
}

/// Returns whether the caller may see what the account granted to a client: a client sees only its own.
fn may_see(caller: &Caller, client: OauthClientId) -> bool {
    let own = caller.client.as_ref();
    own.is_none_or(|own| own.id == client)
}

/// The client in a path, which the caller may see.
fn visible(caller: &Caller, path: &str) -> Result<OauthClientId, Problem> {
    let client = id(path)?;
    if may_see(caller, client) {
        return Ok(client);
    }
    Err(Problem::NotFound(
        ConsentRejection::UnknownClient.to_string(),
    ))
}

/// The answer when no consent is possible.
fn refused(rejection: &ConsentRejection) -> Problem {
    match rejection {
        ConsentRejection::UnknownClient => Problem::NotFound(rejection.to_string()),
        ConsentRejection::AccountNotAllowed => Problem::Forbidden(rejection.to_string()),
        ConsentRejection::OtherRedirect { .. } => Problem::BadRequest(rejection.to_string()),
    }
}

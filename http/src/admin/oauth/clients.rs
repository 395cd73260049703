//! `/admin/v1/oauth-clients`: programs that accounts may grant access to.

pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod grants;
pub(crate) mod list;
pub(crate) mod rotate_client_secret;
pub(crate) mod token_requests;
pub(crate) mod update;
mod view;

use switchboard_actors::domain::id::OauthClientId;
use switchboard_actors::domain::oauth::clients::{OauthClient, OauthClientRejection};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;

use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The client with the id in a path. Text that cannot be an id is answered like an id without a client.
async fn known(state: &AppState, path: &str) -> Result<OauthClient, Problem> {
    let clients = state.system().stored_oauth_clients().await?;
    clients.get(id(path)?).cloned().ok_or_else(unknown)
}

fn id(path: &str) -> Result<OauthClientId, Problem> {
    path.parse().map_err(|_not_an_id| unknown())
}

fn unknown() -> Problem {
    Problem::NotFound(OauthClientRejection::Unknown.to_string())
}

/// Returns the answer that says why a client is not changed.
fn refused(refused: CommandError<OauthClientRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        OauthClientRejection::Unknown => unknown(),
        OauthClientRejection::Exists | OauthClientRejection::Full => {
            Problem::Conflict(rejection.to_string())
        }
        OauthClientRejection::SameSecret => wrong("secret", rejection.to_string()),
        OauthClientRejection::UnknownChannel => wrong("channel", rejection.to_string()),
    })
}

/// One field is wrong, and that could only be seen after all had been read.
fn wrong(path: &str, detail: String) -> Problem {
    Problem::field(path, ViolationCode::InvalidValue, &detail)
}

/// An operation on one client.
fn of_one(operation: Operation) -> Operation {
    operation
        .path("id", Schema::uuid())
        .refuses(404, "There is no such OAuth client.")
}

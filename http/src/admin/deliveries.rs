//! `/admin/v1/deliveries`: what became of callbacks, and what may be done about one.

pub(crate) mod discard;
pub(crate) mod edited_replay;
pub(crate) mod filter;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod replay;
pub(crate) mod request;
pub(in crate::admin) mod view;

use switchboard_actors::domain::id::MessageId;
use switchboard_actors::error::CommandError;
use switchboard_actors::system::deliveries::RequestRejection;

use crate::reply::problem::Problem;

/// The id in a path. Text that cannot be an id is answered like an id without a delivery.
fn id(path: &str) -> Result<MessageId, Problem> {
    path.parse().map_err(|_not_an_id| unknown())
}

fn unknown() -> Problem {
    Problem::NotFound("there is no such delivery".to_owned())
}

/// Returns the answer that says why there is no callback to show or to send.
fn no_request(refused: CommandError<RequestRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        RequestRejection::Unknown => unknown(),
        RequestRejection::NoChannel | RequestRejection::NoAddress(_) | RequestRejection::NoRoom => {
            Problem::Conflict(rejection.to_string())
        }
    })
}

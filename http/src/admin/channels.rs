//! `/admin/v1/channels`: who may sign, where callbacks go, and whether they go.

pub(crate) mod check_signature;
pub(crate) mod connections;
pub(crate) mod create;
pub(crate) mod disconnect;
pub(crate) mod end_rotation;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod pause;
pub(crate) mod rotate_secret;
pub(crate) mod test_send;
pub(crate) mod update;
mod view;

use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::installation::channels::ChannelRejection;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::CommandError;

use crate::openapi::Schema;
use crate::reply::problem::Problem;

/// The id in a path. Text that cannot be an id is answered like an id without a channel.
fn id(path: &str) -> Result<ChannelId, Problem> {
    path.parse().map_err(|_not_an_id| unknown())
}

fn unknown() -> Problem {
    Problem::NotFound(ChannelRejection::Unknown.to_string())
}

/// Returns the answer that says why a channel is not changed.
fn refused(refused: CommandError<ChannelRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        ChannelRejection::Unknown => unknown(),
        ChannelRejection::Exists | ChannelRejection::Full | ChannelRejection::Rotating => {
            Problem::Conflict(rejection.to_string())
        }
        ChannelRejection::SameSecret => wrong("secret", rejection.to_string()),
    })
}

/// One field is wrong, and that could only be seen after all had been read.
fn wrong(path: &str, detail: String) -> Problem {
    Problem::field(path, ViolationCode::InvalidValue, &detail)
}

/// The channel of a path.
fn id_schema() -> Schema {
    Schema::text().says("The channel's id.")
}

//! `/admin/v1/replays`: callbacks that are sent again by a filter, as jobs that go on after a crash.

pub(crate) mod cancel;
pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod list;
mod view;

use switchboard_actors::domain::replays::ReplaysRejection;
use switchboard_actors::error::CommandError;

use crate::reply::problem::Problem;

/// The number in a path. Text that cannot be a number is answered like a number without a replay.
fn number(path: &str) -> Result<u64, Problem> {
    path.parse().map_err(|_not_a_number| unknown())
}

fn unknown() -> Problem {
    Problem::NotFound(ReplaysRejection::Unknown.to_string())
}

/// Returns the answer that says why nothing happens to a job.
fn refused(refused: CommandError<ReplaysRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        ReplaysRejection::Unknown => unknown(),
        ReplaysRejection::Ended | ReplaysRejection::TooMany => {
            Problem::Conflict(rejection.to_string())
        }
    })
}

//! Roles of an account, `/api/v4/roles`: for its administrators.

pub(crate) mod add;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod view;

use crate::http::reply::problem::Problem;

/// Where the roles are.
pub(crate) const PATH: &str = "/api/v4/roles";

/// The same for roles of others, roles that were deleted and roles that never were.
fn unknown() -> Problem {
    Problem::NotFound("there is no such role".to_owned())
}

//! `/admin/v1/erasures`: what the operator orders to be erased, and the certificates.

pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod preview;
mod view;

use crate::reply::problem::Problem;

fn unknown_target() -> Problem {
    Problem::NotFound(
        "there is no such account, no such customer of it, or no such relayed conversation"
            .to_owned(),
    )
}

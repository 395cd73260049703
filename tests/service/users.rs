//! Users of an account, `/api/v4/users`: one file per operation, and what holds for all of them.

mod access;
mod activate;
mod add;
mod audit;
mod bad_bodies;
mod change;
mod deactivate;
mod get;
mod list;
mod password;
mod plan;
mod restart;
pub(crate) mod team;

//! `switchboard account`, `user`, `group`, `token`: what the operator does to accounts, their users, the groups of those,
//! and their bearer tokens.

pub(super) mod account;
pub(super) mod group;
pub(super) mod token;
pub(super) mod user;

//! Roles of an account, `/api/v4/roles`: one file per operation.

mod add;
mod delete;
mod edit;
mod list;

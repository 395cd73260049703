//! `/admin/v1/requests`: what programs requested lately, and the responses.

pub(crate) mod get;
pub(crate) mod list;
mod subject;
mod view;

//! `/admin/v1/requests`: what programs requested lately, and the responses.

pub(crate) mod list;
pub(crate) mod show;
mod subject;
mod view;

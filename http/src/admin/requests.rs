//! `/admin/v1/requests`: what integrations asked lately, and what they were answered.

pub(crate) mod list;
pub(crate) mod show;
mod view;

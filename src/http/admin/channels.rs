//! `/admin/v1/channels`: who may sign, where callbacks go, and whether they go.

pub(crate) mod list;
pub(crate) mod view;

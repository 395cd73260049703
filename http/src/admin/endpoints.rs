//! `/admin/v1/endpoints`: the addresses that callbacks go to, and how they are.

pub(crate) mod enable;
pub(crate) mod list;

//! The account interface, `/api/v4`: what account users read, in the counterpart's shapes.

pub(crate) mod account_info;
pub(crate) mod contacts;
pub(crate) mod leads;
pub(crate) mod pipelines;

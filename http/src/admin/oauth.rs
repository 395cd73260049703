//! OAuth clients, for the operator.

pub(crate) mod clients;

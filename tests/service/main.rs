//! The service as integrations and account users meet it: the real binary, over HTTP.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

#[path = "../support/kit.rs"]
mod support;

mod chat;

//! Switchboard: a chat-channel service in one binary.

mod archive;
pub mod cli;
pub mod config;
mod dev;
mod exit_code;
mod http;
mod io_runtime;
mod loopback;
mod observe;
mod ready_file;
pub mod serve;
mod shared_log;
pub mod testing;
mod uninstall;
mod variables;
pub mod vendor_listeners;
mod worlds_key;

/// The addresses of the account side, each method with its path, for tests that must leave none of them out.
#[cfg(any(test, feature = "testing"))]
pub fn account_addresses() -> impl Iterator<Item = (&'static str, &'static str)> {
    http::ACCOUNT_ADDRESSES.iter().flat_map(|address| {
        let methods = address.operations.iter().map(|(method, _)| *method);
        methods.map(|method| (method, address.path))
    })
}

/// The answer of `GET /openapi.json`, for tests that compare it with the behaviour of the service.
#[cfg(any(test, feature = "testing"))]
#[must_use]
pub fn openapi() -> serde_json::Value {
    http::openapi::document()
}

/// The guide's example in Rust.
#[cfg(doctest)]
#[doc = include_str!("../docs/integration.md")]
struct IntegrationGuide;

//! The HTTP client of the commands.

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use super::output::Failure;

/// A client that goes straight to the address it is given, by no proxy and no redirect.
pub(super) fn client(timeout: Duration) -> Result<Client, Failure> {
    // Somebody may have chosen a provider for this process before; theirs does as well.
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        rustls::crypto::ring::default_provider()
            .install_default()
            .unwrap_or_default();
    }
    Client::builder()
        .timeout(timeout)
        .redirect(Policy::none())
        .no_proxy()
        .user_agent(concat!("switchboard/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| Failure::failed("cannot make an HTTP client", causes(&error)))
}

/// An error with everything that led to it: the last cause is the one that helps.
pub(super) fn causes(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told.push_str(": ");
        told.push_str(&error.to_string());
        cause = error.source();
    }
    told
}

//! The HTTP client of the commands.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use url::Url;

use super::given::Given;
use super::output::CliError;
use crate::config::program::called;

/// A client that goes straight to the address it is given, by no proxy and no redirect.
pub(super) fn client(timeout: Duration) -> Result<Client, CliError> {
    // Other code may have installed a provider in this process before; that one serves as well.
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
        .map_err(|error| CliError::failed("cannot make an HTTP client", causes(&error)))
}

/// The failure of a command whose request got no response.
pub(super) fn unreachable(service: &Given<Url>, error: &reqwest::Error) -> CliError {
    CliError::Unreachable(why_unreachable(service, error))
}

/// Explains why a request got no response from the service.
fn why_unreachable(given: &Given<Url>, error: &reqwest::Error) -> String {
    let service = &given.value;
    let host = service.host_str().unwrap_or_default();
    let port = service.port_or_known_default().unwrap_or_default();
    if root_cause(error).is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
        let start = called();
        return format!(
            "nothing listens on {host}:{port}\n  help: {}",
            given.remedy(start.trim_end_matches(" --"))
        );
    }
    if error.is_timeout() {
        return format!("{service} did not answer in time");
    }
    format!("cannot reach {service}: {}", last_cause(error))
}

/// The error of the operating system that is behind this one.
fn root_cause(error: &reqwest::Error) -> Option<&io::Error> {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    let mut root = None;
    while let Some(error) = cause {
        root = error.downcast_ref::<io::Error>().or(root);
        cause = error.source();
    }
    root
}

/// The text of the last cause of an error: the one that helps.
fn last_cause(error: &dyn Error) -> String {
    let mut last = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        last = error.to_string();
        cause = error.source();
    }
    last
}

/// An error with everything that led to it.
pub(super) fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

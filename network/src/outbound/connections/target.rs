//! Targets of requests: an address, parsed and checked once, used for every attempt.

use std::sync::Arc;

use hyper::Uri;
use hyper::header::HeaderValue;
use url::{Host, Position, Url};

use crate::outbound::error::{FailureKind, RequestError};
use crate::outbound::guard::AddressGuard;

/// The target of requests to an address.
#[derive(Debug)]
pub struct Target {
    /// The origin, which is shared by all targets with the same connections.
    pub origin: Arc<Origin>,
    /// The first line's part of the address: path and query.
    pub path: Uri,
    /// The header `Host`.
    pub host: HeaderValue,
}

/// The other end of a connection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// True when the connection speaks TLS.
    pub secure: bool,
    /// The host.
    pub host: Host<String>,
    /// The port.
    pub port: u16,
}

impl Target {
    /// Parses an address, and checks its spelling.
    ///
    /// # Errors
    /// Why no request may go there.
    pub fn parse(address: &str, guard: &AddressGuard) -> Result<Self, RequestError> {
        let invalid = |detail: &str| RequestError::new(FailureKind::Invalid, detail);
        let url = Url::parse(address).map_err(|_malformed| invalid("the address is no URL"))?;
        guard
            .check(&url)
            .map_err(|reason| RequestError::refused(&reason))?;
        let host_and_port = url.host().zip(url.port_or_known_default());
        let (host, port) = host_and_port.ok_or_else(|| invalid("the address names no host"))?;
        let path = url[Position::BeforePath..Position::AfterQuery].parse();
        let authority = &url[Position::BeforeHost..Position::AfterPort];
        let unsent = "the address cannot be written in a request";
        Ok(Self {
            origin: Arc::new(Origin {
                secure: url.scheme() == "https",
                host: host.to_owned(),
                port,
            }),
            path: path.map_err(|_malformed| invalid(unsent))?,
            host: HeaderValue::from_str(authority).map_err(|_malformed| invalid(unsent))?,
        })
    }
}

//! The addresses at which `switchboard dev` stands in for the hosts of the counterpart.

use std::net::SocketAddr;

/// The addresses of the sockets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VendorListeners {
    /// The proxy, on loopback.
    pub proxy: Option<SocketAddr>,
    /// The TLS listener.
    pub tls: Option<SocketAddr>,
}

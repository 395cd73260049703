//! What only the development of integrations needs: [`worlds`], and a proxy that stands in for the counterpart's hosts.
//!
//! Programs that have those hosts built in run unchanged: variables of the environment lead them to the proxy, which
//! presents certificates of an authority of its own and passes their requests to the service on this machine.

pub(crate) mod attach;
mod authority;
mod environment;
mod forward;
mod private_directory;
mod problem;
mod proxy;
pub(crate) mod scenario;
mod vendor_host;
mod worlds;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use switchboard_actors::System;

use crate::dev::authority::Authority;
pub(crate) use crate::dev::environment::ProxyEnvironment;
use crate::dev::forward::Service;
use crate::dev::proxy::{Proxy, Running};
pub(crate) use crate::dev::worlds::Worlds;
use crate::http::vendor::VendorKey;

/// The proxy of a process: its socket and its authority outlive a restart of the service within the process.
pub(crate) struct DevProxy {
    listener: TcpListener,
    authority: Arc<Authority>,
    environment: ProxyEnvironment,
}

impl DevProxy {
    /// Listens, and makes the authority if there is none in the data directory.
    ///
    /// # Errors
    /// The address is in use, or the files of the authority cannot be read or written.
    pub(crate) fn open(address: SocketAddr, data: &Path) -> Result<Self> {
        let listener = TcpListener::bind(address).with_context(|| {
            format!("the proxy cannot listen on {address}; choose another address with --proxy, or port 0 for a free one")
        })?;
        listener
            .set_nonblocking(true)
            .context("cannot use the socket of the proxy")?;
        let address = listener
            .local_addr()
            .context("cannot read the address of the proxy")?;
        let directory = data.join("dev");
        let authority = Authority::open(&directory).with_context(|| {
            format!(
                "cannot use the certificate authority in {}",
                directory.display()
            )
        })?;
        let environment = ProxyEnvironment::new(address, authority.files());
        Ok(Self {
            listener,
            authority: Arc::new(authority),
            environment,
        })
    }

    /// The variables that lead programs here.
    pub(crate) fn environment(&self) -> &ProxyEnvironment {
        &self.environment
    }

    /// Passes requests to the service at this address from now on; the key proves to it that they come from here.
    ///
    /// # Errors
    /// The socket cannot be used.
    pub(crate) fn start(
        &self,
        service: SocketAddr,
        system: System,
        key: VendorKey,
    ) -> Result<DevServer> {
        let socket = self.listener.try_clone();
        let socket = socket.and_then(tokio::net::TcpListener::from_std);
        let socket = socket.context("cannot use the socket of the proxy")?;
        let service = Service::new(reachable(service), system, key);
        let proxy = Proxy::new(Arc::clone(&self.authority), service);
        Ok(DevServer(proxy.start(socket)))
    }
}

/// The proxy while it serves.
pub(crate) struct DevServer(Running);

impl DevServer {
    /// Accepts nothing more, and gives requests in progress this long.
    pub(crate) async fn stop(self, patience: Duration) {
        self.0.stop(patience).await;
    }
}

/// Clients cannot connect to the unspecified address; a listener there answers on loopback.
fn reachable(address: SocketAddr) -> SocketAddr {
    let loopback: IpAddr = match address {
        SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    let is_reachable = !address.ip().is_unspecified();
    let host = if is_reachable { address.ip() } else { loopback };
    SocketAddr::new(host, address.port())
}

//! The part that only the development of integrations needs: `worlds`, and sockets that stand in for the counterpart's
//! hosts.
//!
//! Programs that have those hosts built in run unchanged: variables of the environment lead them to the `proxy`, or the
//! names lead them to the `tls` listener. Both present certificates of an authority of their own and pass requests to the
//! worlds and to the service on this machine.

pub mod attach;
mod authority;
mod body;
mod destinations;
mod environment;
mod evidence;
mod forward;
mod private_directory;
pub(crate) mod problem;
mod proxy;
pub mod scenario;
mod stand_in;
mod tls;
mod trust_store;
mod vendor_host;
pub mod vendor_listeners;
pub mod world_place;
mod worlds;
pub mod worlds_key;
pub mod xml;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::future::join_all;
use switchboard_actors::System;
use switchboard_http::vendor::VendorKey;

use crate::dev::authority::Authority;
use crate::dev::destinations::Destinations;
use crate::dev::forward::Service;
use crate::dev::stand_in::{Running, StandIn};
use crate::dev::vendor_listeners::VendorListeners;
pub use crate::dev::worlds::VendorWorlds;

pub use crate::dev::environment::VendorEnvironment;
pub use crate::dev::worlds::Worlds;

/// The sockets of a process that stand in for the hosts of the counterpart: they and their authority outlive a restart of
/// the service within the process.
pub struct VendorSockets {
    proxy: Option<TcpListener>,
    tls: Option<TcpListener>,
    authority: Arc<Authority>,
    environment: VendorEnvironment,
}

impl VendorSockets {
    /// Listens, and makes the authority if there is none in the data directory; `None`: nothing is to listen.
    ///
    /// # Errors
    /// An address is in use, or the files of the authority cannot be read or written.
    pub fn open(listeners: VendorListeners, data: &Path) -> Result<Option<Self>> {
        let VendorListeners { proxy, tls } = listeners;
        if proxy.is_none() && tls.is_none() {
            return Ok(None);
        }
        let proxy = proxy.map(|address| listen(address, "the proxy", "--proxy"));
        let tls = tls.map(|address| listen(address, "the TLS listener", "--tls"));
        let (proxy, tls) = (proxy.transpose()?, tls.transpose()?);
        let directory = data.join("dev");
        let authority = Authority::open(&directory).with_context(|| {
            format!(
                "cannot use the certificate authority in {}",
                directory.display()
            )
        })?;
        let address = |listener: &Option<TcpListener>| {
            let address = listener.as_ref().map(TcpListener::local_addr);
            address
                .transpose()
                .context("cannot read the address of a socket")
        };
        let environment =
            VendorEnvironment::new(address(&proxy)?, address(&tls)?, authority.files());
        Ok(Some(Self {
            proxy,
            tls,
            authority: Arc::new(authority),
            environment,
        }))
    }

    /// The ways that programs take.
    pub fn environment(&self) -> &VendorEnvironment {
        &self.environment
    }

    /// Passes requests to the worlds and to the service at this address from now on; the key proves to it that they come
    /// from here.
    ///
    /// # Errors
    /// A socket cannot be used.
    pub fn start(
        &self,
        address: SocketAddr,
        system: System,
        key: VendorKey,
        worlds: VendorWorlds,
    ) -> Result<VendorServer> {
        let service = Service::new(reachable(address), system, key);
        let destinations = Destinations::new(service, worlds);
        let stand_in = StandIn::new(Arc::clone(&self.authority), destinations);
        let mut running = Vec::new();
        if let Some(proxy) = &self.proxy {
            running.push(Running::start(&stand_in, again(proxy)?, proxy::connection));
        }
        if let Some(tls) = &self.tls {
            running.push(Running::start(&stand_in, again(tls)?, tls::connection));
        }
        Ok(VendorServer(running))
    }
}

/// The sockets while they serve.
pub struct VendorServer(Vec<Running>);

impl VendorServer {
    /// Accepts nothing more, and gives requests in progress this long.
    pub async fn stop(self, patience: Duration) {
        let stopping = self.0.into_iter().map(|socket| socket.stop(patience));
        join_all(stopping).await;
    }
}

fn listen(address: SocketAddr, what: &str, option: &str) -> Result<TcpListener> {
    let listener = TcpListener::bind(address).with_context(|| {
        let port = address.port();
        let rights = if (1..1024).contains(&port) {
            format!(" (a port below 1024 may need rights: `setcap cap_net_bind_service=+ep` on the program, or another port with a redirection of {port})")
        } else {
            String::new()
        };
        format!("{what} cannot listen on {address}; choose another address with {option}, or port 0 for a free one{rights}")
    })?;
    listener
        .set_nonblocking(true)
        .with_context(|| format!("cannot use the socket of {what}"))?;
    Ok(listener)
}

/// The same socket, for another round of the service.
fn again(listener: &TcpListener) -> Result<tokio::net::TcpListener> {
    let socket = listener
        .try_clone()
        .and_then(tokio::net::TcpListener::from_std);
    socket.context("cannot use a socket that stands in for the counterpart's hosts")
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

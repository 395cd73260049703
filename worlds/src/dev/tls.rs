//! The TLS listener: takes the name of the host from the handshake, for programs whose names resolve to this machine.

use std::io;
use std::sync::Arc;

use rustls::server::Acceptor;
use switchboard_loopback::Place;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::LazyConfigAcceptor;

use crate::dev::forward::Upstream;
use crate::dev::stand_in::{HANDSHAKE_DEADLINE, StandIn, failed, late};
use crate::dev::vendor_host::{self, VendorHost};

/// The fatal alert `unrecognized_name` (RFC 6066), before anything is negotiated.
const UNRECOGNIZED_NAME: [u8; 7] = [21, 3, 3, 0, 2, 2, 112];

/// Serves a client as the host that it names in its handshake.
pub(super) async fn connection(stand_in: Arc<StandIn>, socket: TcpStream, place: Arc<Place>) {
    let deadline = Instant::now() + HANDSHAKE_DEADLINE;
    let mut acceptor = LazyConfigAcceptor::new(Acceptor::default(), socket);
    let handshake = match timeout_at(deadline, &mut acceptor).await {
        Ok(Ok(handshake)) => handshake,
        Ok(Err(error)) => {
            tracing::warn!(%error, "what came to the TLS listener is no TLS handshake");
            return;
        }
        Err(_elapsed) => return late("unknown"),
    };
    let name = handshake.client_hello().server_name().map(str::to_owned);
    let Some(host) = name.as_deref().and_then(VendorHost::parse) else {
        let name = name.as_deref().unwrap_or("no name");
        let hosts = vendor_host::shown();
        tracing::warn!(
            host = name,
            "the TLS listener refused a host; it stands in for {hosts}"
        );
        // A client that takes nothing is not waited for.
        drop(timeout_at(deadline, refuse(handshake.io)).await);
        return;
    };
    let Some(config) = stand_in.config(&host) else {
        return;
    };
    match timeout_at(deadline, handshake.into_stream(config)).await {
        Ok(Ok(stream)) => {
            let upstream = Upstream::default();
            stand_in.serve(host, stream, upstream, &place).await;
        }
        Ok(Err(error)) => failed(&host, &error),
        Err(_elapsed) => late(&host.name),
    }
}

/// Refuses a client whose name is unknown here.
async fn refuse(mut socket: TcpStream) -> io::Result<()> {
    socket.write_all(&UNRECOGNIZED_NAME).await?;
    socket.shutdown().await
}

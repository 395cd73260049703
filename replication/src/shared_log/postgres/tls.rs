//! TLS to the servers, verified by the roots of this machine.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::{fmt, io};

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

/// Connects by TLS where the server offers it.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

impl Tls {
    /// With what this trusts.
    pub(super) fn new(mut trusting: ClientConfig) -> Self {
        trusting.alpn_protocols = vec![b"postgresql".to_vec()];
        Self(Arc::new(trusting))
    }
}

/// TLS with one server.
pub(super) struct Handshake {
    connector: TlsConnector,
    domain: String,
}

/// The server offers TLS, and it cannot be used.
#[derive(Debug)]
pub(super) struct TlsError(io::Error);

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for TlsError {}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = TlsError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Handshake, TlsError> {
        // It is asked for connections that will have no TLS, too: the name is read when one has.
        Ok(Handshake {
            connector: TlsConnector::from(Arc::clone(&self.0)),
            domain: domain.to_owned(),
        })
    }
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = TlsError;
    type Future = Pin<Box<dyn Future<Output = Result<Encrypted, TlsError>> + Send>>;

    fn connect(self, stream: Socket) -> Self::Future {
        Box::pin(async move {
            let name = ServerName::try_from(self.domain)
                .map_err(|error| TlsError(io::Error::other(error)))?;
            let connected = self.connector.connect(name, stream).await;
            connected.map(Encrypted).map_err(TlsError)
        })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted(tokio_rustls::client::TlsStream<Socket>);

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        // The certificate is verified, which is what binding would be for.
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

//! A connection through the proxy to a host of the counterpart.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::support::client::rest;
use crate::support::server::Server;

/// An answer of the service or of the proxy itself, whose answers the document of the service does not describe.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) json: Value,
}

impl Reply {
    fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").expect(text);
        let status = head.split(' ').nth(1).unwrap();
        Self {
            status: status.parse().unwrap(),
            json: serde_json::from_str(body).unwrap_or(Value::Null),
        }
    }

    /// Fails unless the status is this one; gives the answer back.
    #[track_caller]
    pub(super) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.json);
        self
    }
}

/// TLS through the proxy, by a client that trusts its authority only.
pub(super) struct Tunnel(TlsStream<TcpStream>);

async fn proxy(server: &Server) -> TcpStream {
    let url = server.ready()["proxy"]["url"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap();
    TcpStream::connect(address).await.unwrap()
}

/// The address of the TLS listener.
pub(super) fn tls_address(server: &Server) -> &str {
    server.ready()["proxy"]["tls"]["address"].as_str().unwrap()
}

/// The answer of the proxy itself.
pub(super) async fn plain(server: &Server, request: &str) -> Reply {
    let mut socket = proxy(server).await;
    let closing = request.replacen("\r\n", "\r\nConnection: close\r\n", 1);
    socket.write_all(closing.as_bytes()).await.unwrap();
    Reply::parse(&rest(&mut socket).await)
}

impl Tunnel {
    pub(super) async fn open(server: &Server, host: &str) -> std::io::Result<Self> {
        let mut socket = proxy(server).await;
        let request = format!("CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n");
        socket.write_all(request.as_bytes()).await?;
        let head = head(&mut socket).await?;
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        Self::handshake(server, host, socket).await
    }

    /// TLS with the listener that takes the name from the handshake.
    pub(super) async fn direct(server: &Server, host: &str) -> std::io::Result<Self> {
        let socket = TcpStream::connect(tls_address(server)).await?;
        Self::handshake(server, host, socket).await
    }

    async fn handshake(server: &Server, host: &str, socket: TcpStream) -> std::io::Result<Self> {
        let ca = server.ready()["proxy"]["ca"].as_str().unwrap();
        let mut roots = RootCertStore::empty();
        roots
            .add(CertificateDer::from_pem_file(ca).unwrap())
            .unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from(host.to_owned()).unwrap();
        let stream = TlsConnector::from(Arc::new(config)).connect(name, socket);
        Ok(Self(stream.await?))
    }

    /// The answer to a request whose connection may break instead.
    pub(super) async fn try_ask(&mut self, request: &str) -> std::io::Result<String> {
        self.0.write_all(request.as_bytes()).await?;
        head(&mut self.0).await
    }

    pub(super) async fn send(&mut self, request: &str) {
        self.0.write_all(request.as_bytes()).await.unwrap();
    }

    /// The next answer, whose body has a declared length.
    pub(super) async fn answer(&mut self) -> String {
        let head = head(&mut self.0).await.unwrap();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().unwrap())
        });
        let mut body = vec![0; length.unwrap_or_default()];
        self.0.read_exact(&mut body).await.unwrap();
        head + &String::from_utf8(body).unwrap()
    }

    /// The answer to a request that ends the connection.
    pub(super) async fn ask(&mut self, request: &str) -> Reply {
        self.send(request).await;
        Reply::parse(&self.answer().await)
    }
}

/// Reads up to the empty line.
async fn head(stream: &mut (impl AsyncReadExt + Unpin)) -> std::io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8(head).unwrap())
}

//! Opens connections and sends requests over them.

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, timeout, timeout_at};
use tokio_rustls::TlsConnector;
use url::Host;

use super::RequestBody;
use super::target::Origin;
use crate::outbound::client::{ClientSettings, HEAD_MAX, HEADERS_MAX};
use crate::outbound::error::{FailureKind, RequestError};
use crate::outbound::guard::AddressGuard;
use crate::outbound::lookup::Lookup;
use crate::outbound::pace::{Pace, Paced};
use crate::outbound::resolver::GuardedResolver;
use crate::outbound::roots::{RootsError, tls_config};

/// Opens connections.
pub(super) struct Connector {
    tls: TlsConnector,
    resolver: GuardedResolver,
    guard: Arc<AddressGuard>,
    timeout: Duration,
    http: Builder,
}

/// An open connection: what takes requests, and what moves their bytes as long as it is polled.
pub struct Open {
    requests: SendRequest<RequestBody>,
    bytes: Option<Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>>,
    /// The address of the other end.
    pub(in crate::outbound) remote: SocketAddr,
    /// True when requests leave in pieces: the connection is used once.
    pub(super) is_paced: bool,
}

/// The reason why a request got no response.
pub(super) enum ResponseError {
    /// Nothing of it has left: the connection was closed before.
    Unsent(Box<Request<RequestBody>>, RequestError),
    /// Something of it may have left.
    Failed(RequestError),
}

impl Connector {
    pub(super) fn new(
        settings: &ClientSettings,
        guard: Arc<AddressGuard>,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, RootsError> {
        let tls = tls_config(&settings.extra_roots)?;
        let (at_once, deadline) = (settings.lookups_at_once, settings.lookup_timeout);
        let mut http = Builder::new();
        // Header names are the same in any case; some receivers do not know that and look for the documented spelling.
        http.title_case_headers(true)
            .max_headers(HEADERS_MAX)
            .max_buf_size(HEAD_MAX);
        Ok(Self {
            tls: TlsConnector::from(Arc::new(tls)),
            resolver: GuardedResolver::new(lookup, Arc::clone(&guard), at_once, deadline),
            guard,
            timeout: settings.connect_timeout,
            http,
        })
    }

    /// Opens a connection: look-up, TCP and TLS within one time-out.
    pub(super) async fn connect(
        &self,
        origin: &Origin,
        pace: Option<Pace>,
    ) -> Result<Open, RequestError> {
        match timeout(self.timeout, self.open(origin, pace)).await {
            Ok(opened) => opened,
            Err(_elapsed) => Err(RequestError::no_connection()),
        }
    }

    async fn open(&self, origin: &Origin, pace: Option<Pace>) -> Result<Open, RequestError> {
        let addresses = self.addresses(&origin.host).await?;
        let stream = self
            .reach(&addresses, origin.port)
            .await
            .map_err(|error| RequestError::connecting(&error))?;
        let remote = stream
            .peer_addr()
            .map_err(|error| RequestError::connecting(&error))?;
        stream
            .set_nodelay(true)
            .map_err(|error| RequestError::connecting(&error))?;
        if !origin.secure {
            return self.speak(stream, remote, pace).await;
        }
        let name = server_name(&origin.host)?;
        let stream = self
            .tls
            .connect(name, stream)
            .await
            .map_err(|error| RequestError::connecting(&error))?;
        // The handshake is no part of the request.
        self.speak(stream, remote, pace).await
    }

    /// The addresses of a host, all of them allowed.
    async fn addresses(&self, host: &Host<String>) -> Result<Vec<IpAddr>, RequestError> {
        let literal = match host {
            Host::Domain(name) => {
                let result = self.resolver.addresses(name.clone()).await;
                return result.map_err(|error| RequestError::resolving(&error));
            }
            Host::Ipv4(address) => IpAddr::from(*address),
            Host::Ipv6(address) => IpAddr::from(*address),
        };
        self.guard
            .check_address(literal)
            .map_err(|reason| RequestError::refused(&reason))?;
        Ok(vec![literal])
    }

    /// Connects to the first address that answers; each one has its share of the time.
    async fn reach(&self, addresses: &[IpAddr], port: u16) -> io::Result<TcpStream> {
        let end = Instant::now() + self.timeout;
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for (place, address) in addresses.iter().enumerate() {
            let remaining = u32::try_from(addresses.len() - place).unwrap_or(u32::MAX);
            let share = end.saturating_duration_since(Instant::now()) / remaining.max(1);
            let connecting = TcpStream::connect(SocketAddr::new(*address, port));
            match timeout_at(Instant::now() + share, connecting).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => last = error,
                Err(_elapsed) => last = io::ErrorKind::TimedOut.into(),
            }
        }
        Err(last)
    }

    async fn speak(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        remote: SocketAddr,
        pace: Option<Pace>,
    ) -> Result<Open, RequestError> {
        let Some(pace) = pace else {
            return self.begin(stream, remote).await;
        };
        let mut open = self.begin(Paced::new(stream, pace), remote).await?;
        open.is_paced = true;
        Ok(open)
    }

    async fn begin(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        remote: SocketAddr,
    ) -> Result<Open, RequestError> {
        let handshake = self.http.handshake(TokioIo::new(stream)).await;
        let (requests, bytes): (_, Connection<_, RequestBody>) =
            handshake.map_err(|error| RequestError::exchanging(&error))?;
        Ok(Open {
            requests,
            bytes: Some(Box::pin(bytes)),
            remote,
            is_paced: false,
        })
    }
}

fn server_name(host: &Host<String>) -> Result<ServerName<'static>, RequestError> {
    match host {
        Host::Domain(name) => ServerName::try_from(name.clone()).map_err(|error| {
            let detail = format!("{name} cannot be in a certificate: {error}");
            RequestError::new(FailureKind::Tls, &detail)
        }),
        Host::Ipv4(address) => Ok(ServerName::from(IpAddr::from(*address))),
        Host::Ipv6(address) => Ok(ServerName::from(IpAddr::from(*address))),
    }
}

impl Open {
    /// Sends a request and waits for the head of the response.
    pub(super) async fn send(
        &mut self,
        request: Request<RequestBody>,
        deadline: Pin<&mut Sleep>,
    ) -> Result<Response<Incoming>, ResponseError> {
        let sending = self.requests.try_send_request(request);
        match super::until(deadline, self.polled(sending)).await {
            Some(Ok(response)) => Ok(response),
            Some(Err(mut error)) => {
                let unsent = error.take_message();
                let failure = RequestError::exchanging(error.error());
                Err(match unsent {
                    Some(request) => ResponseError::Unsent(Box::new(request), failure),
                    None => ResponseError::Failed(failure),
                })
            }
            None => Err(ResponseError::Failed(RequestError::no_answer())),
        }
    }

    /// Returns whether the next request can be sent.
    pub(super) async fn is_ready(&mut self) -> bool {
        poll_fn(|task| {
            self.poll(task);
            Poll::Ready(self.bytes.is_some() && self.requests.is_ready())
        })
        .await
    }

    /// Returns the output of the future, while the bytes of this connection are moved.
    pub(in crate::outbound) async fn polled<T>(&mut self, future: impl Future<Output = T>) -> T {
        let mut future = std::pin::pin!(future);
        poll_fn(|task| {
            self.poll(task);
            future.as_mut().poll(task)
        })
        .await
    }

    /// Moves bytes. The end of a connection, and why, is in the response that it was to bring.
    fn poll(&mut self, task: &mut Context<'_>) {
        if let Some(bytes) = &mut self.bytes
            && bytes.as_mut().poll(task).is_ready()
        {
            self.bytes = None;
        }
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector")
            .field("resolver", &self.resolver)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open")
            .field("remote", &self.remote)
            .finish_non_exhaustive()
    }
}

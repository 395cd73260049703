//! Passes a request for a host of the counterpart to the service.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{CONTENT_TYPE, EXPECT, HOST, HeaderName, HeaderValue};
use hyper::{Request, Response, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use switchboard_actors::System;
use switchboard_actors::domain::id::{AccountId, ChannelId};
use switchboard_http::vendor::{self, VendorKey};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::dev::body::{Body, SentBody};
use crate::dev::problem;
use crate::dev::vendor_host::VendorHost;

/// The time the service has until its answer begins.
const PATIENCE: Duration = Duration::from_secs(60);
/// A refusal names so many subdomains at most.
const SHOWN_MAX: usize = 20;
/// Headers between a client and its proxy.
const OF_THE_PROXY: [HeaderName; 3] = [
    HeaderName::from_static("proxy-connection"),
    HeaderName::from_static("proxy-authorization"),
    EXPECT,
];

/// The service behind the proxy.
pub(super) struct Service {
    address: SocketAddr,
    host: HeaderValue,
    system: System,
    key: VendorKey,
}

/// The connection to the service that belongs to a connection of a client.
#[derive(Default)]
pub(super) struct Upstream(Mutex<Option<Link>>);

struct Link {
    sender: SendRequest<SentBody>,
    /// Ends with the link.
    _connection: JoinSet<()>,
}

/// The host that a client asked, and the connection that its request takes.
pub(super) struct Asked<'w> {
    pub(super) host: &'w VendorHost,
    pub(super) upstream: &'w Upstream,
    /// There are worlds, so that a host without an account may be meant for one of them.
    pub(super) has_worlds: bool,
}

/// The reason why a request did not reach the service.
enum ForwardError {
    Service(String),
    Host(String),
}

impl Service {
    pub(super) fn new(address: SocketAddr, system: System, key: VendorKey) -> Self {
        let host = HeaderValue::try_from(address.to_string());
        Self {
            address,
            host: host.unwrap_or_else(|_never| HeaderValue::from_static("localhost")),
            system,
            key,
        }
    }

    /// Returns true if the service has this channel.
    pub(super) fn has_channel(&self, channel: &ChannelId) -> bool {
        let mut channels = self.system.channels().into_iter();
        channels.any(|known| known.id == *channel)
    }

    /// The answer of the service to this request for a host of the counterpart.
    pub(super) async fn answer(
        &self,
        request: Request<SentBody>,
        asked: &Asked<'_>,
    ) -> Response<Body> {
        match self.forwarded(request, asked).await {
            Ok(response) => response.map(|body| body.map_err(Into::into).boxed_unsync()),
            Err(ForwardError::Service(why)) => problem(StatusCode::BAD_GATEWAY, &why),
            Err(ForwardError::Host(why)) => problem(StatusCode::NOT_FOUND, &why),
        }
    }

    async fn forwarded(
        &self,
        mut request: Request<SentBody>,
        way: &Asked<'_>,
    ) -> Result<Response<Incoming>, ForwardError> {
        let account = match &way.host.subdomain {
            Some(subdomain) => Some(self.account(subdomain, way.has_worlds).await?),
            None => None,
        };
        let authorization = HeaderValue::try_from(self.key.header(&way.host.name, account))
            .map_err(|error| ForwardError::Service(error.to_string()))?;
        if let Some(target) = request.uri().path_and_query().cloned() {
            *request.uri_mut() = Uri::from(target);
        }
        let headers = request.headers_mut();
        for name in OF_THE_PROXY {
            headers.remove(name);
        }
        headers.insert(HOST, self.host.clone());
        headers.insert(HeaderName::from_static(vendor::HEADER), authorization);
        let mut link = way.upstream.0.lock().await;
        let unreached = |why: &dyn std::fmt::Display| {
            let address = self.address;
            ForwardError::Service(format!("the service at {address} gave no answer: {why}"))
        };
        let response = async {
            let mut idle = link.take();
            let is_ready = match &mut idle {
                Some(open) => open.sender.ready().await.is_ok(),
                None => false,
            };
            let ready = match idle.filter(|_| is_ready) {
                Some(open) => open,
                None => self.connect().await.map_err(|why| unreached(&why))?,
            };
            let sender = &mut link.insert(ready).sender;
            let response = sender.send_request(request).await;
            response.map_err(|why| unreached(&why))
        };
        match timeout(PATIENCE, response).await {
            Ok(answer) => answer,
            Err(elapsed) => Err(unreached(&elapsed)),
        }
    }

    /// The account with this subdomain; a single account takes any, unless it may be meant for a world.
    async fn account(&self, subdomain: &str, has_worlds: bool) -> Result<AccountId, ForwardError> {
        if let Some(account) = self.system.account_of_subdomain(subdomain) {
            return Ok(account.id);
        }
        let accounts = self
            .system
            .accounts()
            .await
            .map_err(|error| ForwardError::Service(error.to_string()))?;
        let mut all = accounts.iter();
        if let (Some(only), None, false) = (all.next(), all.next(), has_worlds) {
            return Ok(only.id);
        }
        let subdomains: Vec<_> = accounts
            .iter()
            .take(SHOWN_MAX)
            .map(|account| account.subdomain().to_string())
            .collect();
        let hint = if subdomains.is_empty() {
            "there is no account yet".to_owned()
        } else {
            format!("the subdomains are: {}", subdomains.join(", "))
        };
        Err(ForwardError::Host(format!(
            "no account has the subdomain «{subdomain}», and no world; {hint}. Set `subdomain` of an account in config.toml, or make a world with it: POST /dev/v1/worlds {{\"subdomain\": \"{subdomain}\"}}"
        )))
    }

    async fn connect(&self) -> Result<Link, String> {
        let socket = TcpStream::connect(self.address)
            .await
            .map_err(|error| error.to_string())?;
        let (sender, connection) = http1::handshake(TokioIo::new(socket))
            .await
            .map_err(|error| error.to_string())?;
        let mut running = JoinSet::new();
        running.spawn(async move {
            // What went wrong is the result of the request.
            connection.await.unwrap_or_default();
        });
        Ok(Link {
            sender,
            _connection: running,
        })
    }
}

/// An answer of the proxy itself.
pub(super) fn problem(status: StatusCode, detail: &str) -> Response<Body> {
    let title = status.canonical_reason().unwrap_or_default();
    let document = problem::problem(status.as_u16(), title, detail);
    let body = Full::new(Bytes::from(document.to_string()));
    let mut response = Response::new(body.map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() = status;
    let json = HeaderValue::from_static(problem::MEDIA_TYPE);
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

/// An answer without a body.
pub(super) fn empty() -> Response<Body> {
    Response::new(
        http_body_util::Empty::new()
            .map_err(|never| match never {})
            .boxed_unsync(),
    )
}

//! `/dev/v1`: where worlds are made, steered and ended.

mod act;
mod body;
mod new_world;
mod query;

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use switchboard_http::extract::body::too_slow;
use switchboard_http::worlds::{BODY_MAX, TakesOrders, WorldAnswer, WorldOrder};
use switchboard_loopback::body::{
    self as request_body, BodyLimits, BodyMemory, BodyReadError, DEADLINE, Whole,
};
use switchboard_loopback::{Answers, Place};

use self::body::nothing;
use self::new_world::new_world;
use self::query::QueryReader;
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::export::JournalForm;
use crate::dev::worlds::lease::Leases;
use crate::dev::worlds::listener::Content;
use crate::dev::worlds::order::Ordered;
use crate::dev::worlds::registry::Registry;
use crate::dev::worlds::reply::{Carried, Reply};

/// The path of all worlds.
const PREFIX: &str = "/dev/v1/worlds";
/// The bodies of all orders in memory, in bytes.
const BODIES_MAX: usize = 64 << 20;

/// The path of a lease, which lasts as long as its connection.
const LEASE: &str = "/dev/v1/lease";

/// The handler of orders.
pub(super) struct Control {
    registry: Arc<Registry>,
    leases: Leases,
    /// The hash of the token: both have the same length when they are compared.
    token: [u8; 32],
    memory: BodyMemory,
}

impl Control {
    pub(super) fn new(registry: Arc<Registry>, token: &str) -> Self {
        Self {
            registry,
            leases: Leases::default(),
            token: Sha256::digest(token).into(),
            memory: BodyMemory::new(BODIES_MAX),
        }
    }

    /// The leases of programs that share this process.
    pub(super) fn leases(&self) -> &Leases {
        &self.leases
    }

    fn is_allowed(&self, headers: &HeaderMap) -> bool {
        let token = headers
            .get(AUTHORIZATION)
            .and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
        token.is_some_and(|token| {
            let token: [u8; 32] = Sha256::digest(token).into();
            token.ct_eq(&self.token).into()
        })
    }

    /// Takes a request with the right token.
    async fn ordered(&self, request: Request<Incoming>) -> Result<(StatusCode, Reply), DevError> {
        let (head, body) = request.into_parts();
        let read = request_body::read(body, BodyLimits::up_to(BODY_MAX), &self.memory).await;
        let body = match &read {
            Ok(Whole {
                is_too_large: true, ..
            }) => return Err(too_large()),
            Ok(Whole { bytes, .. }) => bytes.clone(),
            Err(BodyReadError::TooSlow) => {
                return Err(DevError::new(
                    StatusCode::REQUEST_TIMEOUT,
                    too_slow(DEADLINE),
                ));
            }
            Err(BodyReadError::BrokenOff(why)) => {
                let why = format!("the body of the order cannot be read: {why}");
                return Err(DevError::wrong(why));
            }
        };
        self.obey(&Request::from_parts(head, body)).await
    }

    /// Does what a request orders; its sender is known to be allowed.
    ///
    /// # Errors
    /// What is wrong with it, or why it cannot be done.
    pub(super) async fn obey(
        &self,
        request: &Request<Bytes>,
    ) -> Result<(StatusCode, Reply), DevError> {
        if request.body().len() > BODY_MAX {
            return Err(too_large());
        }
        let path = request.uri().path();
        let unknown = || {
            DevError::unknown(format!(
                "there is nothing at {path}; worlds are at {PREFIX}"
            ))
        };
        let rest = path.strip_prefix(PREFIX).ok_or_else(unknown)?;
        let words: Vec<&str> = match rest.strip_prefix('/') {
            Some(rest) => rest.split('/').collect(),
            None if rest.is_empty() => Vec::new(),
            None => return Err(unknown()),
        };
        match (request.method(), words.as_slice()) {
            (&Method::POST, []) => {
                let world = self.registry.make(new_world(request)?, None).await?;
                Ok((StatusCode::CREATED, world))
            }
            (&Method::GET, []) => Ok((StatusCode::OK, self.all().await)),
            (&Method::GET, [id]) => Ok((StatusCode::OK, self.registry.described(id).await?)),
            (&Method::DELETE, [id]) => {
                let report = self.registry.end(id, "deleted").await?;
                Ok((StatusCode::OK, report.into()))
            }
            (&Method::POST, [id, "snapshots", snapshot, "fork"]) => {
                nothing(request)?;
                Ok((StatusCode::CREATED, self.registry.fork(id, snapshot).await?))
            }
            (&Method::GET, [id, "journal"]) => {
                let query = JournalQuery::read(request)?;
                let journal = self.registry.journal(id)?;
                Ok((
                    StatusCode::OK,
                    journal.shown(query.form, query.after, query.limit),
                ))
            }
            (_, [id, words @ ..]) => {
                let (status, act) = act::act(request, words)?;
                let request = act::request(request, words);
                let order = Ordered { act, request };
                Ok((status, self.registry.act(id, order).await?))
            }
            (_, []) => Err(DevError::not_allowed("GET, POST")),
        }
    }

    async fn all(&self) -> Reply {
        let mut worlds = Vec::new();
        for id in self.registry.ids() {
            // One may end meanwhile.
            if let Ok(Reply::Document(world)) = self.registry.described(&id).await {
                worlds.push(world);
            }
        }
        json!({ "worlds": worlds }).into()
    }
}

impl Answers for Control {
    type Content = Content;

    async fn answer(
        &self,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Option<Response<Content>> {
        let result = if self.is_allowed(request.headers()) {
            // Its sender has the token, so the connection stays whatever strangers do.
            place.work();
            if (request.method(), request.uri().path()) == (&Method::GET, LEASE) {
                // One that comes too late starts a process of its own.
                return self
                    .leases
                    .take()
                    .map(|it| Response::new(Content::lease(it)));
            }
            self.ordered(request).await
        } else {
            let why = "the header Authorization has to be «Bearer» and the token of the ready file (dev.token)";
            Err(DevError::new(StatusCode::UNAUTHORIZED, why))
        };
        let carried = Carried::from(result);
        let mut response = Response::new(Content::whole(carried.body));
        *response.status_mut() = carried.status;
        let media_type = HeaderValue::from_static(carried.media_type);
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        Some(response)
    }
}

fn too_large() -> DevError {
    let why = format!("the body of an order has {BODY_MAX} bytes at most");
    DevError::new(StatusCode::PAYLOAD_TOO_LARGE, why)
}

impl TakesOrders for Control {
    fn take(&self, order: WorldOrder) -> LocalBoxFuture<'_, WorldAnswer> {
        Box::pin(async move {
            let carried = Carried::from(match request_of(order) {
                Ok(request) => self.obey(&request).await,
                Err(error) => Err(DevError::wrong(error.to_string())),
            });
            WorldAnswer {
                status: carried.status.as_u16(),
                media_type: carried.media_type,
                body: carried.body,
            }
        })
    }
}

fn request_of(order: WorldOrder) -> Result<Request<Bytes>, hyper::http::Error> {
    let request = Request::builder()
        .method(order.method.as_str())
        .uri(order.target);
    match order.media_type {
        Some(media_type) => request.header(CONTENT_TYPE, media_type),
        None => request,
    }
    .body(order.body)
}

/// The filter of a journal's entries, and the form in which they are shown.
struct JournalQuery {
    after: u64,
    limit: usize,
    form: JournalForm,
}

impl JournalQuery {
    fn read(request: &Request<Bytes>) -> Result<Self, DevError> {
        let mut query = QueryReader::new(request);
        let read = Self {
            after: query.parsed("after", A_CURSOR).unwrap_or_default(),
            limit: query
                .parsed("limit", "a whole number")
                .unwrap_or(usize::MAX),
            form: query
                .choice("form", "form", &JournalForm::WORDS)
                .unwrap_or_default(),
        };
        query.finish()?;
        Ok(read)
    }
}

/// The value of `after`, for people.
const A_CURSOR: &str = "the cursor of an earlier answer";

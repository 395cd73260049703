//! Destinations of requests for hosts of the counterpart: the world that they name, else the service.

use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};
use switchboard_http::extract::body::too_slow;
use switchboard_loopback::Place;
use switchboard_loopback::body::{self, BodyLimits, BodyReadError, DEADLINE, PassedOn, Whole};

use crate::dev::body::Body;
use crate::dev::evidence::Evidence;
use crate::dev::forward::{Asked, Service, Upstream, problem};
use crate::dev::vendor_host::VendorHost;
use crate::dev::worlds::{FoundWorld, VendorWorlds};

/// The longest body that is read to find out whom a request is for.
const BODY_MAX: usize = 64 << 10;
/// The refusal of a request that names several worlds.
const SEVERAL: &str = "more than one world has the token, the client or the channel of this request; make each world with a \"subdomain\" of its own (POST /dev/v1/worlds) and ask the host of that subdomain, or give each another \"seed\"";

/// The world or service that answers.
pub(super) struct Destinations {
    service: Service,
    worlds: VendorWorlds,
}

/// The way by which a request came.
pub(super) struct Way<'w> {
    /// The host that the client believes to have reached.
    pub(super) host: &'w VendorHost,
    /// The connection to the service.
    pub(super) upstream: &'w Upstream,
    pub(super) place: &'w Arc<Place>,
}

impl Destinations {
    pub(super) fn new(service: Service, worlds: VendorWorlds) -> Self {
        Self { service, worlds }
    }

    /// The answer to this request; `None`: the connection breaks.
    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
        way: &Way<'_>,
    ) -> Option<Response<Body>> {
        let (head, body) = request.into_parts();
        if self.worlds.are_none() {
            return Some(self.serve(head, body, way).await);
        }
        let subdomain = way.host.subdomain.as_deref();
        if let Some(world) = subdomain.and_then(|name| self.worlds.of_subdomain(name)) {
            return world.answer(&head, body, way.host, way.place).await;
        }
        let evidence = Evidence::from_head(&head);
        if evidence.is_in_body(&head) {
            return self.by_body(head, body, evidence, way).await;
        }
        match self.find(&evidence) {
            FoundWorld::One(world) => world.answer(&head, body, way.host, way.place).await,
            FoundWorld::Several => Some(problem(StatusCode::CONFLICT, SEVERAL)),
            FoundWorld::None => Some(self.serve(head, body, way).await),
        }
    }

    /// As [`Self::answer`], once the body is there.
    async fn by_body(
        &self,
        head: Parts,
        body: Incoming,
        mut evidence: Evidence,
        way: &Way<'_>,
    ) -> Option<Response<Body>> {
        let read = body::read(body, BodyLimits::up_to(BODY_MAX), self.worlds.memory()).await;
        let bytes = match &read {
            Ok(Whole {
                is_too_large: true, ..
            }) => {
                let why = format!("the body of this request has {BODY_MAX} bytes at most");
                return Some(problem(StatusCode::PAYLOAD_TOO_LARGE, &why));
            }
            Ok(Whole { bytes, .. }) => bytes.clone(),
            Err(BodyReadError::TooSlow) => {
                return Some(problem(StatusCode::REQUEST_TIMEOUT, &too_slow(DEADLINE)));
            }
            Err(BodyReadError::BrokenOff(why)) => {
                let why = format!("the body cannot be read: {why}");
                return Some(problem(StatusCode::BAD_REQUEST, &why));
            }
        };
        way.place.work_on_whole();
        evidence.add_body(&bytes);
        match self.find(&evidence) {
            FoundWorld::One(world) => world.answer_read(&head, bytes, way.host).await,
            FoundWorld::Several => Some(problem(StatusCode::CONFLICT, SEVERAL)),
            FoundWorld::None => {
                let body = Full::new(bytes).map_err(|never| match never {});
                let request = Request::from_parts(head, body.boxed_unsync());
                Some(self.service.answer(request, &self.asked(way)).await)
            }
        }
    }

    /// The world that a request names. A channel alone names a world only if the service has no such channel.
    fn find(&self, evidence: &Evidence) -> FoundWorld {
        let channel = evidence.channel.as_ref();
        let is_of_service = channel.is_some_and(|channel| self.service.has_channel(channel));
        self.worlds.find(evidence, !is_of_service)
    }

    /// Passes a request on to the service, its body as it comes.
    async fn serve(&self, head: Parts, body: Incoming, way: &Way<'_>) -> Response<Body> {
        let body = PassedOn::new(body, way.place);
        let request = Request::from_parts(head, body.boxed_unsync());
        self.service.answer(request, &self.asked(way)).await
    }

    fn asked<'w>(&self, way: &Way<'w>) -> Asked<'w> {
        Asked {
            host: way.host,
            upstream: way.upstream,
            has_worlds: !self.worlds.are_none(),
        }
    }
}

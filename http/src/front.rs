//! The steps before the handler of every request, and behind it with every response.
//!
//! Requests of the chat interface go from here to their handlers: they are the load, and the router with its nested
//! futures costs as much as the decision about a message. All other requests go to the router.

use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Instant;

use actix_http::{ConnectionType, HttpMessage as _, Method, Request, Response};
use actix_service::{Service, ServiceFactory};
use actix_web::body::MessageBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::{Error, HttpResponse};
use futures_util::future::LocalBoxFuture;
use switchboard_gate::limits::connection::Connection;
use switchboard_gate::request_id::{self, InRequest, RequestId};
use switchboard_media::PREFIX;

use crate::chat;
use crate::extract::body;
use crate::media;
use crate::not_owner::not_owner;
use crate::outgoing::{Outgoing, sent};
use crate::precheck::refused;
use crate::request_line::RequestLine;
use crate::requests::record::RoutedRequest;
use crate::state::AppState;
use switchboard_connections::intake::{Answering, Intake};
use switchboard_gate::host_guard::AllowedHosts;

/// The route of relays, for metrics and the log: their paths may have secrets.
const RELAY_ROUTE: &str = "/relay/{path}";

/// The state with which a worker checks requests.
#[derive(Clone)]
pub(crate) struct Front {
    state: AppState,
    hosts: AllowedHosts,
    /// True when each request has a line in the log.
    is_logged: bool,
}

impl Front {
    pub(crate) fn new(state: AppState, hosts: AllowedHosts, is_logged: bool) -> Self {
        Self {
            state,
            hosts,
            is_logged,
        }
    }

    /// Puts this in front of a router.
    pub(crate) fn before<R>(self, router: R) -> FrontFactory<R> {
        FrontFactory {
            front: self,
            router,
        }
    }

    /// Counts the request while it is in progress, and ends its connection after one more response when the service
    /// stops.
    async fn serve<R, B>(
        &self,
        mut request: Request,
        router: &R,
        id: RequestId,
    ) -> Result<Response<Outgoing>, Error>
    where
        R: Service<Request, Response = ServiceResponse<B>, Error = Error>,
        B: MessageBody + 'static,
    {
        if request.path().starts_with(PREFIX) {
            media::settle_range(request.headers_mut());
        }
        let start = Instant::now();
        let line = self.is_logged.then(|| RequestLine::begin(&request, id));
        let in_flight = self.state.in_flight();
        let answering = request
            .conn_data::<Intake>()
            .map(|intake| intake.answering(body::is_declared(request.headers())));
        let connection = request.conn_data::<Connection>();
        let is_full = connection.is_some_and(|connection| !connection.begin(request.headers()));
        let refusal = refused(&request, is_full, &self.hosts)
            .or_else(|| Some((self.not_owner(request.path())?, false)));
        let ends = refusal.as_ref().is_some_and(|(_, ends)| *ends);
        let response = match refusal {
            Some((refusal, _)) => {
                let response = sent(request.head(), refusal, answering).await;
                leave(request.conn_data());
                self.record(request.method(), None, start);
                line.inspect(|line| line.log(&response, None));
                response
            }
            None if self.state.relays().is_some_and(|it| it.takes(&request)) => {
                self.relay(&mut request, answering, start, line).await
            }
            None if chat::is_chat(request.path()) => {
                let payload = request.take_payload();
                let outcome = chat::serve(&request, payload, &self.state, id).await;
                let response = match self.not_owner(request.path()) {
                    None => outcome
                        .response
                        .map_body(|_, body| Outgoing::new(body, answering)),
                    Some(refusal) => sent(request.head(), refusal, answering).await,
                };
                leave(request.conn_data());
                self.record(request.method(), outcome.route, start);
                line.inspect(|line| {
                    let of_path = || chat::route_of_path(request.path());
                    line.log(&response, outcome.route.or_else(of_path));
                });
                response
            }
            None => {
                let record = RoutedRequest::begin(&request, id, &self.state);
                let (request, routed) = router.call(request).await?.into_parts();
                let answer = self
                    .not_owner(request.path())
                    .unwrap_or_else(|| routed.map_into_boxed_body());
                let retained = match record {
                    Some(record) => record.keep(&request, answer, &self.state),
                    None => answer,
                };
                let response = sent(request.head(), retained, answering).await;
                leave(request.conn_data());
                let route = request.match_pattern();
                self.record(request.method(), route.as_deref(), start);
                line.inspect(|line| line.log(&response, route.as_deref()));
                response
            }
        };
        drop(in_flight);
        Ok(self.done(response, ends, id))
    }

    /// The answer of the relays. What it says is passed on as it is.
    async fn relay(
        &self,
        request: &mut Request,
        answering: Option<Answering>,
        start: Instant,
        line: Option<RequestLine>,
    ) -> HttpResponse<Outgoing> {
        let payload = request.take_payload();
        let answer = match self.state.relays() {
            Some(relays) => relays.serve(request, payload, &self.state).await,
            None => HttpResponse::NotFound().finish(),
        };
        let response = match self.not_owner(request.path()) {
            None => answer.map_body(|_, body| Outgoing::new(body, answering)),
            Some(refusal) => sent(request.head(), refusal, answering).await,
        };
        leave(request.conn_data());
        self.record(request.method(), Some(RELAY_ROUTE), start);
        line.inspect(|line| line.log(&response, Some(RELAY_ROUTE)));
        response
    }

    /// The refusal of a node that may not be the owner of the shared log any more: what a response has read may be old then.
    fn not_owner(&self, path: &str) -> Option<HttpResponse> {
        not_owner(path, self.state.node()?)
    }

    /// Records the time until the answer was ready.
    fn record(&self, method: &Method, route: Option<&str>, start: Instant) {
        let times = self.state.requests().route_times();
        times.record(method, route, start.elapsed());
    }

    fn done(
        &self,
        mut response: HttpResponse<Outgoing>,
        ends: bool,
        id: RequestId,
    ) -> Response<Outgoing> {
        self.state.requests().answered(response.status());
        // What is left of a request that was too slow is not read.
        let ends = ends || response.status() == StatusCode::REQUEST_TIMEOUT;
        let headers = response.headers_mut();
        // That of the counterpart stays on what a relay passes on.
        if !headers.contains_key(request_id::HEADER) {
            headers.insert(request_id::HEADER, id.header());
        }
        if ends || self.state.is_draining() {
            let head = response.head_mut();
            head.set_connection_type(ConnectionType::Close);
        }
        response.into()
    }
}

/// The connection works on nothing any more.
fn leave(connection: Option<&Connection>) {
    if let Some(connection) = connection {
        connection.leave_place();
    }
}

/// Makes the service of each worker.
pub(crate) struct FrontFactory<R> {
    front: Front,
    router: R,
}

impl<R, B> ServiceFactory<Request> for FrontFactory<R>
where
    R: ServiceFactory<Request, Config = (), Response = ServiceResponse<B>, Error = Error>,
    R::Service: 'static,
    R::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = Response<Outgoing>;
    type Error = Error;
    type Config = ();
    type Service = FrontService<R::Service>;
    type InitError = R::InitError;
    type Future = LocalBoxFuture<'static, Result<Self::Service, Self::InitError>>;

    fn new_service(&self, _config: ()) -> Self::Future {
        let (front, router) = (self.front.clone(), self.router.new_service(()));
        Box::pin(async move {
            let router = router.await?;
            Ok(FrontService(Rc::new((front, router))))
        })
    }
}

/// The service of a connection.
pub(crate) struct FrontService<R>(Rc<(Front, R)>);

impl<R, B> Service<Request> for FrontService<R>
where
    R: Service<Request, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
{
    type Response = Response<Outgoing>;
    type Error = Error;
    type Future = InRequest<LocalBoxFuture<'static, Result<Self::Response, Self::Error>>>;

    fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let (_, router) = &*self.0;
        router.poll_ready(context)
    }

    fn call(&self, request: Request) -> Self::Future {
        let service = Rc::clone(&self.0);
        let id = service.0.state.next_request();
        let answering = Box::pin(async move {
            let (front, router) = &*service;
            front.serve(request, router, id).await
        });
        InRequest::new(id, answering)
    }
}

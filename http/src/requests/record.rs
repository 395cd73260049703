//! Records requests with their answers.

use std::time::Instant;

use actix_http::{HttpMessage as _, Request};
use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::header::{self, HeaderMap};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use switchboard_gate::request_id::RequestId;

use crate::extract::{body, cookie};
use crate::requests::mask::Masker;
use crate::requests::observed::{Observation, Observed};
use crate::requests::operations;
use crate::state::AppState;
use switchboard_gate::requests::kept::{
    ANSWER_MAX, KeptBody, KeptRequest, LoggedRequest, Withheld,
};
use switchboard_gate::requests::log::{RequestLog, ToKeep, is_refused};
use switchboard_gate::requests::sender::{Sender, Surface};

/// A request on its way through the router, to be recorded with its answer.
pub(crate) struct RoutedRequest {
    id: RequestId,
    surface: Surface,
    began: Instant,
}

impl RoutedRequest {
    /// Begins to record a request; none, if such requests are not recorded. Those of the console, which has a session, are not.
    pub(crate) fn begin(request: &Request, id: RequestId, state: &AppState) -> Option<Self> {
        if !state.request_log().is_on() {
            return None;
        }
        let surface = Surface::of_path(request.path())?;
        if is_of_the_console(request.headers()) {
            return None;
        }
        request.extensions_mut().insert(Observed::default());
        let began = Instant::now();
        Some(Self { id, surface, began })
    }

    /// Keeps the request and its answer.
    pub(crate) fn keep(
        self,
        request: &HttpRequest,
        response: HttpResponse,
        state: &AppState,
    ) -> HttpResponse {
        let observation = request.extensions().get::<Observed>().map(Observed::take);
        let observed = observation.unwrap_or_default();
        let sender = match (self.surface, observed.caller, observed.client) {
            (_, Some((account, _)), _) => Sender::Account(account),
            (_, None, Some(client)) => Sender::Client(client),
            (surface, None, None) => Sender::Stranger(surface),
        };
        let (log, status) = (state.request_log(), response.status().as_u16());
        let Some(slot) = log.wants(sender, is_refused(status), state.now()) else {
            return response;
        };
        let (response, body) = response.into_parts();
        match body.try_into_bytes() {
            Ok(body) => {
                let exchange = Exchange {
                    request,
                    observed,
                    status,
                    answer: (&body, response.headers()),
                };
                log.keep(self.kept(exchange, slot, log));
                response.set_body(BoxBody::new(body))
            }
            // No answer of these interfaces is a stream; if one ever is, it is not looked into.
            Err(stream) => response.set_body(stream),
        }
    }

    fn kept(self, exchange: Exchange<'_>, slot: ToKeep, log: &RequestLog) -> KeptRequest {
        let Exchange {
            request,
            observed,
            status,
            answer: (answer, answer_headers),
        } = exchange;
        let pattern = request.match_pattern();
        let route = pattern.and_then(|pattern| operations::route(&pattern));
        let operation = operations::at(route, request.method().as_str());
        let mut masker = Masker::new(operations::fields(operation));
        let body = match &observed.body {
            Some(body) => masker.body(body, request.headers(), log.body_limit()),
            None => unread(request.headers()),
        };
        let mut logged = LoggedRequest::new(request.head(), body);
        masker.path(request.match_info());
        masker.head(&mut logged, request.headers());
        KeptRequest {
            id: self.id,
            at: slot.at,
            surface: self.surface,
            sender: slot.sender,
            user: observed.caller.map(|(_, user)| user),
            client: observed.client,
            route,
            asked: logged,
            hint: None,
            status,
            answer: masker.answer(answer, answer_headers, ANSWER_MAX),
            took: self.began.elapsed(),
        }
    }
}

/// A request with what was learnt of it, and its answer.
struct Exchange<'a> {
    request: &'a HttpRequest,
    observed: Observation,
    status: u16,
    answer: (&'a Bytes, &'a HeaderMap),
}

/// The body of a request that no handler read.
fn unread(headers: &HeaderMap) -> KeptBody {
    if !body::is_declared(headers) {
        return KeptBody::default();
    }
    let content_length = headers.get(header::CONTENT_LENGTH);
    let length = content_length.and_then(|length| length.to_str().ok()?.parse().ok());
    KeptBody::withheld(length.unwrap_or_default(), Withheld::Unread)
}

/// Returns whether a page of the console sent this: with a session and without a token.
fn is_of_the_console(headers: &HeaderMap) -> bool {
    !headers.contains_key(header::AUTHORIZATION) && cookie::names_session(headers)
}

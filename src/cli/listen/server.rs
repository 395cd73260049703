//! The HTTP side of the receiver: judge, hand on, answer.

use std::net::{Ipv4Addr, SocketAddr};

use actix_web::dev::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use serde_json::json;
use switchboard_actors::domain::signature::{HEADER, SharedSecret};
use tokio::sync::mpsc;

use super::super::output::CommandFailure;
use super::callback::{Callback, Refusal, Request, judge};

/// The largest callback that is read.
const BODY_BYTES_MAX: usize = 1 << 20;

/// What every request is judged by.
#[derive(Clone)]
pub(super) struct Judge {
    pub(super) secret: SharedSecret,
    /// The answer to valid callbacks.
    pub(super) status: u16,
    pub(super) events: mpsc::Sender<Event>,
}

/// What happened, for the terminal.
pub(super) enum Event {
    Received(Box<Callback>),
    Refused {
        status: u16,
        why: String,
        path: String,
    },
}

/// Listens on loopback; gives the way to stop it and the address it got.
pub(super) fn start(port: u16, judge: Judge) -> Result<(ServerHandle, SocketAddr), CommandFailure> {
    let app = move || {
        App::new()
            .app_data(web::Data::new(judge.clone()))
            .app_data(web::PayloadConfig::new(BODY_BYTES_MAX))
            .default_service(web::to(receive))
    };
    let server = HttpServer::new(app)
        .workers(1)
        .disable_signals()
        .shutdown_timeout(1)
        .bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| {
            CommandFailure::failed(&format!("cannot listen on 127.0.0.1:{port}"), error)
        })?;
    let address = server.addrs().first().copied();
    let address = address.ok_or_else(|| CommandFailure::Failed("no address was bound".into()))?;
    let server = server.run();
    let handle = server.handle();
    actix_web::rt::spawn(server);
    Ok((handle, address))
}

async fn receive(
    request: HttpRequest,
    body: Result<web::Bytes, actix_web::Error>,
    by: web::Data<Judge>,
) -> HttpResponse {
    let judged = match &body {
        Ok(body) => judge(&describe(&request, body), &by.secret),
        Err(error) => Err(Refusal {
            status: error.as_response_error().status_code().as_u16(),
            why: format!("the body cannot be read: {error}"),
        }),
    };
    let (event, status, told) = match judged {
        Ok(callback) => (Event::Received(Box::new(callback)), by.status, None),
        Err(Refusal { status, why }) => {
            let path = request.path().to_owned();
            let told = why.clone();
            (Event::Refused { status, why, path }, status, Some(told))
        }
    };
    if by.events.try_send(event).is_err() {
        // Nothing was taken note of, so nothing is promised.
        return HttpResponse::ServiceUnavailable()
            .insert_header(("Retry-After", "1"))
            .finish();
    }
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut answer = HttpResponse::build(status);
    if status == StatusCode::METHOD_NOT_ALLOWED {
        answer.insert_header(("Allow", "POST"));
    }
    match told {
        Some(why) => answer.json(json!({ "error": why })),
        None => answer.finish(),
    }
}

fn describe<'a>(request: &'a HttpRequest, body: &'a [u8]) -> Request<'a> {
    let headers = request.headers();
    Request {
        method: request.method().as_str(),
        path: request.path(),
        signature: header(headers, HEADER),
        webhook_id: header(headers, "webhook-id"),
        attempt: header(headers, "X-Delivery-Attempt"),
        body,
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

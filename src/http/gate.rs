//! What is refused before any route is looked at, in the form of the interface that was asked.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{ConnectionType, header};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, ResponseError, web};

use crate::http::chat;
use crate::http::host_guard::Hosts;
use crate::http::reply::chat_error::ChatError;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// The longest path that is looked at, in bytes. The longest that means anything has under 300.
const PATH_MAX: usize = 2_048;

/// The middleware. Also counts what is under way, and ends each connection after one more answer when the service stops.
pub(crate) async fn gate(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let state = request.app_data::<web::Data<AppState>>().cloned();
    let _under_way = state.as_ref().map(|state| state.under_way());
    let mut response = match refused(&request) {
        Some(refused) => request.into_response(refused),
        None => next.call(request).await?.map_into_boxed_body(),
    };
    if let Some(state) = &state {
        state.requests().answered(response.status());
    }
    if state.is_some_and(|state| state.is_draining()) {
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}

fn refused(request: &ServiceRequest) -> Option<HttpResponse> {
    let path = request.uri().path();
    let of_the_chat = path.starts_with(chat::PREFIX);
    if path.len() > PATH_MAX {
        return Some(if of_the_chat {
            ChatError::PathTooLong(PATH_MAX).response()
        } else {
            Problem::PathTooLong(PATH_MAX).error_response()
        });
    }
    let named = request
        .headers()
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let hosts = request.app_data::<web::Data<Hosts>>();
    if hosts.is_none_or(|hosts| hosts.allow(named)) {
        return None;
    }
    let why = format!(
        "this service does not answer for the host «{named}»; if it should, set server.public_url to the address that clients use"
    );
    Some(if of_the_chat {
        ChatError::Misdirected(why).response()
    } else {
        Problem::Misdirected(why).error_response()
    })
}

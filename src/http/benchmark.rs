//! What the benchmark compares the send operation with: addresses that exist only in a server that was started for it.

use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::wire::chat_body;

use crate::http::extract::signed;
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

/// Both paths are plain text, so that asking for them costs other requests next to nothing.
pub(super) fn routes(config: &mut ServiceConfig) {
    config
        .service(web::resource("/benchmark/noop").to(noop))
        .service(web::resource("/benchmark/verified").to(verified));
}

/// Does nothing with the request but take its body off the wire: what such a request to this server costs at least.
async fn noop(_body: web::Bytes) -> HttpResponse {
    HttpResponse::Ok().finish()
}

/// What the send operation does before it stores: signature, connection, body. The query names the scope.
async fn verified(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> HttpResponse {
    match verify(&request, payload, &state).await {
        Ok(response) => response,
        Err(error) => error.response(),
    }
}

async fn verify(
    request: &HttpRequest,
    payload: web::Payload,
    state: &AppState,
) -> Result<HttpResponse, ChatError> {
    let scope: ScopeId = request
        .query_string()
        .parse()
        .map_err(|_not_an_id| ChatError::NotRegistered)?;
    let channel = state.system().channel(scope.channel());
    let channel = channel.ok_or(ChatError::NotRegistered)?;
    let body = signed::body(request, payload, state).await?;
    let body = signed::proven(request, body, &channel, None, state)?;
    if !state.system().is_connected(&scope).await? {
        return Err(ChatError::NotRegistered);
    }
    let message = chat_body::send::parse(body.bytes(), body.rules(), state.now())?;
    Ok(HttpResponse::Ok().body(message.msgid.as_str().to_owned()))
}

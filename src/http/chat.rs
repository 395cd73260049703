//! The chat interface: `/v2/origin/custom/…`.
//!
//! Paths are taken apart by hand, from the raw path: the framework decodes `%2F` and maps bad UTF-8 to one character,
//! and two paths must never mean the same. Order of checks (decision 2): path and channel known → signature → content
//! type and size → scope connected → body.

mod connect;
mod delivery_status;
mod disconnect;
mod send_message;

use actix_web::http::Method;
use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::KnownChannel;
use switchboard_actors::domain::id::{ChannelId, MessageId, ScopeId};

use crate::http::extract::signed::{self, SignedBody};
use crate::http::reply::chat_error::ChatError;
use crate::http::state::AppState;

/// What all paths of the chat interface begin with.
pub(crate) const PREFIX: &str = "/v2/origin/custom/";

/// What a path of the chat interface asks for.
enum Operation {
    Connect(ChannelId),
    Disconnect(ChannelId),
    Send(ScopeId),
    DeliveryStatus(ScopeId, MessageId),
}

/// Serves every path of the chat interface.
pub(crate) async fn serve(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> HttpResponse {
    match answer(&request, payload, &state).await {
        Ok(response) => response,
        Err(error) => {
            tracing::debug!(path = request.uri().path(), ?error, "chat request refused");
            error.response()
        }
    }
}

async fn answer(
    request: &HttpRequest,
    payload: web::Payload,
    state: &AppState,
) -> Result<HttpResponse, ChatError> {
    let operation = operation(request)?;
    let channel = state
        .system()
        .channel(operation.channel())
        .ok_or(ChatError::NotRegistered)?;
    let body = signed::read(request, payload, &channel, None, state).await?;
    operation.run(state, &channel, body).await
}

impl Operation {
    fn channel(&self) -> &ChannelId {
        match self {
            Self::Connect(channel) | Self::Disconnect(channel) => channel,
            Self::Send(scope) | Self::DeliveryStatus(scope, _) => scope.channel(),
        }
    }

    async fn run(
        self,
        state: &AppState,
        channel: &KnownChannel,
        body: SignedBody,
    ) -> Result<HttpResponse, ChatError> {
        match self {
            Self::Connect(_) => connect::connect(state, &channel.channel.id, body).await,
            Self::Disconnect(_) => disconnect::disconnect(state, &channel.channel.id, body).await,
            Self::Send(scope) => send_message::send_message(state, &scope, body).await,
            Self::DeliveryStatus(scope, message) => {
                delivery_status::delivery_status(state, &scope, message, body).await
            }
        }
    }
}

/// The operation that path and method ask for.
fn operation(request: &HttpRequest) -> Result<Operation, ChatError> {
    let path = request.uri().path();
    let rest = path.strip_prefix(PREFIX).ok_or(ChatError::NotRegistered)?;
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' || byte == b'/';
    if !rest.bytes().all(plain) {
        return Err(ChatError::NotRegistered);
    }
    let segments: Vec<&str> = rest.split('/').collect();
    let unknown = |_| ChatError::NotRegistered;
    match segments.as_slice() {
        [channel, "connect"] => {
            takes(request, &Method::POST, "POST", "")?;
            Ok(Operation::Connect(channel.parse().map_err(unknown)?))
        }
        [channel, "disconnect"] => {
            takes(request, &Method::DELETE, "DELETE", DISCONNECT_HINT)?;
            Ok(Operation::Disconnect(channel.parse().map_err(unknown)?))
        }
        [scope, message, "delivery_status"] => {
            takes(request, &Method::POST, "POST", "")?;
            let scope = scope.parse().map_err(unknown)?;
            Ok(Operation::DeliveryStatus(
                scope,
                message
                    .parse()
                    .map_err(|_not_an_id| ChatError::MessageNotFound)?,
            ))
        }
        [scope] => {
            takes(request, &Method::POST, "POST", "")?;
            Ok(Operation::Send(scope.parse().map_err(unknown)?))
        }
        _ => Err(ChatError::NotRegistered),
    }
}

/// The sample that many integrations copy posts to this address.
const DISCONNECT_HINT: &str = "send the same body with the method DELETE: the vendor's sample for this call names POST by mistake";

fn takes(
    request: &HttpRequest,
    method: &Method,
    allow: &'static str,
    hint: &'static str,
) -> Result<(), ChatError> {
    if request.method() == method {
        Ok(())
    } else {
        Err(ChatError::MethodNotAllowed { allow, hint })
    }
}

//! The chat interface: `/v2/origin/custom/…`.
//!
//! Paths are taken apart by hand, from the raw path: the framework decodes `%2F` and maps bad UTF-8 to one character,
//! and two paths must never mean the same. Order of checks: path and channel known → signature → content
//! type and size → scope connected → body.

mod connect;
mod disconnect;
mod fields;
mod history;
mod near_miss;
mod open_chat;
mod react;
mod report_delivery;
mod send_message;
mod typing;
mod warnings;

use std::sync::Arc;
use std::time::Instant;

use actix_http::{Payload, Request};
use actix_web::HttpResponse;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::Method;
use bytes::Bytes;
use smallvec::SmallVec;
use switchboard_actors::KnownChannel;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::{ChannelId, ConversationId, MessageId, ScopeId};
use switchboard_gate::request_id::{self, RequestId};

use crate::address::Address;
use crate::extract::signed::{self, SignedBody};
use crate::reply::chat_error::ChatError;
use crate::state::AppState;
use switchboard_diagnosis::hint::{Hint, OtherHint};
use switchboard_gate::requests::chat::{ChatRequest, LoggedAnswer, keep_chat};
use switchboard_gate::requests::log::is_refused;
use switchboard_gate::requests::sender::{Sender, Surface};

/// The beginning of all paths of the chat interface.
pub const PREFIX: &str = "/v2/origin/custom/";

/// Returns whether this is a path of the chat interface, or would be with an id behind it.
pub fn is_chat(path: &str) -> bool {
    path.starts_with(PREFIX) || PREFIX.strip_suffix('/') == Some(path)
}

/// The routes of the chat interface, as the document names them.
mod route {
    pub(super) const CONNECT: &str = "/v2/origin/custom/{channel_id}/connect";
    pub(super) const DISCONNECT: &str = "/v2/origin/custom/{channel_id}/disconnect";
    pub(super) const SEND_MESSAGE: &str = "/v2/origin/custom/{scope_id}";
    pub(super) const REPORT_DELIVERY: &str = "/v2/origin/custom/{scope_id}/{msgid}/delivery_status";
    pub(super) const OPEN_CHAT: &str = "/v2/origin/custom/{scope_id}/chats";
    pub(super) const HISTORY: &str = "/v2/origin/custom/{scope_id}/chats/{conversation_id}/history";
    pub(super) const TYPING: &str = "/v2/origin/custom/{scope_id}/typing";
    pub(super) const REACT: &str = "/v2/origin/custom/{scope_id}/react";
}

/// The addresses of the chat interface, as the document names them; [`operation`] takes paths apart.
pub(crate) const ADDRESSES: &[Address] = &[
    Address {
        path: route::CONNECT,
        operations: &[("POST", connect::describe)],
    },
    Address {
        path: route::DISCONNECT,
        operations: &[("DELETE", disconnect::describe)],
    },
    Address {
        path: route::SEND_MESSAGE,
        operations: &[("POST", send_message::describe)],
    },
    Address {
        path: route::REPORT_DELIVERY,
        operations: &[("POST", report_delivery::describe)],
    },
    Address {
        path: route::OPEN_CHAT,
        operations: &[("POST", open_chat::describe)],
    },
    Address {
        path: route::HISTORY,
        operations: &[("GET", history::describe)],
    },
    Address {
        path: route::TYPING,
        operations: &[("POST", typing::describe)],
    },
    Address {
        path: route::REACT,
        operations: &[("POST", react::describe)],
    },
];

/// Returns the route that a path belongs to, whatever the method.
pub(crate) fn route_of_path(path: &str) -> Option<&'static str> {
    let parts = || path.split('/');
    let fits = |address: &&Address| {
        let pattern = address.path.split('/');
        pattern.clone().count() == parts().count()
            && pattern
                .zip(parts())
                .all(|(wanted, part)| wanted == part || wanted.starts_with('{'))
    };
    ADDRESSES.iter().find(fits).map(|address| address.path)
}

/// The operation that a path of the chat interface asks for.
enum Operation {
    Connect(ChannelId),
    Disconnect(ChannelId),
    SendMessage(ScopeId),
    ReportDelivery(ScopeId, MessageId),
    OpenChat(ScopeId),
    History(ScopeId, ConversationId),
    Typing(ScopeId),
    React(ScopeId),
}

/// The known part of a request that may be kept for people to look at.
#[derive(Default)]
struct RequestToLog {
    route: Option<&'static str>,
    channel: Option<Arc<KnownChannel>>,
    body: Bytes,
    hint: Option<Hint>,
}

/// A response of the chat interface.
pub(crate) struct Served {
    pub response: HttpResponse,
    /// The route of the operation; `None` if path and method name none.
    pub(crate) route: Option<&'static str>,
}

/// Serves every path of the chat interface.
pub(crate) async fn serve(
    request: &Request,
    payload: Payload,
    state: &AppState,
    id: RequestId,
) -> Served {
    let began = Instant::now();
    let mut record = RequestToLog::default();
    let response = match answer(request, payload, state, &mut record).await {
        Ok(response) => response,
        Err(error) => {
            tracing::debug!(
                request_id = request_id::current(),
                path = request.uri().path(),
                ?error,
                "chat request refused"
            );
            let response = error.response();
            record.hint = error.into_hint();
            response
        }
    };
    Served {
        response: log_request(request, id, &record, response, state, began),
        route: record.route,
    }
}

/// The answer, after the request was put among those that people can look at.
fn log_request(
    request: &Request,
    id: RequestId,
    record: &RequestToLog,
    response: HttpResponse,
    state: &AppState,
    began: Instant,
) -> HttpResponse {
    let (log, status) = (state.request_log(), response.status().as_u16());
    let channel = record.channel.as_ref().map(|known| &known.channel.id);
    let sender = channel.map_or(Sender::Stranger(Surface::Chat), Sender::Channel);
    let Some(place) = log.wants(sender, is_refused(status), state.now()) else {
        return response;
    };
    let (response, body) = response.into_parts();
    match body.try_into_bytes() {
        Ok(body) => {
            let answer = LoggedAnswer {
                status,
                body: &body,
                took: began.elapsed(),
            };
            let chat = ChatRequest {
                id,
                head: request.head(),
                route: record.route.or_else(|| route_of_path(request.path())),
                body: &record.body,
                hint: record.hint.as_ref(),
            };
            keep_chat(log, place, chat, answer);
            response.set_body(BoxBody::new(body))
        }
        // No answer of the chat interface is a stream; if one ever is, it is not looked into.
        Err(stream) => response.set_body(stream),
    }
}

async fn answer(
    request: &Request,
    payload: Payload,
    state: &AppState,
    record: &mut RequestToLog,
) -> Result<HttpResponse, ChatError> {
    let RequestToLog {
        route,
        channel,
        body: raw,
        ..
    } = record;
    let operation = operation(request).inspect_err(|_| *channel = named_channel(request, state))?;
    *route = Some(operation.route());
    *channel = state.system().channel(operation.channel());
    let channel = channel
        .as_deref()
        .ok_or_else(|| ChatError::no_address(near_miss::of_unknown_channel(&operation)))?;
    let generation = operation.generation();
    let body = signed::body(request, payload, channel, state).await?;
    *raw = body.clone();
    let body = signed::proven(request, body, channel, generation, state)?;
    let answer = operation.run(request, state, channel, body).await;
    answer.map_err(|error| explained(error, request, state))
}

/// The error, with what to do about a scope that is not connected: the signature was right.
fn explained(error: ChatError, request: &Request, state: &AppState) -> ChatError {
    let operation = operation(request).ok();
    match (error, operation.as_ref().and_then(Operation::scope)) {
        (ChatError::NotRegistered, Some(scope)) => {
            ChatError::no_address(near_miss::of_unconnected(state, scope))
        }
        (error, _) => error,
    }
}

/// The channel that a path names, whatever else is wrong with the request.
fn named_channel(request: &Request, state: &AppState) -> Option<Arc<KnownChannel>> {
    let rest = request.uri().path().strip_prefix(PREFIX)?;
    let first = rest.split('/').find(|part| !part.is_empty())?;
    let of_a_scope = first.rsplit_once('_').map(|(channel, _)| channel);
    let candidates = [Some(first), of_a_scope].into_iter().flatten();
    candidates
        .filter_map(|id| id.parse().ok())
        .find_map(|id| state.system().channel(&id))
}

impl Operation {
    fn route(&self) -> &'static str {
        match self {
            Self::Connect(_) => route::CONNECT,
            Self::Disconnect(_) => route::DISCONNECT,
            Self::SendMessage(_) => route::SEND_MESSAGE,
            Self::ReportDelivery(..) => route::REPORT_DELIVERY,
            Self::OpenChat(_) => route::OPEN_CHAT,
            Self::History(..) => route::HISTORY,
            Self::Typing(_) => route::TYPING,
            Self::React(_) => route::REACT,
        }
    }

    fn channel(&self) -> &ChannelId {
        match self {
            Self::Connect(channel) | Self::Disconnect(channel) => channel,
            Self::SendMessage(scope)
            | Self::ReportDelivery(scope, _)
            | Self::OpenChat(scope)
            | Self::History(scope, _)
            | Self::Typing(scope)
            | Self::React(scope) => scope.channel(),
        }
    }

    fn scope(&self) -> Option<&ScopeId> {
        match self {
            Self::Connect(_) | Self::Disconnect(_) => None,
            Self::SendMessage(scope)
            | Self::ReportDelivery(scope, _)
            | Self::OpenChat(scope)
            | Self::History(scope, _)
            | Self::Typing(scope)
            | Self::React(scope) => Some(scope),
        }
    }

    /// The generation that the operation belongs to; `None` when both have it.
    fn generation(&self) -> Option<Generation> {
        match self {
            Self::Connect(_)
            | Self::Disconnect(_)
            | Self::SendMessage(_)
            | Self::ReportDelivery(..) => None,
            Self::OpenChat(_) | Self::History(..) | Self::Typing(_) | Self::React(_) => {
                Some(Generation::Current)
            }
        }
    }

    async fn run(
        self,
        request: &Request,
        state: &AppState,
        channel: &KnownChannel,
        body: SignedBody,
    ) -> Result<HttpResponse, ChatError> {
        match self {
            Self::Connect(_) => connect::connect(state, &channel.channel.id, body).await,
            Self::Disconnect(_) => disconnect::disconnect(state, &channel.channel.id, body).await,
            Self::SendMessage(scope) => send_message::send_message(state, scope, body).await,
            Self::ReportDelivery(scope, message) => {
                report_delivery::report_delivery(state, scope, message, body).await
            }
            Self::OpenChat(scope) => open_chat::open_chat(state, scope, body).await,
            Self::History(scope, conversation) => {
                history::history(request, state, scope, conversation).await
            }
            Self::Typing(scope) => typing::typing(state, scope, body).await,
            Self::React(scope) => react::react(state, scope, body).await,
        }
    }
}

/// The operation that path and method ask for.
fn operation(request: &Request) -> Result<Operation, ChatError> {
    let path = request.uri().path();
    let no_address = || ChatError::no_address(near_miss::of_path(request.method(), path));
    let rest = path.strip_prefix(PREFIX).ok_or_else(no_address)?;
    let plain =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' || byte == b'/';
    if !rest.bytes().all(plain) {
        return Err(no_address());
    }
    let segments: SmallVec<[&str; 4]> = rest.split('/').collect();
    let unknown = |_| no_address();
    match segments.as_slice() {
        [channel, "connect"] => {
            takes(request, &Method::POST, "POST", None)?;
            Ok(Operation::Connect(channel.parse().map_err(unknown)?))
        }
        [channel, "disconnect"] => {
            takes(
                request,
                &Method::DELETE,
                "DELETE",
                Some(OtherHint::DisconnectByDelete),
            )?;
            Ok(Operation::Disconnect(channel.parse().map_err(unknown)?))
        }
        [scope, message, "delivery_status"] => {
            takes(request, &Method::POST, "POST", None)?;
            let scope = scope.parse().map_err(unknown)?;
            Ok(Operation::ReportDelivery(
                scope,
                message
                    .parse()
                    .map_err(|_not_an_id| ChatError::MessageNotFound {
                        hint: Some(OtherHint::OwnMessageId.into()),
                    })?,
            ))
        }
        [scope, "chats"] => {
            takes(request, &Method::POST, "POST", None)?;
            Ok(Operation::OpenChat(scope.parse().map_err(unknown)?))
        }
        [scope, "chats", conversation, "history"] => {
            takes(request, &Method::GET, "GET", None)?;
            let scope = scope.parse().map_err(unknown)?;
            let conversation = conversation.parse();
            Ok(Operation::History(
                scope,
                conversation.map_err(|_not_an_id| ChatError::ConversationNotFound {
                    hint: Some(OtherHint::OwnConversationId.into()),
                })?,
            ))
        }
        [scope, "typing"] => {
            takes(request, &Method::POST, "POST", None)?;
            Ok(Operation::Typing(scope.parse().map_err(unknown)?))
        }
        [scope, "react"] => {
            takes(request, &Method::POST, "POST", None)?;
            Ok(Operation::React(scope.parse().map_err(unknown)?))
        }
        [_, _, "react"] => Err(ChatError::no_address(OtherHint::ReactWithoutId)),
        [scope] => {
            takes(request, &Method::POST, "POST", None)?;
            Ok(Operation::SendMessage(scope.parse().map_err(unknown)?))
        }
        _ => Err(no_address()),
    }
}

fn takes(
    request: &Request,
    method: &Method,
    allow: &'static str,
    hint: Option<OtherHint>,
) -> Result<(), ChatError> {
    if request.method() == method {
        Ok(())
    } else {
        let hint = hint.map(Hint::from);
        Err(ChatError::MethodNotAllowed { allow, hint })
    }
}

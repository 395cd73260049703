//! `accept = "later"`: a message of the bridge is verified, stored and answered with an id of the relay, and goes up behind the answer.
//!
//! Everything else passes through as without it, behind the messages of the same conversation that wait, and with the counterpart's ids in
//! the place of those that the relay gave.

use std::time::Duration;

use actix_http::{HttpMessage as _, Request};
use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::http::{Method, StatusCode};
use bytes::Bytes;
use serde_json::{Value, json};
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::relays::{COUNTERPART, ChatMark, RelayChat};
use switchboard_actors::error::UnavailableError;
use switchboard_actors::relay::facts::{HookFacts, HookKind};
use switchboard_actors::relay::hooks::receive::{HookReceipt, PostHead, ReceiveHook};
use switchboard_actors::relay::posts::{RelayedPost, SignableRequest};
use switchboard_actors::relay::upward::UpwardOutcome;
use switchboard_actors::relay_book::KnownRelay;
use switchboard_actors::system::relays::posts::RealIds;
use switchboard_actors::wire::chat_body::Rules;
use switchboard_actors::wire::chat_body::send::{self, Posted};
use switchboard_http::chat;
use switchboard_http::extract::body::is_json;
use switchboard_http::reply::chat_error::ChatError;
use switchboard_http::state::AppState;
use switchboard_network::outbound::passage::{PassedAnswer, PassedRequest};
use tokio::time::{Instant, sleep, timeout_at};

use super::refusal;
use crate::down::note_wrong;
use crate::incoming::{CONTENT_MD5, SIGNATURE, envelope, only, presented, text};

/// The pause between two looks at what a request waits for.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// The header that marks the answer to a repeated message; the body is the same as the first time.
const REPEATED: (&str, &str) = ("Idempotent-Replayed", "true");
/// The headers that a new signature replaces.
const SIGNED: [&str; 3] = ["date", "content-md5", "x-signature"];

/// The course of a request.
pub(super) enum Course {
    /// It goes up now.
    Passes(PassedRequest),
    /// The relay answers it.
    Ends(UpwardOutcome, HttpResponse),
}

/// A request of the bridge whose signature is right.
struct SignedRequest<'r> {
    request: &'r Request,
    passed: PassedRequest,
    state: &'r AppState,
    relay: &'r KnownRelay,
    generation: Generation,
    scope: ScopeId,
    until: Instant,
}

/// A message that is stored.
struct StorableMessage {
    msgid: String,
    /// The name of the conversation, as the bridge has it.
    conversation: String,
}

/// Says what becomes of a request of the chat interface.
pub(super) async fn course(
    request: &Request,
    passed: PassedRequest,
    state: &AppState,
    relay: &KnownRelay,
) -> Course {
    let until = Instant::now() + passed.timeout;
    let path = request.uri().path().strip_prefix(chat::PREFIX);
    let (name, behind) = match path.and_then(|path| path.split_once('/')) {
        Some((name, behind)) => (name, Some(behind)),
        None => (path.unwrap_or_default(), None),
    };
    let Ok(scope) = name.parse::<ScopeId>() else {
        return Course::Passes(passed);
    };
    let is_message = behind.is_none() && request.method() == Method::POST;
    let signature = only(request, &SIGNATURE).map(<[u8]>::trim_ascii);
    let head = presented(request, &passed.body);
    let proof = signature.and_then(|it| relay.settings.proves(&head, it, state.now()));
    let Some(generation) = proof else {
        if !is_message {
            // The counterpart refuses it; nothing of it is read here.
            return Course::Passes(passed);
        }
        note_wrong(request, &passed.body, state, relay, None);
        let wrong = ChatError::Signature { hint: None };
        return Course::Ends(UpwardOutcome::Refused, wrong.response());
    };
    let order = SignedRequest {
        request,
        passed,
        state,
        relay,
        generation,
        scope,
        until,
    };
    let course = match order.message().filter(|_| is_message) {
        Some(message) => order.stores(message).await,
        None => order.passes(behind).await,
    };
    course.unwrap_or_else(|error| {
        tracing::warn!(channel = %relay.settings.channel, %error, "a request of the bridge cannot be looked after now");
        busy("unavailable", "the relay cannot read or store anything now; try again")
    })
}

impl SignedRequest<'_> {
    /// The message, if the body is one that the chat interface takes. What it refuses goes up at once, so that the bridge hears of it.
    fn message(&self) -> Option<StorableMessage> {
        let now = self.state.now();
        let rules = Rules::for_generation(self.generation);
        let is_read = is_json(self.request.headers());
        let event = is_read.then(|| send::parse_event(&self.passed.body, rules, now).ok())??;
        let Posted::Message(message) = event else {
            return None;
        };
        let client_id = message.conversation_id.map(|id| id.to_string());
        let own_id = message.conversation_ref_id.map(|id| id.to_string());
        Some(StorableMessage {
            msgid: message.msgid.to_string(),
            conversation: client_id.or(own_id)?,
        })
    }

    fn chat(&self, conversation: &str) -> RelayChat {
        RelayChat {
            relay: self.relay.id,
            chat: ChatMark::for_posts(&self.scope.to_string(), conversation),
        }
    }

    /// Stores a message, and answers it.
    async fn stores(self, message: StorableMessage) -> Result<Course, UnavailableError> {
        if self.relay.is_full(COUNTERPART) {
            return Ok(busy("full", "too many messages wait to go up; try again"));
        }
        let chat = self.chat(&message.conversation);
        // A message of another conversation that it names has to have its real id first.
        while self.ids(Some(chat)).await? == RealIds::Waits {
            if !self.waits().await {
                return Ok(waiting());
            }
        }
        let post = ReceiveHook {
            facts: HookFacts {
                kind: HookKind::Post,
                chat: chat.chat,
                same: Some(RelayedPost::same(&message.msgid)),
                message: None,
                written_ms: None,
            },
            envelope: envelope(self.request),
            scope: Some(self.scope.clone()),
            targets: vec![COUNTERPART],
            body: self.passed.body.clone(),
            post: Some(PostHead {
                target: self.passed.target.clone(),
                date: text(self.request, &header::DATE),
                content_md5: text(self.request, &CONTENT_MD5),
                generation: self.generation,
                msgid: message.msgid.clone(),
            }),
        };
        let storing = self.state.system().take_post(chat.relay, post);
        let storage = timeout_at(self.until, storing).await;
        let receipt = storage.unwrap_or(Err(UnavailableError::Busy))?;
        Ok(Course::Ends(
            UpwardOutcome::Stored,
            answer(&message, receipt),
        ))
    }

    /// Lets a request go up, behind the messages of its conversation.
    async fn passes(mut self, behind: Option<&str>) -> Result<Course, UnavailableError> {
        // It is of use now or never.
        let is_typing = behind == Some("typing");
        let conversation = conversation_of(&self.passed.body).filter(|_| !is_typing);
        if let Some(conversation) = conversation {
            let chat = self.chat(&conversation);
            while self.state.system().has_posts(chat).await? {
                if !self.waits().await {
                    return Ok(waiting());
                }
            }
        }
        loop {
            match self.ids(None).await? {
                RealIds::Same => break,
                RealIds::Exchanged { target, body } => {
                    self.sign(target, body);
                    break;
                }
                RealIds::Waits if self.waits().await => {}
                RealIds::Waits => return Ok(waiting()),
            }
        }
        self.passed.timeout = self.until.saturating_duration_since(Instant::now());
        Ok(Course::Passes(self.passed))
    }

    async fn ids(&self, behind: Option<RelayChat>) -> Result<RealIds, UnavailableError> {
        let (target, body) = (&self.passed.target, &self.passed.body);
        let system = self.state.system();
        system.real_ids(self.relay.id, target, body, behind).await
    }

    /// Waits a moment; false when the time of the exchange is over.
    async fn waits(&self) -> bool {
        sleep(LOOK_AGAIN).await;
        Instant::now() < self.until
    }

    /// Gives the request another path and body, with a signature over them.
    fn sign(&mut self, target: String, body: Bytes) {
        let content_type = text(self.request, &header::CONTENT_TYPE);
        let signable = SignableRequest {
            method: &self.passed.method,
            target: &target,
            content_type: content_type.as_deref(),
            body: &body,
        };
        let secret = &self.relay.settings.secret;
        let proof = signable.sign(self.generation, secret, self.state.now());
        let headers = &mut self.passed.headers;
        headers.retain(|(name, _)| !SIGNED.contains(&name.to_ascii_lowercase().as_str()));
        let fresh = proof.named();
        headers.extend(fresh.map(|(name, value)| (name.to_owned(), Bytes::from(value))));
        self.passed.target = target;
        self.passed.body = body;
    }
}

/// Gives the bridge the ids that it knows in an answer of the counterpart.
pub(super) async fn with_own_ids(
    answer: PassedAnswer,
    state: &AppState,
    relay: &KnownRelay,
) -> PassedAnswer {
    match state.system().own_ids(relay.id, &answer.body).await {
        Ok(Some(body)) => PassedAnswer { body, ..answer },
        Ok(None) => answer,
        Err(error) => {
            tracing::warn!(channel = %relay.settings.channel, %error, "the ids of an answer of the counterpart cannot be read back; it is passed on as it is");
            answer
        }
    }
}

/// The conversation that a body names, as the bridge has it.
fn conversation_of(body: &[u8]) -> Option<String> {
    let root: Value = serde_json::from_slice(body).ok()?;
    let event = root.get("payload").unwrap_or(&root);
    let name = |key| event.get(key).and_then(Value::as_str);
    let names = [name("conversation_id"), name("conversation_ref_id")];
    let mut texts = names.into_iter().flatten();
    texts.find(|it| !it.is_empty()).map(str::to_owned)
}

/// The answer to a message that is on disk.
fn answer(message: &StorableMessage, receipt: HookReceipt) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if receipt.repeated {
        response.insert_header(REPEATED);
    }
    response.json(json!({
        "new_message": {
            "conversation_id": message.conversation,
            "msgid": receipt.own,
            "ref_id": message.msgid,
        },
    }))
}

fn waiting() -> Course {
    busy(
        "waiting",
        "messages before this request have not gone up yet; try again",
    )
}

fn busy(reason: &str, detail: &str) -> Course {
    let response = refusal(StatusCode::SERVICE_UNAVAILABLE, reason, detail);
    Course::Ends(UpwardOutcome::Failed, response)
}

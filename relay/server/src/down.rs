//! The way down: a hook of the counterpart is verified, stored and answered.

use std::time::{Duration, Instant};

use actix_http::{Payload, Request};
use actix_web::HttpResponse;
use bytes::Bytes;
use serde_json::json;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::relays::BRIDGE;
use switchboard_actors::relay::facts::HookFacts;
use switchboard_actors::relay::hooks::receive::ReceiveHook;
use switchboard_actors::relay::refusal::HookRefusal;
use switchboard_actors::relay_book::{KnownRelay, WrongSignature};
use switchboard_diagnosis as diagnosis;
use switchboard_http::extract::origin::client_address;
use switchboard_http::state::AppState;

use crate::account;
use crate::incoming::{
    self, SIGNATURE, TakenHook, check_method, envelope, not_stored, only, presented, read_body,
};
use crate::news::NotedNews;
use crate::refused::HookRefusedError;

/// The longest time until a hook is on disk. The counterpart waits for five seconds.
const STORED_WITHIN: Duration = Duration::from_secs(3);
/// The generation of the signatures of hooks.
const DOWN: Option<Generation> = Some(Generation::V2019);
/// The beginning of the body of a hook that only tries the way in.
pub(crate) const CHECK_START: &[u8] = br#"{"relay_check":"#;

/// Answers a request to a path of relays.
pub(crate) async fn answer(
    request: &Request,
    payload: Payload,
    state: &AppState,
    news: &NotedNews,
) -> HttpResponse {
    let start = Instant::now();
    let system = state.system();
    let place = system
        .relays()
        .iter()
        .find_map(|relay| Some((relay, relay.settings.from.rest(request.path())?)));
    let (relay, hook) = match place {
        Some((relay, scope)) => (relay, take(request, payload, state, relay, scope).await),
        None => match account::relay_at(system.relays().iter(), request.path()) {
            Some((relay, hooks)) => {
                let taking = account::take(request, payload, state, relay, hooks);
                (relay, taking.await)
            }
            None => {
                let nothing = "no relay of this service has this path";
                return HookRefusedError::new(HookRefusal::Unknown, nothing).response();
            }
        },
    };
    let response = match hook {
        Ok(hook) => {
            if hook.has_news && !hook.repeated {
                news.look(request, hook.body, relay, system);
            }
            HttpResponse::Ok().json(json!({ "repeated": hook.repeated, "check": hook.is_check }))
        }
        Err(refused) => {
            relay.note_refused(refused.why);
            refused.response()
        }
    };
    relay.note_answer(start.elapsed());
    response
}

/// Takes a hook.
async fn take(
    request: &Request,
    payload: Payload,
    state: &AppState,
    relay: &KnownRelay,
    scope: &str,
) -> Result<TakenHook, HookRefusedError> {
    check_method(request)?;
    let scope = scope_of(relay, scope)?;
    let Some(signature) = only(request, &SIGNATURE) else {
        let missing = "a hook has one header X-Signature";
        note_wrong(request, &[], state, relay, DOWN);
        return Err(HookRefusedError::new(HookRefusal::Signature, missing));
    };
    let body = read_body(request, payload, relay).await?;
    if !relay.settings.verifies(&body, signature.trim_ascii()) {
        note_wrong(request, &body, state, relay, DOWN);
        let wrong = "X-Signature is not the HMAC-SHA1 of the body with the secret of the channel";
        return Err(HookRefusedError::new(HookRefusal::Signature, wrong));
    }
    store(request, body, state, relay, scope).await
}

/// Stores a hook whose signature is right.
async fn store(
    request: &Request,
    body: Bytes,
    state: &AppState,
    relay: &KnownRelay,
    scope: Option<ScopeId>,
) -> Result<TakenHook, HookRefusedError> {
    if relay.is_full(BRIDGE) {
        let full = "too many hooks wait for the bridge";
        tracing::error!(channel = %relay.settings.channel, scope = scope.as_ref().map(tracing::field::display), "a hook is refused, since too many wait for the bridge; its sender repeats nothing");
        return Err(HookRefusedError::new(HookRefusal::Full, full));
    }
    let name = scope.as_ref().map(ToString::to_string);
    let facts = HookFacts::read(&body, name.as_deref().unwrap_or_default());
    let message = facts.message.clone();
    let is_check = is_check(&body);
    let hook = ReceiveHook {
        facts,
        envelope: envelope(request),
        scope,
        targets: if is_check { Vec::new() } else { places(relay) },
        body: body.clone(),
        post: None,
    };
    let receipt = incoming::store(state, relay, hook, STORED_WITHIN).await;
    let receipt = receipt.map_err(|error| {
        tracing::error!(channel = %relay.settings.channel, scope = name, message, %error, "a hook cannot be stored in time; its sender repeats nothing");
        not_stored()
    })?;
    Ok(TakenHook {
        body,
        repeated: receipt.repeated,
        is_check,
        has_news: !is_check,
    })
}

/// Returns whether `switchboard relay check` sent a body with a right signature.
fn is_check(body: &[u8]) -> bool {
    body.starts_with(CHECK_START)
}

/// The places that a hook goes to: the bridge, and those of the copies for which not too many wait.
fn places(relay: &KnownRelay) -> Vec<u8> {
    let places = relay.settings.signed_places();
    places
        .filter(|place| {
            let skips = *place != BRIDGE && relay.is_full(*place);
            if let Some(target) = relay.target(*place).filter(|_| skips) {
                target.skipped.add();
            }
            !skips
        })
        .collect()
}

/// The scope in the path of a request. One of another channel is not of this relay.
fn scope_of(relay: &KnownRelay, text: &str) -> Result<Option<ScopeId>, HookRefusedError> {
    let settings = &relay.settings;
    if text.is_empty() {
        let needs_scope = settings.to.needs_scope();
        let missing = "the path ends with the id of the scope: give the counterpart an address with :scope_id";
        return match needs_scope {
            true => Err(HookRefusedError::new(HookRefusal::Unknown, missing)),
            false => Ok(None),
        };
    }
    let scope = text.parse::<ScopeId>().ok();
    match scope.filter(|scope| *scope.channel() == settings.channel) {
        Some(scope) => Ok(Some(scope)),
        None => Err(HookRefusedError::new(
            HookRefusal::Unknown,
            "the path ends with an id that is no scope of the channel of this relay",
        )),
    }
}

/// Remembers a wrong signature with the probable mistake, if it is one of the first of its day.
pub(crate) fn note_wrong(
    request: &Request,
    body: &[u8],
    state: &AppState,
    relay: &KnownRelay,
    generation: Option<Generation>,
) {
    let now = state.now();
    if !relay.wants_wrong(now) {
        return;
    }
    let presented = presented(request, body);
    let signature = only(request, &SIGNATURE);
    let secret = &relay.settings.secret;
    let mistake = diagnosis::diagnose(secret, &presented, signature, generation, now);
    let reason = mistake.map_or_else(
        || diagnosis::unexplained(body).hint().to_owned(),
        |mistake| mistake.hint().into_owned(),
    );
    relay.keep_wrong(WrongSignature {
        at: now,
        from: Some(client_address(request.head(), state)),
        reason,
        bytes: body.len(),
    });
}

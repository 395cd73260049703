//! Hooks of an account: forms without a signature. A secret in the path is all that proves their sender, so only those of the accounts
//! on a list are taken, and a header says to the bridge that nothing was verified.

use std::time::Duration;

use actix_http::{Payload, Request};
use actix_web::http::header::HeaderName;
use bytes::Bytes;
use subtle::ConstantTimeEq as _;
use switchboard_actors::domain::relays::{ACCOUNT_HOOKS, ChatMark, fingerprint};
use switchboard_actors::relay::facts::{HookFacts, HookKind};
use switchboard_actors::relay::hooks::HookEnvelope;
use switchboard_actors::relay::hooks::receive::ReceiveHook;
use switchboard_actors::relay::refusal::HookRefusal;
use switchboard_actors::relay::settings::AccountHooks;
use switchboard_actors::relay_book::KnownRelay;
use switchboard_http::state::AppState;

use crate::incoming::{self, TakenHook, check_method, envelope, not_stored, read_body, text};
use crate::refused::HookRefusedError;

/// The longest time until a hook is on disk. The counterpart waits for two seconds.
const STORED_WITHIN: Duration = Duration::from_millis(1_500);
/// The field of a form with the id of the account.
const ACCOUNT_ID: &str = "account[id]";

static REQUEST_ID: HeaderName = HeaderName::from_static("x-amocrm-requestid");

/// The relay whose account hooks come to this path.
pub(crate) fn relay_at<'r>(
    mut relays: impl Iterator<Item = &'r KnownRelay>,
    path: &str,
) -> Option<(&'r KnownRelay, &'r AccountHooks)> {
    relays.find_map(|relay| {
        let hooks = relay.settings.account_hooks.as_ref()?;
        let is_path: bool = hooks.from.as_str().as_bytes().ct_eq(path.as_bytes()).into();
        is_path.then_some((relay, hooks))
    })
}

/// Takes a hook of an account.
pub(crate) async fn take(
    request: &Request,
    payload: Payload,
    state: &AppState,
    relay: &KnownRelay,
    hooks: &AccountHooks,
) -> Result<TakenHook, HookRefusedError> {
    check_method(request)?;
    let body = read_body(request, payload, relay).await?;
    let account = account_of(&body).filter(|account| hooks.accounts.contains(account));
    let Some(account) = account else {
        let unknown = "account[id] of the form is not on the list of this relay";
        return Err(HookRefusedError::new(HookRefusal::Unknown, unknown));
    };
    if relay.is_full(ACCOUNT_HOOKS) {
        let full = "too many hooks of accounts wait for the bridge";
        return Err(HookRefusedError::new(HookRefusal::Full, full));
    }
    let request_id = text(request, &REQUEST_ID);
    let same = request_id.as_ref();
    let hook = ReceiveHook {
        facts: HookFacts {
            kind: HookKind::Other,
            chat: ChatMark::new("account", &account),
            same: same.map(|id| fingerprint("form", &[id.as_bytes()])),
            message: request_id,
            written_ms: None,
        },
        envelope: HookEnvelope {
            signature: None,
            ..envelope(request)
        },
        scope: None,
        targets: vec![ACCOUNT_HOOKS],
        body: body.clone(),
        post: None,
    };
    let receipt = incoming::store(state, relay, hook, STORED_WITHIN).await;
    let receipt = receipt.map_err(|error| {
        tracing::error!(channel = %relay.settings.channel, account, %error, "a hook of an account cannot be stored in time; its sender may not repeat it");
        not_stored()
    })?;
    Ok(TakenHook {
        body,
        repeated: receipt.repeated,
        is_check: false,
        has_news: false,
    })
}

/// The id of the account in a form.
fn account_of(body: &Bytes) -> Option<String> {
    let mut fields = url::form_urlencoded::parse(body);
    let (_, id) = fields.find(|(name, _)| name == ACCOUNT_ID)?;
    Some(id.into_owned())
}

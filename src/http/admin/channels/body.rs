//! The bodies that describe channels: everything that is wrong with one is told at once.

use std::collections::BTreeSet;
use std::str::FromStr;

use switchboard_actors::System;
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::{AccountId, ChannelId};
use switchboard_actors::domain::installation::channels::AllowedAccounts;
use switchboard_actors::domain::signature::ChannelSecret;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::system::operator::test_send::TestRequest;
use switchboard_actors::wire::json;
use switchboard_actors::wire::json::node::Node;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};

use crate::config::values::{Expected, WebhookAddress};
use crate::http::openapi::{Field, Schema, may, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;
use crate::outbound::guard::Guard;

/// The longest grace period of a rotation, in seconds: 30 days.
const GRACE_MAX: i64 = 30 * 86_400;

/// A new channel.
pub(super) struct New {
    pub(super) id: Option<ChannelId>,
    pub(super) name: String,
    pub(super) secret: Option<ChannelSecret>,
    pub(super) webhook_v1: Option<String>,
    pub(super) webhook_v2: Option<String>,
    pub(super) accounts: AllowedAccounts,
    pub(super) generation: Option<Generation>,
    pub(super) typing_callbacks: bool,
    pub(super) reaction_callbacks: bool,
    pub(super) timeout_seconds: Option<u8>,
}

/// What is to be different; `Some(None)` takes something away.
pub(super) struct Change {
    pub(super) name: Option<String>,
    pub(super) webhook_v1: Option<Option<String>>,
    pub(super) webhook_v2: Option<Option<String>>,
    pub(super) accounts: Option<AllowedAccounts>,
    pub(super) generation: Option<Option<Generation>>,
    pub(super) typing_callbacks: Option<bool>,
    pub(super) reaction_callbacks: Option<bool>,
    pub(super) timeout_seconds: Option<Option<u8>>,
}

/// Another secret.
pub(super) struct Rotate {
    pub(super) secret: Option<ChannelSecret>,
    pub(super) grace_seconds: Option<u64>,
}

/// A signature, and what it is said to be of.
pub(super) struct Check {
    pub(super) signature: String,
    pub(super) body: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) content_md5: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) date: Option<String>,
}

/// `signature` and `body`; of the canonical form also `method`, `path`, `content_md5`, `content_type` and `date`.
pub(super) fn check(bytes: &[u8]) -> Result<Check, Problem> {
    read(bytes, |body| {
        body.refuse_unknown(&[
            "signature",
            "body",
            "method",
            "path",
            "content_md5",
            "content_type",
            "date",
        ]);
        let text = |name| body.optional_string(name).map(str::to_owned);
        let signature = body.required_string("signature");
        let signed = body.required_string("body");
        Some(Check {
            signature: signature?.to_owned(),
            body: signed?.to_owned(),
            method: text("method").unwrap_or_else(|| "POST".to_owned()),
            path: text("path").unwrap_or_default(),
            content_md5: text("content_md5"),
            content_type: text("content_type"),
            date: text("date"),
        })
    })
}

pub(super) fn new(bytes: &[u8], state: &AppState) -> Result<New, Problem> {
    read(bytes, |body| {
        body.refuse_unknown(&[
            "id",
            "name",
            "secret",
            "webhook_v1",
            "webhook_v2",
            "accounts",
            "generation",
            "typing_callbacks",
            "reaction_callbacks",
            "timeout_seconds",
        ]);
        let id = body.optional_parsed("id");
        let name = body.required_parsed("name").map(|Label(name)| name);
        let secret = secret(body);
        let webhook_v1 = webhook(body, "webhook_v1", state.guard()).flatten();
        let webhook_v2 = webhook(body, "webhook_v2", state.guard()).flatten();
        let accounts = accounts(body, state.system()).unwrap_or(AllowedAccounts::All);
        let generation = generation(body).flatten();
        let typing_callbacks = body.optional_bool("typing_callbacks").unwrap_or(false);
        let reaction_callbacks = body.optional_bool("reaction_callbacks").unwrap_or(false);
        let timeout_seconds = timeout(body).flatten();
        Some(New {
            id,
            name: name?,
            secret,
            webhook_v1,
            webhook_v2,
            accounts,
            generation,
            typing_callbacks,
            reaction_callbacks,
            timeout_seconds,
        })
    })
}

pub(super) fn change(bytes: &[u8], state: &AppState) -> Result<Change, Problem> {
    read(bytes, |body| {
        body.refuse_unknown(&[
            "name",
            "webhook_v1",
            "webhook_v2",
            "accounts",
            "generation",
            "typing_callbacks",
            "reaction_callbacks",
            "timeout_seconds",
        ]);
        Some(Change {
            name: body.optional_parsed("name").map(|Label(name)| name),
            webhook_v1: webhook(body, "webhook_v1", state.guard()),
            webhook_v2: webhook(body, "webhook_v2", state.guard()),
            accounts: accounts(body, state.system()),
            generation: generation(body),
            typing_callbacks: body.optional_bool("typing_callbacks"),
            reaction_callbacks: body.optional_bool("reaction_callbacks"),
            timeout_seconds: timeout(body),
        })
    })
}

pub(super) fn rotate(bytes: &[u8]) -> Result<Rotate, Problem> {
    read(bytes, |body| {
        body.refuse_unknown(&["secret", "grace_seconds"]);
        let grace = body.optional_integer("grace_seconds", 0..=GRACE_MAX);
        Some(Rotate {
            secret: secret(body),
            grace_seconds: grace.and_then(|grace| u64::try_from(grace).ok()),
        })
    })
}

pub(super) fn test(bytes: &[u8]) -> Result<TestRequest, Problem> {
    read(bytes, |body| {
        body.refuse_unknown(&["version", "account_id"]);
        Some(TestRequest {
            version: body.optional_choice("version", &HookVersion::NAMES),
            account: body.optional_parsed("account_id"),
        })
    })
}

fn read<T>(
    bytes: &[u8],
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<T, Problem> {
    json::read(bytes, Nulls::Refused, take).map_err(Problem::from)
}

/// A name, or a secret, as a configuration may have it too.
struct Label(String);

impl FromStr for Label {
    type Err = Expected;
    fn from_str(text: &str) -> Result<Self, Expected> {
        let length = text.chars().count();
        let fits = (1..=255).contains(&length) && !text.chars().any(char::is_control);
        if fits && !text.trim().is_empty() {
            Ok(Self(text.to_owned()))
        } else {
            Err(Expected(
                "expected a name of 1 to 255 characters without control characters",
            ))
        }
    }
}

struct Key(ChannelSecret);

impl FromStr for Key {
    type Err = Expected;
    fn from_str(text: &str) -> Result<Self, Expected> {
        let expected = Expected("expected a secret of 1 to 255 ASCII characters without spaces");
        match text.parse() {
            Ok(secret) if text.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Self(secret)),
            Ok(_) | Err(_) => Err(expected),
        }
    }
}

fn secret(body: &ObjectReader<'_, '_>) -> Option<ChannelSecret> {
    body.optional_parsed("secret").map(|Key(secret)| secret)
}

/// An address that callbacks may go to as far as its spelling tells, or `null` for none. What a name stands for is looked
/// at with each request, since it may change.
fn webhook(body: &ObjectReader<'_, '_>, name: &str, guard: &Guard) -> Option<Option<String>> {
    or_null(body, name, || {
        let address: WebhookAddress = body.optional_parsed(name)?;
        if let Err(refused) = guard.check(address.url()) {
            body.reject(name, ViolationCode::InvalidValue, refused.to_string());
            return None;
        }
        Some(address.as_str().to_owned())
    })
}

/// Seconds, or `null` for as many as all others have.
fn timeout(body: &ObjectReader<'_, '_>) -> Option<Option<u8>> {
    or_null(body, "timeout_seconds", || {
        let seconds = body.optional_integer("timeout_seconds", 1..=30)?;
        u8::try_from(seconds).ok()
    })
}

/// The one generation that is taken, or `null` for both.
fn generation(body: &ObjectReader<'_, '_>) -> Option<Option<Generation>> {
    or_null(body, "generation", || body.optional_parsed("generation"))
}

fn or_null<T>(
    body: &ObjectReader<'_, '_>,
    name: &str,
    read: impl FnOnce() -> Option<T>,
) -> Option<Option<T>> {
    match body.raw(name) {
        None => None,
        Some(Node::Null) => Some(None),
        Some(_) => read().map(Some),
    }
}

/// `["*"]` for all accounts, or the ids of accounts that there are.
fn accounts(body: &ObjectReader<'_, '_>, system: &System) -> Option<AllowedAccounts> {
    if let Some(Node::List(items)) = body.raw("accounts")
        && matches!(items.as_slice(), [Node::Text(word)] if word == "*")
    {
        return Some(AllowedAccounts::All);
    }
    let named: Vec<AccountId> = body.optional_parsed_list("accounts")?;
    for account in named
        .iter()
        .filter(|account| system.account(**account).is_none())
    {
        let detail = format!("there is no account {account}");
        body.reject("accounts", ViolationCode::InvalidValue, detail);
    }
    let once: BTreeSet<_> = named.into_iter().collect();
    Some(AllowedAccounts::Named(once.into_iter().collect()))
}

/// What may be said of a channel, new or not.
pub(super) fn fields() -> Vec<Field> {
    let webhook = || {
        let says = "Where callbacks go; `:scope_id` in it is replaced. Null for nowhere. A literal address that is not \
                    public is refused, unless the configuration allows it (dispatch.allow_private_networks).";
        Schema::url().or_null().says(says)
    };
    let accounts = Schema::list(Schema::text());
    vec![
        may("webhook_v1", webhook()),
        may("webhook_v2", webhook()),
        may(
            "accounts",
            accounts.says("Which accounts may connect: their ids, or `*` alone for all."),
        ),
        may("generation", generation_schema()),
        may(
            "typing_callbacks",
            Schema::boolean().says("Whether callbacks tell who is typing; not at first."),
        ),
        may(
            "reaction_callbacks",
            Schema::boolean().says("Whether callbacks tell of signs on messages; not at first."),
        ),
        may(
            "timeout_seconds",
            Schema::between(1, 30)
                .or_null()
                .says("How long an attempt may take; null for the usual time."),
        ),
    ]
}

/// Which generation a channel takes.
pub(super) fn generation_schema() -> Schema {
    let both = [Generation::V2019, Generation::Current];
    Schema::words(both.map(Generation::as_str))
        .or_null()
        .says("The one generation of the chat interface that is taken; null for both.")
}

/// A signature that is to be checked.
pub(super) fn check_schema() -> Schema {
    Schema::object([
        must(
            "signature",
            Schema::text().says("The value of X-Signature."),
        ),
        must("body", Schema::text().says("The raw body.")),
        may("method", Schema::text().default_is("POST")),
        may("path", Schema::text().says("Without the query.")),
        may("content_md5", Schema::text()),
        may("content_type", Schema::text()),
        may(
            "date",
            Schema::text().says("Without it, only the raw body can have been signed."),
        ),
    ])
}

/// A secret in a body.
pub(super) fn secret_schema() -> Schema {
    Schema::line(255).says("1 to 255 characters of ASCII without spaces; made when it is left out.")
}

/// The body of a rotation.
pub(super) fn rotate_schema() -> Schema {
    let grace = Schema::between(0, GRACE_MAX);
    let grace = grace
        .default_is(86_400)
        .says("How long the old secret is good, in seconds; at most 30 days.");
    Schema::object([may("secret", secret_schema()), may("grace_seconds", grace)])
}

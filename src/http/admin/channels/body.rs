//! The bodies that describe channels: everything that is wrong with one is told at once.

use std::collections::BTreeSet;
use std::str::FromStr;

use switchboard_actors::System;
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::id::{AccountId, ChannelId};
use switchboard_actors::domain::installation::channels::AllowedAccounts;
use switchboard_actors::domain::signature::ChannelSecret;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::system::operator::test_send::TestRequest;
use switchboard_actors::wire::json::node::Node;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};
use switchboard_actors::wire::json::{self, BodyError};

use crate::config::values::{Expected, WebhookAddress};
use crate::http::reply::problem::Problem;

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
    pub(super) timeout_seconds: Option<u8>,
}

/// What is to be different; `Some(None)` takes something away.
pub(super) struct Change {
    pub(super) name: Option<String>,
    pub(super) webhook_v1: Option<Option<String>>,
    pub(super) webhook_v2: Option<Option<String>>,
    pub(super) accounts: Option<AllowedAccounts>,
    pub(super) timeout_seconds: Option<Option<u8>>,
}

/// Another secret.
pub(super) struct Rotate {
    pub(super) secret: Option<ChannelSecret>,
    pub(super) grace_seconds: Option<u64>,
}

pub(super) fn new(bytes: &[u8], system: &System) -> Result<New, Problem> {
    read(bytes, |body| {
        body.refuse_unknown(&[
            "id",
            "name",
            "secret",
            "webhook_v1",
            "webhook_v2",
            "accounts",
            "timeout_seconds",
        ]);
        let id = body.optional_parsed("id");
        let name = body.required_parsed("name").map(|Label(name)| name);
        let secret = secret(body);
        let webhook_v1 = webhook(body, "webhook_v1").flatten();
        let webhook_v2 = webhook(body, "webhook_v2").flatten();
        let accounts = accounts(body, system).unwrap_or(AllowedAccounts::All);
        let timeout_seconds = timeout(body).flatten();
        Some(New {
            id,
            name: name?,
            secret,
            webhook_v1,
            webhook_v2,
            accounts,
            timeout_seconds,
        })
    })
}

pub(super) fn change(bytes: &[u8], system: &System) -> Result<Change, Problem> {
    read(bytes, |body| {
        body.refuse_unknown(&[
            "name",
            "webhook_v1",
            "webhook_v2",
            "accounts",
            "timeout_seconds",
        ]);
        Some(Change {
            name: body.optional_parsed("name").map(|Label(name)| name),
            webhook_v1: webhook(body, "webhook_v1"),
            webhook_v2: webhook(body, "webhook_v2"),
            accounts: accounts(body, system),
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
    json::read(bytes, Nulls::Refused, take).map_err(|error| match error {
        BodyError::NotJson(why) => Problem::BadRequest(why.to_string()),
        BodyError::Invalid(violations) => Problem::Validation(violations),
    })
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

/// An address, or `null` for none.
fn webhook(body: &ObjectReader<'_, '_>, name: &str) -> Option<Option<String>> {
    or_null(body, name, || {
        let address: WebhookAddress = body.optional_parsed(name)?;
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

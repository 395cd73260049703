//! The bodies that describe channels. A refusal reports everything that is wrong with one at once.

use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::installation::channels::settings::{
    ChannelChange, ChannelSettings,
};
use switchboard_actors::domain::signature::SharedSecret;
use switchboard_actors::system::operator::test_send::TestRequest;
use switchboard_actors::wire::json;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};

use crate::fields::CheckedFields;
use crate::openapi::{Schema, may, must};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The longest grace period of a rotation, in seconds: 30 days.
const GRACE_MAX: i64 = 30 * 86_400;

/// A new channel.
pub(super) struct New {
    pub(super) id: Option<ChannelId>,
    pub(super) secret: Option<SharedSecret>,
    pub(super) settings: ChannelSettings,
}

/// Another secret.
pub(super) struct Rotate {
    pub(super) secret: Option<SharedSecret>,
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
        let others = ["id", "secret"];
        let mut fields = CheckedFields::of_new::<ChannelSettings>(body, state, &others);
        let id = body.optional_parsed("id");
        let secret = body.optional_parsed("secret");
        let settings = ChannelChange::read(&mut fields).complete();
        Some(New {
            id,
            secret,
            settings: settings?,
        })
    })
}

pub(super) fn change(bytes: &[u8], state: &AppState) -> Result<ChannelChange, Problem> {
    read(bytes, |body| {
        let mut fields = CheckedFields::of_change::<ChannelSettings>(body, state);
        Some(ChannelChange::read(&mut fields))
    })
}

pub(super) fn rotate(bytes: &[u8]) -> Result<Rotate, Problem> {
    read(bytes, |body| {
        body.refuse_unknown(&["secret", "grace_seconds"]);
        let grace = body.optional_integer("grace_seconds", 0..=GRACE_MAX);
        Some(Rotate {
            secret: body.optional_parsed("secret"),
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

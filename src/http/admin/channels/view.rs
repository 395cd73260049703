//! A channel as the operator sees it: never its secret, only what tells one secret from another.

use serde_json::{Value, json};
use switchboard_actors::domain::installation::channels::{AllowedAccounts, Channel};
use switchboard_actors::domain::time::UnixMillis;

use crate::http::admin::channels::body;
use crate::http::openapi::{Field, Schema, may, must};

/// The channel.
pub(super) fn channel(channel: &Channel, now: UnixMillis) -> Value {
    let rotation = channel.rotating(now).map(|rotation| {
        json!({
            "began_at": rotation.began_at.secs(),
            "ends_at": rotation.ends_at.secs(),
            "old_secret_fingerprint": rotation.old.fingerprint(),
        })
    });
    json!({
        "id": channel.id,
        "name": channel.name,
        "webhook_v1": channel.webhook_v1,
        "webhook_v2": channel.webhook_v2,
        "accounts": accounts(&channel.accounts),
        "generation": channel.generation,
        "typing_callbacks": channel.typing_callbacks,
        "reaction_callbacks": channel.reaction_callbacks,
        "timeout_seconds": channel.timeout_seconds,
        "secret_fingerprint": channel.secret.fingerprint(),
        "rotation": rotation,
        "paused": channel.paused_at.is_some(),
        "paused_at": channel.paused_at.map(UnixMillis::secs),
    })
}

/// The channel, with its secret if it was just made: there is no other moment to see it.
pub(super) fn with_secret(channel: &Channel, made: bool, now: UnixMillis) -> Value {
    let mut view = self::channel(channel, now);
    if let Some(view) = view.as_object_mut().filter(|_| made) {
        view.insert("secret".to_owned(), channel.secret.expose().into());
    }
    view
}

/// The accounts as a body names them.
fn accounts(accounts: &AllowedAccounts) -> Value {
    match accounts {
        AllowedAccounts::All => json!(["*"]),
        AllowedAccounts::Named(named) => json!(named),
    }
}

/// A channel.
pub(super) fn schema() -> Schema {
    Schema::named("Channel", Schema::object(fields()))
}

/// A channel whose secret may just have been made.
pub(super) fn schema_with_secret() -> Schema {
    let mut fields = fields();
    fields.push(may("secret", Schema::text().says("Shown this once.")));
    Schema::named("ChannelMade", Schema::object(fields))
}

fn fields() -> Vec<Field> {
    let rotation = Schema::object([
        must("began_at", Schema::seconds()),
        must("ends_at", Schema::seconds()),
        must("old_secret_fingerprint", Schema::text()),
    ]);
    vec![
        must("id", Schema::text()),
        must("name", Schema::text()),
        must("webhook_v1", Schema::text().or_null()),
        must("webhook_v2", Schema::text().or_null()),
        must("accounts", Schema::list(Schema::text())),
        must("generation", body::generation_schema()),
        must("typing_callbacks", Schema::boolean()),
        must("reaction_callbacks", Schema::boolean()),
        must("timeout_seconds", Schema::between(1, 30).or_null()),
        must(
            "secret_fingerprint",
            Schema::text().says("Tells one secret from another."),
        ),
        must("rotation", rotation.or_null()),
        must("paused", Schema::boolean()),
        must("paused_at", Schema::seconds().or_null()),
    ]
}

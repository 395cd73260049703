//! A channel as the operator sees it: never its secret, only what tells one secret from another.

use serde_json::{Value, json};
use switchboard_actors::domain::installation::channels::{AllowedAccounts, Channel};
use switchboard_actors::domain::time::UnixMillis;

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

//! A channel as the operator sees it: never its secret, only what tells one secret from another.

use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::installation::channels::{self, AllowedAccounts};
use switchboard_actors::domain::time::UnixMillis;

use crate::http::openapi::Seconds;

view! {
    pub(super) struct Channel<'c>(channel: &'c channels::Channel, now: UnixMillis) {
        id: &'c ChannelId = &channel.id,
        name: &'c str = &channel.name,
        webhook_v1: Option<&'c str> = channel.webhook_v1.as_deref(),
        webhook_v2: Option<&'c str> = channel.webhook_v2.as_deref(),
        accounts: Vec<String> = accounts(&channel.accounts),
        /// The one generation of the chat interface that is taken; null for both.
        generation: Option<Generation> = channel.generation,
        typing_callbacks: bool = channel.typing_callbacks,
        reaction_callbacks: bool = channel.reaction_callbacks,
        #[schemars(range(min = 1, max = 30))]
        timeout_seconds: Option<u8> = channel.timeout_seconds,
        /// Tells one secret from another.
        secret_fingerprint: String = channel.secret.fingerprint(),
        rotation: Option<Rotation> = channel.rotating(now).map(Rotation::of),
        paused: bool = channel.paused_at.is_some(),
        paused_at: Option<Seconds> = channel.paused_at.map(Seconds::from),
    }

    #[schemars(inline)]
    pub(super) struct Rotation(rotation: &channels::Rotation) {
        began_at: Seconds = rotation.began_at.into(),
        ends_at: Seconds = rotation.ends_at.into(),
        old_secret_fingerprint: String = rotation.old.fingerprint(),
    }

    /// The secret is there if it was just made: there is no other moment to see it.
    pub(super) struct ChannelMade<'c>(channel: &'c channels::Channel, made: bool, now: UnixMillis) {
        #[serde(flatten)]
        channel: Channel<'c> = Channel::of(channel, now),
        /// Shown this once.
        secret ?: &'c str = made.then(|| channel.secret.expose()),
    }
}

/// The accounts as a body names them.
fn accounts(accounts: &AllowedAccounts) -> Vec<String> {
    match accounts {
        AllowedAccounts::All => vec!["*".to_owned()],
        AllowedAccounts::Named(named) => named.iter().map(ToString::to_string).collect(),
    }
}

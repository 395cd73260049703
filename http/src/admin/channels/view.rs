//! A channel as the operator sees it: never its secret, only the fingerprint that distinguishes it from other secrets.

use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::installation::channels;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;
use switchboard_actors::domain::time::UnixMillis;

use crate::fields::of_answer;
use crate::openapi::Seconds;

view! {
    pub(super) struct Channel<'c>(channel: &'c channels::Channel, now: UnixMillis) {
        id: &'c ChannelId = &channel.id,
        #[serde(flatten)]
        #[schemars(schema_with = "of_answer::<ChannelSettings>")]
        settings: &'c ChannelSettings = &channel.settings,
        /// A fingerprint that distinguishes secrets.
        secret_fingerprint: String = channel.secret.fingerprint(),
        rotation: Option<Rotation> = channel.rotating(now).map(Rotation::new),
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
        channel: Channel<'c> = Channel::new(channel, now),
        /// Shown this once.
        #[schemars(extend("x-secret" = true))]
        secret ?: &'c str = made.then(|| channel.secret.expose()),
    }
}

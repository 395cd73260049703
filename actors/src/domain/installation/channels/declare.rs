//! The configuration declares a channel at each start.
//!
//! What it said at the last start is remembered. A field that it gives another value than then is changed; one that it
//! gives the same value stays as it is, also when the operator has changed it meanwhile. So a restart undoes nothing,
//! and an edit of the file counts.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::generation::Generation;
use crate::domain::installation::channels::{
    AllowedAccounts, Channel, ChannelChanged, Channels, ChannelsEvent, becomes,
};
use crate::domain::notice::Notice;
use switchboard_engine::state::{Command, Moment, Recorded};

/// What the configuration said of a channel. Of the secret only the digest is kept: after a rotation nobody needs to
/// know the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    name: String,
    secret_digest: String,
    webhook_v1: Option<String>,
    webhook_v2: Option<String>,
    accounts: AllowedAccounts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    generation: Option<Generation>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    typing_callbacks: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    reaction_callbacks: bool,
    timeout_seconds: Option<u8>,
}

impl Declared {
    fn of(channel: &Channel) -> Self {
        Self {
            name: channel.name.clone(),
            secret_digest: channel.secret.digest(),
            webhook_v1: channel.webhook_v1.clone(),
            webhook_v2: channel.webhook_v2.clone(),
            accounts: channel.accounts.clone(),
            generation: channel.generation,
            typing_callbacks: channel.typing_callbacks,
            reaction_callbacks: channel.reaction_callbacks,
            timeout_seconds: channel.timeout_seconds,
        }
    }
}

/// The configuration declares a channel: its settings count, see the module. Whether callbacks are held back, and which
/// secret is on its way out, is not for the configuration to say.
#[derive(Clone, Debug)]
pub struct DeclareChannel(pub Channel);

impl Command for DeclareChannel {
    type Of = Channels;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Channels,
        _found: &[Option<Recorded<ChannelsEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<ChannelsEvent, ()>, Infallible> {
        let wanted = Channel {
            rotation: None,
            paused_at: None,
            ..self.0
        };
        let declared = Declared::of(&wanted);
        let last = state.declared.get(&wanted.id);
        let before = state.get(&wanted.id);
        let after = match before {
            Some(known) => merged(known, last, &declared, wanted),
            None => wanted,
        };
        if last == Some(&declared) && before == Some(&after) {
            return Ok(Decision::unchanged(()));
        }
        let action = if before.is_some() {
            "channel.change"
        } else {
            "channel.create"
        };
        let decision = becomes(before, after, (By::Configuration, action), moment);
        let mut events = decision.events;
        match events.first_mut().map(|recorded| &mut recorded.event) {
            Some(ChannelsEvent::Changed(changed)) => changed.declared = Some(declared),
            // Only what the configuration says is new: the operator had done the same before.
            None => events.push(
                ChannelsEvent::Changed(Box::new(ChannelChanged {
                    channel: decision.reply,
                    declared: Some(declared),
                    audit: None,
                }))
                .into(),
            ),
        }
        Ok(Decision {
            events,
            notices: vec![Notice::ChannelChanged],
            reply: (),
        })
    }
}

/// The channel as it is, with every field that the configuration says something new of.
fn merged(known: &Channel, last: Option<&Declared>, now: &Declared, wanted: Channel) -> Channel {
    let mut after = known.clone();
    let is_new = |same: fn(&Declared, &Declared) -> bool| last.is_none_or(|last| !same(last, now));
    if is_new(|last, now| last.name == now.name) {
        after.name = wanted.name;
    }
    if is_new(|last, now| last.webhook_v1 == now.webhook_v1) {
        after.webhook_v1 = wanted.webhook_v1;
    }
    if is_new(|last, now| last.webhook_v2 == now.webhook_v2) {
        after.webhook_v2 = wanted.webhook_v2;
    }
    if is_new(|last, now| last.accounts == now.accounts) {
        after.accounts = wanted.accounts;
    }
    if is_new(|last, now| last.generation == now.generation) {
        after.generation = wanted.generation;
    }
    if is_new(|last, now| last.typing_callbacks == now.typing_callbacks) {
        after.typing_callbacks = wanted.typing_callbacks;
    }
    if is_new(|last, now| last.reaction_callbacks == now.reaction_callbacks) {
        after.reaction_callbacks = wanted.reaction_callbacks;
    }
    if is_new(|last, now| last.timeout_seconds == now.timeout_seconds) {
        after.timeout_seconds = wanted.timeout_seconds;
    }
    // Whoever writes the rotated secret into the file does not mean to end the rotation by that.
    if is_new(|last, now| last.secret_digest == now.secret_digest) && wanted.secret != after.secret
    {
        after.secret = wanted.secret;
        after.rotation = None;
    }
    after
}

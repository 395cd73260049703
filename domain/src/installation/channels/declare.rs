//! The configuration declares a channel at each start.
//!
//! What it said at the last start is remembered. A field that it gives another value than then is changed; one that it
//! gives the same value stays as it is, also when the operator has changed it meanwhile. So a restart undoes nothing,
//! and an edit of the file counts.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use crate::Decision;
use crate::audit::By;
use crate::installation::channels::settings::ChannelSettings;
use crate::installation::channels::{Channel, ChannelChanged, Channels, ChannelsEvent, becomes};
use crate::notice::Notice;
use crate::signature::SharedSecret;
use switchboard_engine::state::{Command, Moment};

/// A channel as the configuration declared it. Of the secret only the digest is kept: after a rotation nothing needs
/// the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    secret_digest: String,
    settings: ChannelSettings,
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
        moment: &mut Moment<'_, ChannelsEvent>,
    ) -> Result<Decision<ChannelsEvent, ()>, Infallible> {
        let Self(declaration) = self;
        let channel = Channel::new(declaration.id, declaration.secret, declaration.settings);
        let declared = Declared {
            secret_digest: channel.secret.digest(),
            settings: channel.settings.clone(),
        };
        let last = state.declared.get(&channel.id);
        let before = state.get(&channel.id);
        let after = match before {
            Some(known) => merged(known.clone(), last, &declared, channel.secret),
            None => channel,
        };
        if last == Some(&declared) && before == Some(&after) {
            return Ok(Decision::unchanged(()));
        }
        let action = if before.is_some() {
            "channel.update"
        } else {
            "channel.create"
        };
        let decision = becomes(before, after, By::Configuration, action, moment);
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
fn merged(
    mut channel: Channel,
    last: Option<&Declared>,
    now: &Declared,
    secret: SharedSecret,
) -> Channel {
    let news = now.settings.since(last.map(|last| &last.settings));
    channel.settings = channel.settings.with(news);
    // An operator who writes the rotated secret into the file does not mean to end the rotation by that.
    let is_new = last.is_none_or(|last| last.secret_digest != now.secret_digest);
    if is_new && secret != channel.secret {
        channel.secret = secret;
        channel.rotation = None;
    }
    channel
}

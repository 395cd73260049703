//! The operator makes a channel.

use crate::Decision;
use crate::audit::By;
use crate::id::ChannelId;
use crate::installation::channels::settings::ChannelSettings;
use crate::installation::channels::{Channel, ChannelRejection, Channels, ChannelsEvent, becomes};
use crate::signature::SharedSecret;
use switchboard_engine::state::{Command, Moment};

/// The operator makes a channel; id and secret are made when they are not given.
#[derive(Clone, Debug)]
pub struct CreateChannel {
    /// The actor, for the audit log.
    pub by: By,
    /// The id.
    pub id: Option<ChannelId>,
    /// The secret.
    pub secret: Option<SharedSecret>,
    /// The settings.
    pub settings: ChannelSettings,
}

impl Command for CreateChannel {
    type Of = Channels;
    type Reply = Channel;
    type Rejection = ChannelRejection;

    fn decide(
        self,
        state: &Channels,
        moment: &mut Moment<'_, ChannelsEvent>,
    ) -> Result<Decision<ChannelsEvent, Channel>, ChannelRejection> {
        let id = match self.id {
            Some(id) => id,
            None => ChannelId::from_random((moment.random)()),
        };
        if state.get(&id).is_some() {
            return Err(ChannelRejection::Exists);
        }
        if state.channels.len() >= Channels::MAX {
            return Err(ChannelRejection::Full);
        }
        let secret = match self.secret {
            Some(secret) => secret,
            None => SharedSecret::from_random([(moment.random)(), (moment.random)()]),
        };
        let channel = Channel::new(id, secret, self.settings);
        Ok(becomes(None, channel, self.by, "channel.create", moment))
    }
}

//! The operator gives a channel another secret, with a time in which both are known.

use std::time::Duration;

use crate::Decision;
use crate::audit::By;
use crate::id::ChannelId;
use crate::installation::channels::{Channel, ChannelRejection, Channels, ChannelsEvent, Rotation};
use crate::signature::SharedSecret;
use switchboard_engine::state::{Command, Moment};

/// The operator gives a channel another secret; it is made when none is given.
#[derive(Clone, Debug)]
pub struct RotateSecret {
    /// The actor, for the audit log.
    pub by: By,
    /// The channel.
    pub id: ChannelId,
    /// The new secret.
    pub secret: Option<SharedSecret>,
    /// The time in which the old secret still signs callbacks and is valid for requests. Zero makes it invalid at once.
    pub grace: Duration,
}

impl Command for RotateSecret {
    type Of = Channels;
    type Reply = Channel;
    type Rejection = ChannelRejection;

    fn decide(
        self,
        state: &Channels,
        moment: &mut Moment<'_, ChannelsEvent>,
    ) -> Result<Decision<ChannelsEvent, Channel>, ChannelRejection> {
        let before = state.known(&self.id)?;
        if before.rotating(moment.now).is_some() {
            return Err(ChannelRejection::Rotating);
        }
        let secret = match self.secret {
            Some(secret) => secret,
            None => SharedSecret::from_random([(moment.random)(), (moment.random)()]),
        };
        if secret == before.secret {
            return Err(ChannelRejection::SameSecret);
        }
        let rotation = Rotation {
            old: before.secret.clone(),
            began_at: moment.now,
            ends_at: moment.now.plus(self.grace),
        };
        state.changed(
            &self.id,
            self.by,
            "channel.rotate-secret",
            moment,
            |known| Channel {
                secret,
                rotation: (!self.grace.is_zero()).then_some(rotation),
                ..known
            },
        )
    }
}

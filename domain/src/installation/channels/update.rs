//! The operator changes what a channel is called, where its callbacks go, and for whom it is.

use crate::Decision;
use crate::audit::By;
use crate::id::ChannelId;
use crate::installation::channels::settings::ChannelChange;
use crate::installation::channels::{Channel, ChannelRejection, Channels, ChannelsEvent};
use switchboard_engine::state::{Command, Moment};

/// The operator changes a channel. Accounts that are connected stay so.
#[derive(Clone, Debug)]
pub struct UpdateChannel {
    /// The actor, for the audit log.
    pub by: By,
    /// The channel.
    pub id: ChannelId,
    /// The changes.
    pub change: ChannelChange,
}

impl Command for UpdateChannel {
    type Of = Channels;
    type Reply = Channel;
    type Rejection = ChannelRejection;

    fn decide(
        self,
        state: &Channels,
        moment: &mut Moment<'_, ChannelsEvent>,
    ) -> Result<Decision<ChannelsEvent, Channel>, ChannelRejection> {
        state.changed(&self.id, self.by, "channel.update", moment, |known| {
            Channel {
                settings: known.settings.with(self.change),
                ..known
            }
        })
    }
}

//! The operator ends the rotation of a channel's secret.

use crate::Decision;
use crate::audit::By;
use crate::id::ChannelId;
use crate::installation::channels::{Channel, ChannelRejection, Channels, ChannelsEvent};
use switchboard_engine::state::{Command, Moment};

/// The operator ends a rotation before its time: the old secret is refused, and the new one signs. Nothing happens when
/// none is in progress.
#[derive(Clone, Debug)]
pub struct EndRotation {
    /// The actor, for the audit log.
    pub by: By,
    /// The channel.
    pub id: ChannelId,
}

impl Command for EndRotation {
    type Of = Channels;
    type Reply = Channel;
    type Rejection = ChannelRejection;

    fn decide(
        self,
        state: &Channels,
        moment: &mut Moment<'_, ChannelsEvent>,
    ) -> Result<Decision<ChannelsEvent, Channel>, ChannelRejection> {
        let before = state.known(&self.id)?;
        if before.rotating(moment.now).is_none() {
            return Ok(Decision::unchanged(before.clone()));
        }
        state.changed(&self.id, self.by, "channel.end-rotation", moment, |known| {
            Channel {
                rotation: None,
                ..known
            }
        })
    }
}

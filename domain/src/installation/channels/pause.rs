//! The operator holds the callbacks of a channel back, and lets them go again.

use crate::Decision;
use crate::audit::By;
use crate::id::ChannelId;
use crate::installation::channels::{Channel, ChannelRejection, Channels, ChannelsEvent};
use switchboard_engine::state::{Command, Moment};

/// The operator holds the callbacks of a channel back, or lets them go again; repeating it changes nothing. Account
/// users can still write, and customers' messages still come in.
#[derive(Clone, Debug)]
pub struct PauseChannel {
    /// The actor, for the audit log.
    pub by: By,
    /// The channel.
    pub id: ChannelId,
    /// True to hold callbacks back from now on.
    pub paused: bool,
}

impl Command for PauseChannel {
    type Of = Channels;
    type Reply = Channel;
    type Rejection = ChannelRejection;

    fn decide(
        self,
        state: &Channels,
        moment: &mut Moment<'_, ChannelsEvent>,
    ) -> Result<Decision<ChannelsEvent, Channel>, ChannelRejection> {
        let now = moment.now;
        let action = if self.paused {
            "channel.pause"
        } else {
            "channel.resume"
        };
        state.changed(&self.id, self.by, action, moment, |known| Channel {
            paused_at: known.paused_at.or(Some(now)).filter(|_| self.paused),
            ..known
        })
    }
}

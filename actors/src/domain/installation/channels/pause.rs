//! The operator holds the callbacks of a channel back, and lets them go again.

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::id::ChannelId;
use crate::domain::installation::channels::{
    Channel, ChannelRejection, Channels, ChannelsEvent, becomes,
};
use switchboard_engine::state::{Command, Moment, Recorded};

/// The operator holds the callbacks of a channel back, or lets them go again; repeating it changes nothing. Account
/// users can still write, and customers' messages still come in.
#[derive(Clone, Debug)]
pub struct PauseChannel {
    /// Who does it.
    pub by: By,
    /// The channel.
    pub id: ChannelId,
    /// Whether they are held back from now on.
    pub paused: bool,
}

impl Command for PauseChannel {
    type Of = Channels;
    type Reply = Channel;
    type Rejection = ChannelRejection;

    fn decide(
        self,
        state: &Channels,
        _found: &[Option<Recorded<ChannelsEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<ChannelsEvent, Channel>, ChannelRejection> {
        let before = state.known(&self.id)?;
        let (action, paused_at) = if self.paused {
            ("channel.pause", before.paused_at.or(Some(moment.now)))
        } else {
            ("channel.resume", None)
        };
        let after = Channel {
            paused_at,
            ..before.clone()
        };
        Ok(becomes(Some(before), after, (self.by, action), moment))
    }
}

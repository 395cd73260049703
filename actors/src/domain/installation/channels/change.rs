//! The operator changes what a channel is called, where its callbacks go, and for whom it is.

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::generation::Generation;
use crate::domain::id::ChannelId;
use crate::domain::installation::channels::{
    AllowedAccounts, Channel, ChannelRejection, Channels, ChannelsEvent, becomes,
};
use switchboard_engine::state::{Command, Moment, Recorded};

/// The operator changes a channel. What is `None` stays; what can be taken away is `Some(None)` then.
#[derive(Clone, Debug)]
pub struct ChangeChannel {
    /// Who does it.
    pub by: By,
    /// The channel.
    pub id: ChannelId,
    /// The name.
    pub name: Option<String>,
    /// Where callbacks of version 1 go.
    pub webhook_v1: Option<Option<String>>,
    /// Where callbacks of version 2 go.
    pub webhook_v2: Option<Option<String>>,
    /// Which accounts may connect. Those that are connected stay so.
    pub accounts: Option<AllowedAccounts>,
    /// The one generation of the interface that is taken.
    pub generation: Option<Option<Generation>>,
    /// Whether callbacks tell that account users are typing.
    pub typing_callbacks: Option<bool>,
    /// Whether callbacks tell of the signs that account users leave on messages.
    pub reaction_callbacks: Option<bool>,
    /// How long one callback may take, in seconds.
    pub timeout_seconds: Option<Option<u8>>,
}

impl Command for ChangeChannel {
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
        let known = before.clone();
        let after = Channel {
            name: self.name.unwrap_or(known.name),
            webhook_v1: self.webhook_v1.unwrap_or(known.webhook_v1),
            webhook_v2: self.webhook_v2.unwrap_or(known.webhook_v2),
            accounts: self.accounts.unwrap_or(known.accounts),
            generation: self.generation.unwrap_or(known.generation),
            typing_callbacks: self.typing_callbacks.unwrap_or(known.typing_callbacks),
            reaction_callbacks: self.reaction_callbacks.unwrap_or(known.reaction_callbacks),
            timeout_seconds: self.timeout_seconds.unwrap_or(known.timeout_seconds),
            ..known
        };
        let action = (self.by, "channel.change");
        Ok(becomes(Some(before), after, action, moment))
    }
}

//! The operator makes a channel.

use crate::domain::Decision;
use crate::domain::audit::By;
use crate::domain::generation::Generation;
use crate::domain::id::ChannelId;
use crate::domain::installation::channels::{
    AllowedAccounts, Channel, ChannelRejection, Channels, ChannelsEvent, becomes,
};
use crate::domain::signature::ChannelSecret;
use switchboard_engine::state::{Command, Moment, Recorded};

/// The operator makes a channel; id and secret are made when they are not given.
#[derive(Clone, Debug)]
pub struct CreateChannel {
    /// Who does it.
    pub by: By,
    /// The id.
    pub id: Option<ChannelId>,
    /// The name.
    pub name: String,
    /// The secret.
    pub secret: Option<ChannelSecret>,
    /// Where callbacks of version 1 go.
    pub webhook_v1: Option<String>,
    /// Where callbacks of version 2 go.
    pub webhook_v2: Option<String>,
    /// Which accounts may connect.
    pub accounts: AllowedAccounts,
    /// The one generation of the interface that is taken.
    pub generation: Option<Generation>,
    /// Whether callbacks tell that account users are typing.
    pub typing_callbacks: bool,
    /// Whether callbacks tell of the signs that account users leave on messages.
    pub reaction_callbacks: bool,
    /// How long one callback may take, in seconds.
    pub timeout_seconds: Option<u8>,
}

impl Command for CreateChannel {
    type Of = Channels;
    type Reply = Channel;
    type Rejection = ChannelRejection;

    fn decide(
        self,
        state: &Channels,
        _found: &[Option<Recorded<ChannelsEvent>>],
        moment: &mut Moment<'_>,
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
            None => ChannelSecret::from_random([(moment.random)(), (moment.random)()]),
        };
        let channel = Channel {
            webhook_v1: self.webhook_v1,
            webhook_v2: self.webhook_v2,
            accounts: self.accounts,
            generation: self.generation,
            typing_callbacks: self.typing_callbacks,
            reaction_callbacks: self.reaction_callbacks,
            timeout_seconds: self.timeout_seconds,
            ..Channel::new(id, &self.name, secret)
        };
        Ok(becomes(None, channel, (self.by, "channel.create"), moment))
    }
}

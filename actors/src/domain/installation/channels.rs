//! The channels of the installation: who may sign, and where callbacks go.

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use crate::domain::chat::channel::HookVersion;
use crate::domain::generation::Generation;
use crate::domain::id::{AccountId, ChannelId, ScopeId};
use crate::domain::index::{IndexEntries, StreamKey, StreamKind};
use crate::domain::notice::Notice;
use crate::domain::signature::ChannelSecret;
use crate::domain::{Command, Decision, Moment, Recorded, State};

/// All channels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channels {
    channels: BTreeMap<ChannelId, Channel>,
}

/// A channel of an integration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// Its name, which is also the title of scopes that choose none.
    pub name: String,
    /// What requests and callbacks are signed with.
    pub secret: ChannelSecret,
    /// Where callbacks of version 1 go; `:scope_id` in it is replaced.
    pub webhook_v1: Option<String>,
    /// Where callbacks of version 2 go; `:scope_id` in it is replaced.
    pub webhook_v2: Option<String>,
    /// Which accounts may connect.
    pub accounts: AllowedAccounts,
    /// The one generation of the interface that is taken; `None`: whichever the signature of a request proves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<Generation>,
}

/// Which accounts may connect to a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllowedAccounts {
    /// Every account of the installation.
    All,
    /// Those named.
    Named(Vec<AccountId>),
}

impl AllowedAccounts {
    /// Whether this account may connect.
    #[must_use]
    pub fn holds(&self, account: AccountId) -> bool {
        match self {
            Self::All => true,
            Self::Named(accounts) => accounts.contains(&account),
        }
    }
}

impl Channel {
    /// Whether the channel has an address for callbacks of this version.
    #[must_use]
    pub fn has_webhook(&self, version: HookVersion) -> bool {
        match version {
            HookVersion::V1 => self.webhook_v1.is_some(),
            HookVersion::V2 => self.webhook_v2.is_some(),
        }
    }

    /// The address for callbacks of this version to this scope; `None` when the channel has none.
    #[must_use]
    pub fn webhook(&self, version: HookVersion, scope: &ScopeId) -> Option<String> {
        let address = match version {
            HookVersion::V1 => self.webhook_v1.as_ref(),
            HookVersion::V2 => self.webhook_v2.as_ref(),
        };
        address.map(|address| address.replace(":scope_id", &scope.to_string()))
    }
}

impl Channels {
    /// The channel with this id.
    #[must_use]
    pub fn get(&self, id: &ChannelId) -> Option<&Channel> {
        self.channels.get(id)
    }

    /// All channels, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Channel> {
        self.channels.values()
    }
}

/// What can happen to the channels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChannelsEvent {
    /// A channel is new, or is as follows now.
    Declared(Box<Channel>),
}

impl State for Channels {
    type Id = ();
    type Event = ChannelsEvent;

    fn stream(_id: &()) -> StreamKey {
        StreamKey::new(StreamKind::Channels, &[])
    }

    fn id_of(stream: &StreamKey) -> Option<()> {
        (stream.kind == StreamKind::Channels).then_some(())
    }

    fn blank(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &ChannelsEvent) {
        match event {
            ChannelsEvent::Declared(channel) => {
                self.channels
                    .insert(channel.id.clone(), channel.as_ref().clone());
            }
        }
    }

    fn index(&self, _event: &ChannelsEvent, _entries: &mut IndexEntries) {}
}

/// The operator declares a channel: it exists afterwards as declared.
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
        _moment: &mut Moment<'_>,
    ) -> Result<Decision<ChannelsEvent, ()>, Infallible> {
        if state.get(&self.0.id) == Some(&self.0) {
            return Ok(Decision::unchanged(()));
        }
        let events = vec![ChannelsEvent::Declared(Box::new(self.0)).into()];
        Ok(Decision {
            events,
            notices: vec![Notice::ChannelChanged],
            reply: (),
        })
    }
}

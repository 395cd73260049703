//! The channels of the installation: who may sign, where callbacks go, and whether they go.

pub mod change;
pub mod create;
pub mod declare;
pub mod pause;
pub mod rotate;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::Decision;
use crate::domain::audit::{AuditEntry, By};
use crate::domain::chat::channel::HookVersion;
use crate::domain::dispatch::endpoint::Switch;
use crate::domain::generation::Generation;
use crate::domain::id::{AccountId, ChannelId, ScopeId};
use crate::domain::installation::channels::declare::Declared;
use crate::domain::kinds;
use crate::domain::notice::Notice;
use crate::domain::signature::ChannelSecret;
use crate::domain::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::{StreamKey, StreamKind};

/// All channels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channels {
    channels: BTreeMap<ChannelId, Channel>,
    /// What the configuration last said of those that it declared.
    declared: BTreeMap<ChannelId, Declared>,
}

/// A channel of an integration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// Its name, which is also the title of scopes that choose none.
    pub name: String,
    /// What requests are signed with, and callbacks too unless [`Self::signing_secret`] says otherwise.
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
    /// Whether callbacks tell that account users are typing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub typing_callbacks: bool,
    /// Whether callbacks tell of the signs that account users leave on messages.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reaction_callbacks: bool,
    /// How long one callback may take, answer included, in seconds; `None`: as long as all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u8>,
    /// The secret that the current one is taking the place of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Since when an operator holds its callbacks back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<UnixMillis>,
}

/// A secret on its way out. `X-Signature` has room for one value, so the old secret signs callbacks until the end;
/// requests are taken under both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rotation {
    /// The secret from before.
    pub old: ChannelSecret,
    /// Since when there are two.
    pub began_at: UnixMillis,
    /// From when on there is only the new one.
    pub ends_at: UnixMillis,
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

/// Why a channel is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChannelRejection {
    /// There is none with this id.
    #[error("there is no such channel")]
    Unknown,
    /// There is one with this id already.
    #[error("there is a channel with this id already")]
    Exists,
    /// There are [`Channels::MAX`] of them.
    #[error(
        "there are {} channels already, and no more than that are kept",
        Channels::MAX
    )]
    Full,
    /// The secret is being rotated: there would be three.
    #[error(
        "the secret is being rotated already; end that rotation first, and the old secret is refused from then on"
    )]
    Rotating,
    /// The new secret is the old one.
    #[error("the channel has this secret already")]
    SameSecret,
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

    fn told(&self) -> Value {
        match self {
            Self::All => "*".into(),
            Self::Named(accounts) => accounts.iter().map(AccountId::to_string).collect(),
        }
    }
}

impl Channel {
    /// A channel without an address, open to all accounts.
    #[must_use]
    pub fn new(id: ChannelId, name: &str, secret: ChannelSecret) -> Self {
        Self {
            id,
            name: name.to_owned(),
            secret,
            webhook_v1: None,
            webhook_v2: None,
            accounts: AllowedAccounts::All,
            generation: None,
            typing_callbacks: false,
            reaction_callbacks: false,
            timeout_seconds: None,
            rotation: None,
            paused_at: None,
        }
    }

    /// Whether the channel has an address for callbacks of this version.
    #[must_use]
    pub fn has_webhook(&self, version: HookVersion) -> bool {
        self.template(version).is_some()
    }

    /// The address for callbacks of this version to this scope; `None` when the channel has none.
    #[must_use]
    pub fn webhook(&self, version: HookVersion, scope: &ScopeId) -> Option<String> {
        self.template(version)
            .map(|address| address.replace(":scope_id", &scope.to_string()))
    }

    /// The rotation, while it is under way.
    #[must_use]
    pub fn rotating(&self, now: UnixMillis) -> Option<&Rotation> {
        self.rotation
            .as_ref()
            .filter(|rotation| now < rotation.ends_at)
    }

    /// What callbacks are signed with now.
    #[must_use]
    pub fn signing_secret(&self, now: UnixMillis) -> &ChannelSecret {
        self.rotating(now)
            .map_or(&self.secret, |rotation| &rotation.old)
    }

    /// How long one callback may take; `None`: as long as all others.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout_seconds
            .map(|seconds| Duration::from_secs(seconds.into()))
    }

    /// Whether anything is sent to the channel's address for this version.
    #[must_use]
    pub fn switch(&self, version: HookVersion) -> Switch {
        if !self.has_webhook(version) {
            Switch::NoAddress
        } else if self.paused_at.is_some() {
            Switch::Paused
        } else {
            Switch::On
        }
    }

    /// Whether callbacks of this version leave in another way than those of `before` did: what failed then may work.
    #[must_use]
    pub fn sends_unlike(&self, before: &Self, version: HookVersion) -> bool {
        self.template(version) != before.template(version)
            || self.switch(version) != before.switch(version)
            || (&self.secret, &self.rotation) != (&before.secret, &before.rotation)
            || self.timeout_seconds != before.timeout_seconds
    }

    /// The address for callbacks of this version as it was given, `:scope_id` still in it.
    #[must_use]
    pub fn template(&self, version: HookVersion) -> Option<&String> {
        match version {
            HookVersion::V1 => self.webhook_v1.as_ref(),
            HookVersion::V2 => self.webhook_v2.as_ref(),
        }
    }
}

impl Channels {
    /// How many channels an operator may make.
    pub const MAX: usize = 1_000;

    /// The channel with this id.
    #[must_use]
    pub fn get(&self, id: &ChannelId) -> Option<&Channel> {
        self.channels.get(id)
    }

    /// All channels, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Channel> {
        self.channels.values()
    }

    fn known(&self, id: &ChannelId) -> Result<&Channel, ChannelRejection> {
        self.get(id).ok_or(ChannelRejection::Unknown)
    }
}

/// What can happen to the channels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChannelsEvent {
    /// A channel is new, or is as follows now.
    Changed(Box<ChannelChanged>),
}

/// A channel is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelChanged {
    /// The channel.
    pub channel: Channel,
    /// What the configuration says of it now; `None` when it was not the configuration that changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Declared>,
    /// Who did it; `None` when nothing of the channel itself is different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditEntry>,
}

impl State for Channels {
    type Id = ();
    type Event = ChannelsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::CHANNELS;

    fn stream(_id: &()) -> StreamKey {
        StreamKey::new(Self::KIND, &[])
    }

    fn id_of(stream: &StreamKey) -> Option<()> {
        stream.is(Self::KIND).then_some(())
    }

    fn blank(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &ChannelsEvent) {
        match event {
            ChannelsEvent::Changed(changed) => {
                let id = &changed.channel.id;
                if let Some(declared) = &changed.declared {
                    self.declared.insert(id.clone(), declared.clone());
                }
                self.channels.insert(id.clone(), changed.channel.clone());
            }
        }
    }

    fn index(&self, event: &ChannelsEvent, entries: &mut IndexEntries) {
        match event {
            ChannelsEvent::Changed(changed) => {
                if let Some(audit) = &changed.audit {
                    audit.index(entries);
                }
            }
        }
    }
}

/// The decision that a channel becomes `after`, with its entry in the audit log; nothing is decided when it is that
/// already.
fn becomes(
    before: Option<&Channel>,
    mut after: Channel,
    (by, action): (By, &str),
    moment: &mut Moment<'_>,
) -> Decision<ChannelsEvent, Channel> {
    if before == Some(&after) {
        return Decision::unchanged(after);
    }
    // A secret that nothing is checked with any more need not be kept.
    if after.rotating(moment.now).is_none() {
        after.rotation = None;
    }
    let audit = differences(
        AuditEntry::new(by, action, &after.id, moment),
        before,
        &after,
    );
    let changed = ChannelChanged {
        channel: after.clone(),
        declared: None,
        audit: Some(audit),
    };
    Decision {
        events: vec![ChannelsEvent::Changed(Box::new(changed)).into()],
        notices: vec![Notice::ChannelChanged],
        reply: after,
    }
}

/// Notes what is different, secrets by their fingerprints.
fn differences(audit: AuditEntry, before: Option<&Channel>, after: &Channel) -> AuditEntry {
    let of = |told: fn(&Channel) -> Value| (before.map_or(Value::Null, told), told(after));
    let fields: [(&str, fn(&Channel) -> Value); 11] = [
        ("name", |channel| channel.name.clone().into()),
        ("webhook_v1", |channel| channel.webhook_v1.clone().into()),
        ("webhook_v2", |channel| channel.webhook_v2.clone().into()),
        ("accounts", |channel| channel.accounts.told()),
        ("generation", |channel| {
            channel.generation.map(Generation::as_str).into()
        }),
        ("typing_callbacks", |channel| {
            channel.typing_callbacks.into()
        }),
        ("reaction_callbacks", |channel| {
            channel.reaction_callbacks.into()
        }),
        ("timeout_seconds", |channel| channel.timeout_seconds.into()),
        ("secret_fingerprint", |channel| {
            channel.secret.fingerprint().into()
        }),
        ("rotation_ends_at", |channel| {
            let rotation = channel.rotation.as_ref();
            rotation.map(|rotation| rotation.ends_at.secs()).into()
        }),
        ("paused", |channel| channel.paused_at.is_some().into()),
    ];
    fields.into_iter().fold(audit, |audit, (name, told)| {
        let (before, after) = of(told);
        audit.change(name, before, after)
    })
}

#[cfg(test)]
mod tests;

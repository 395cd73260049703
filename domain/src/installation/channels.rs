//! The channels of the installation: who may sign, where callbacks go, and whether they go.

pub mod create;
pub mod declare;
pub mod end_rotation;
pub mod kind;
pub mod pause;
pub mod rotate_secret;
pub mod settings;
pub mod update;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::dispatch::endpoint::Switch;
use crate::field::audited;
use crate::hook_version::HookVersion;
use crate::id::{ChannelId, ScopeId};
use crate::installation::channels::declare::Declared;
use crate::installation::channels::settings::{CallbackTimeout, ChannelSettings};
use crate::kinds;
use crate::notice::Notice;
use crate::signature::SharedSecret;
use crate::time::UnixMillis;
use crate::webhook::WebhookAddress;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// All channels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channels {
    channels: BTreeMap<ChannelId, Channel>,
    /// The last declaration of each channel that the configuration names.
    declared: BTreeMap<ChannelId, Declared>,
}

/// A channel of an integration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// The secret that signs requests, and callbacks too unless [`Self::signing_secret`] differs.
    pub secret: SharedSecret,
    /// The settings.
    pub settings: ChannelSettings,
    /// The secret that the current one is taking the place of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// The time from which an operator holds its callbacks back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<UnixMillis>,
}

/// A secret on its way out. `X-Signature` has room for one value, so the old secret signs callbacks until the end;
/// requests are taken under both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rotation {
    /// The secret from before.
    pub old: SharedSecret,
    /// The time at which the second secret was added.
    pub began_at: UnixMillis,
    /// The time from which only the new one is valid.
    pub ends_at: UnixMillis,
}

/// The reason not to change a channel.
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

impl Channel {
    /// A channel whose callbacks are sent.
    #[must_use]
    pub fn new(id: ChannelId, secret: SharedSecret, settings: ChannelSettings) -> Self {
        Self {
            id,
            secret,
            settings,
            rotation: None,
            paused_at: None,
        }
    }

    /// Returns whether the channel has an address for callbacks of this version.
    #[must_use]
    pub fn has_webhook(&self, version: HookVersion) -> bool {
        self.template(version).is_some()
    }

    /// The address for callbacks of this version to this scope; `None` when the channel has none.
    #[must_use]
    pub fn webhook(&self, version: HookVersion, scope: &ScopeId) -> Option<Arc<str>> {
        self.template(version)
            .map(|address| address.for_scope(scope).into())
    }

    /// The rotation, while it is in progress.
    #[must_use]
    pub fn rotating(&self, now: UnixMillis) -> Option<&Rotation> {
        self.rotation
            .as_ref()
            .filter(|rotation| now < rotation.ends_at)
    }

    /// Returns the secret that signs callbacks now.
    #[must_use]
    pub fn signing_secret(&self, now: UnixMillis) -> &SharedSecret {
        self.rotating(now)
            .map_or(&self.secret, |rotation| &rotation.old)
    }

    /// Returns the time limit of one callback; `None` for the general limit.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.settings.timeout_seconds.map(CallbackTimeout::duration)
    }

    /// Returns the switch of the channel's endpoint for this version.
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

    /// Returns whether callbacks of this version are sent differently from those of `before`, so that a failed one may
    /// succeed.
    #[must_use]
    pub fn sends_unlike(&self, before: &Self, version: HookVersion) -> bool {
        self.template(version) != before.template(version)
            || self.switch(version) != before.switch(version)
            || (&self.secret, &self.rotation) != (&before.secret, &before.rotation)
            || self.timeout() != before.timeout()
    }

    /// The address for callbacks of this version as it was given, `:scope_id` still in it.
    #[must_use]
    pub fn template(&self, version: HookVersion) -> Option<&WebhookAddress> {
        match version {
            HookVersion::V1 => self.settings.webhook_v1.as_ref(),
            HookVersion::V2 => self.settings.webhook_v2.as_ref(),
        }
    }
}

impl Channels {
    /// The highest number of channels that an operator may create.
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

    /// The decision that a channel that there is becomes another.
    fn changed(
        &self,
        id: &ChannelId,
        by: By,
        action: &str,
        moment: &mut Moment<'_, ChannelsEvent>,
        change: impl FnOnce(Channel) -> Channel,
    ) -> Result<Decision<ChannelsEvent, Channel>, ChannelRejection> {
        let before = self.known(id)?;
        let after = change(before.clone());
        Ok(becomes(Some(before), after, by, action, moment))
    }
}

/// An event of the channels.
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
    /// The new declaration in the configuration; `None` when another actor made the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Declared>,
    /// The audit entry; `None` when nothing of the channel itself is different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditEntry>,
}

impl State for Channels {
    type Id = ();
    type Event = ChannelsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::CHANNELS;

    fn initial(_id: &()) -> Self {
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
    by: By,
    action: &str,
    moment: &mut Moment<'_, ChannelsEvent>,
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
    let event = ChannelChanged {
        channel: after.clone(),
        declared: None,
        audit: Some(audit),
    };
    Decision {
        events: vec![ChannelsEvent::Changed(Box::new(event)).into()],
        notices: vec![Notice::ChannelChanged],
        reply: after,
    }
}

/// Notes what is different, secrets by their fingerprints.
fn differences(audit: AuditEntry, before: Option<&Channel>, after: &Channel) -> AuditEntry {
    let settings = before.map(|channel| &channel.settings);
    let rotation_ends = |channel: &Channel| {
        let rotation = channel.rotation.as_ref();
        rotation.map(|rotation| rotation.ends_at.secs())
    };
    audited(settings, &after.settings, audit)
        .change(
            "secret_fingerprint",
            before.map(|channel| channel.secret.fingerprint()),
            after.secret.fingerprint(),
        )
        .change(
            "rotation_ends_at",
            before.and_then(rotation_ends),
            rotation_ends(after),
        )
        .change(
            "paused",
            before.map(|channel| channel.paused_at.is_some()),
            after.paused_at.is_some(),
        )
}

#[cfg(test)]
mod tests;

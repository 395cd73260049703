//! Browsers that are pushed what their user is notified of (RFC 8030): each one is a subscription, made and ended by its user.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::Decision;
use crate::account::credentials::{Credentials, CredentialsEvent, SESSION_LIFE};
use crate::account::user::User;
use crate::account::users::token::TokenHash;
use crate::audit::By;
use crate::id::PushId;
use crate::time::UnixMillis;
use crate::webhook::{AddressError, receiver_address};
use switchboard_engine::state::{Command, Moment};

/// The highest number of subscriptions of a user; another one ends the oldest.
pub const PUSHES_MAX: usize = 10;
/// The longest time of a subscription: that of the session in which it is made. A page renews it after each sign-in.
pub const PUSH_LIFE: Duration = SESSION_LIFE;
/// The most bytes of an endpoint.
const ENDPOINT_MAX: usize = 1_024;

/// The address of a push service for one subscription. Who knows it can send there, so it is shown to no one; logs, audit entries and
/// answers name its host alone.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PushEndpoint(Url);

impl PushEndpoint {
    /// The whole address.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The origin: scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }
}

impl FromStr for PushEndpoint {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let url = receiver_address(text)?;
        if url.scheme() != "https" {
            return Err(AddressError("write an address that begins with https://"));
        }
        if url.as_str().len() > ENDPOINT_MAX {
            return Err(AddressError("write an address of at most 1024 bytes"));
        }
        Ok(Self(url))
    }
}

impl TryFrom<String> for PushEndpoint {
    type Error = AddressError;

    fn try_from(text: String) -> Result<Self, AddressError> {
        text.parse()
    }
}

impl From<PushEndpoint> for String {
    fn from(endpoint: PushEndpoint) -> Self {
        endpoint.0.into()
    }
}

impl fmt::Debug for PushEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PushEndpoint").field(&self.host()).finish()
    }
}

/// The keys of a subscription, in base64url. Debug output never shows them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushKeys {
    /// The public key of the browser.
    pub p256dh: String,
    /// The secret that it shares with the service.
    pub auth: String,
}

impl fmt::Debug for PushKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushKeys(***)")
    }
}

/// A subscription of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Push {
    /// Its number among those of the user.
    pub id: PushId,
    /// The address of its push service.
    pub endpoint: PushEndpoint,
    /// Its keys.
    pub keys: PushKeys,
    /// The session that made it: its sign-out ends the subscription.
    pub session: TokenHash,
    /// The user's number of collective sign-outs when that session began. A higher number ends the subscription.
    pub ended_before: u64,
    /// The time at which it was made.
    pub created_at: UnixMillis,
}

impl Push {
    /// Returns whether it has expired by `now`.
    #[must_use]
    pub fn has_expired(&self, now: UnixMillis) -> bool {
        now.since(self.created_at) >= PUSH_LIFE
    }

    /// Returns whether its user may be pushed to it.
    #[must_use]
    pub fn is_good(&self, user: &User, now: UnixMillis) -> bool {
        user.active && self.ended_before == user.sessions_ended && !self.has_expired(now)
    }
}

impl Credentials {
    /// The subscriptions that end with an event.
    pub(super) fn ending_pushes(&self, event: &CredentialsEvent) -> Vec<PushId> {
        let ids = |ends: &dyn Fn(&Push) -> bool| {
            let ending = self.pushes.iter().filter(|known| ends(known));
            ending.map(|known| known.id).collect()
        };
        match event {
            CredentialsEvent::PushCreated { push, .. } => self.making_room(push),
            CredentialsEvent::PushDeleted { push, .. } => ids(&|known| known.id == *push),
            CredentialsEvent::SignedIn { session, .. } => ids(&|known| {
                known.ended_before != session.ended_before || known.has_expired(session.began_at)
            }),
            CredentialsEvent::SignedOut { session, .. } => ids(&|known| known.session == *session),
            CredentialsEvent::TokenIssued { .. }
            | CredentialsEvent::TokenRevoked { .. }
            | CredentialsEvent::Seen { .. } => Vec::new(),
        }
    }

    /// The subscriptions that end when this one is made: of the same browser, those that have expired, and the oldest when there are
    /// too many.
    fn making_room(&self, new: &Push) -> Vec<PushId> {
        let stays =
            |known: &&Push| known.endpoint != new.endpoint && !known.has_expired(new.created_at);
        let staying = self.pushes.iter().filter(stays).count();
        let mut too_many = staying.saturating_add(1).saturating_sub(PUSHES_MAX);
        let ends = |known: &&Push| {
            let is_too_old = stays(known) && too_many > 0;
            too_many = too_many.saturating_sub(usize::from(is_too_old));
            is_too_old || !stays(known)
        };
        let ending = self.pushes.iter().filter(ends);
        ending.map(|known| known.id).collect()
    }
}

/// Makes a subscription. The same browser once more takes the place of what it had; the same again in the same session changes
/// nothing.
#[derive(Clone, Debug)]
pub struct CreatePush {
    /// The actor, for the audit log.
    pub by: By,
    /// The address of the push service.
    pub endpoint: PushEndpoint,
    /// The keys of the browser.
    pub keys: PushKeys,
    /// The hash of the session.
    pub session: TokenHash,
}

/// The session has ended meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session has ended")]
pub struct CreatePushRejection;

impl Command for CreatePush {
    type Of = Credentials;
    type Reply = Push;
    type Rejection = CreatePushRejection;

    fn decide(
        self,
        state: &Credentials,
        moment: &mut Moment<'_, CredentialsEvent>,
    ) -> Result<Decision<CredentialsEvent, Push>, CreatePushRejection> {
        let mut sessions = state.sessions.iter();
        let session = sessions
            .find(|known| known.hash == self.session)
            .ok_or(CreatePushRejection)?;
        let mut pushes = state.pushes.iter();
        if let Some(same) = pushes.find(|known| {
            known.endpoint == self.endpoint
                && known.keys == self.keys
                && known.session == self.session
        }) {
            return Ok(Decision::unchanged(same.clone()));
        }
        let push = Push {
            id: PushId(state.last_push.saturating_add(1)),
            endpoint: self.endpoint,
            keys: self.keys,
            session: self.session,
            ended_before: session.ended_before,
            created_at: moment.now,
        };
        let audit = state
            .audit_part(self.by, "push.create", push.id, moment)
            .change("host", serde_json::Value::Null, push.endpoint.host())
            .secret("endpoint");
        let event = CredentialsEvent::PushCreated {
            push: Box::new(push.clone()),
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, push))
    }
}

/// Ends a subscription.
#[derive(Clone, Debug)]
pub struct DeletePush {
    /// The actor, for the audit log.
    pub by: By,
    /// The subscription.
    pub push: PushId,
}

/// The user has no such subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the user has no such subscription to pushes")]
pub struct DeletePushRejection;

impl Command for DeletePush {
    type Of = Credentials;
    type Reply = ();
    type Rejection = DeletePushRejection;

    fn decide(
        self,
        state: &Credentials,
        moment: &mut Moment<'_, CredentialsEvent>,
    ) -> Result<Decision<CredentialsEvent, ()>, DeletePushRejection> {
        let push = state.pushes.iter().find(|push| push.id == self.push);
        let host = push.ok_or(DeletePushRejection)?.endpoint.host().to_owned();
        let audit = state
            .audit_part(self.by, "push.delete", self.push, moment)
            .change("host", host, serde_json::Value::Null);
        let event = CredentialsEvent::PushDeleted {
            push: self.push,
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, ()))
    }
}

#[cfg(test)]
mod tests;

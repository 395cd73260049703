//! The OAuth clients of the installation: programs that accounts may grant access to.

pub mod create;
pub mod declare;
pub mod rotate_client_secret;
pub mod settings;
pub mod update;

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::field::audited;
use crate::id::{AccountNumber, OauthClientId};
use crate::kinds;
use crate::notice::Notice;
use crate::oauth::access_token::TokenKey;
use crate::oauth::acting_client::ActingClient;
use crate::oauth::clients::settings::OauthClientSettings;
use crate::signature::SharedSecret;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// All OAuth clients.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthClients {
    clients: BTreeMap<OauthClientId, OauthClient>,
    /// The last declaration of each client that the configuration names.
    declared: BTreeMap<OauthClientId, Declared>,
    /// The key that signs access tokens; created with the first client.
    key: Option<TokenKey>,
}

/// A program that accounts may grant access to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthClient {
    /// Its id, `client_id`.
    pub id: OauthClientId,
    /// Its secret, `client_secret`. It signs the uninstall hook too, so the service keeps it.
    pub secret: SharedSecret,
    /// The settings.
    pub settings: OauthClientSettings,
}

/// An OAuth client as the configuration declared it. Of the secret only the digest is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    secret_digest: String,
    settings: OauthClientSettings,
}

/// The reason not to change an OAuth client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OauthClientRejection {
    /// There is none with this id.
    #[error("there is no such OAuth client")]
    Unknown,
    /// There is one with this id already.
    #[error("there is an OAuth client with this id already")]
    Exists,
    /// There are [`OauthClients::MAX`] of them.
    #[error("there are {} OAuth clients already, the maximum", OauthClients::MAX)]
    Full,
    /// The new secret is the old one.
    #[error("the OAuth client has this secret already")]
    SameSecret,
    /// The channel that it names does not exist.
    #[error("there is no such channel")]
    UnknownChannel,
}

impl OauthClient {
    /// The signature of the report that this account has uninstalled the client: HMAC-SHA256 of `client_id|account_id` with
    /// the client's secret, in hexadecimal.
    #[must_use]
    pub fn uninstall_signature(&self, account: AccountNumber) -> String {
        let mut mac = self.mac();
        mac.update(format!("{}|{account}", self.id).as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }

    /// The MAC that signs for the client, which has the secret and nothing yet.
    pub(super) fn mac(&self) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
        Hmac::<Sha256>::new_from_slice(self.secret.bytes()).expect("a key of any length")
    }
}

impl From<&OauthClient> for ActingClient {
    fn from(client: &OauthClient) -> Self {
        Self {
            id: client.id,
            name: client.settings.name.clone(),
        }
    }
}

impl OauthClients {
    /// The highest number of OAuth clients that an operator may create.
    pub const MAX: usize = 1_000;

    /// The client with this id.
    #[must_use]
    pub fn get(&self, id: OauthClientId) -> Option<&OauthClient> {
        self.clients.get(&id)
    }

    /// All clients, by id.
    pub fn iter(&self) -> impl Iterator<Item = &OauthClient> {
        self.clients.values()
    }

    /// Returns the key that signs access tokens; none before the first client.
    #[must_use]
    pub fn key(&self) -> Option<&TokenKey> {
        self.key.as_ref()
    }

    /// The decision that a client becomes `after`, with its entry in the audit log; nothing is decided when it is that
    /// already.
    fn becomes(
        &self,
        after: OauthClient,
        by: By,
        moment: &mut Moment<'_, OauthClientsEvent>,
    ) -> Decision<OauthClientsEvent, OauthClient> {
        let before = self.get(after.id);
        if before == Some(&after) {
            return Decision::unchanged(after);
        }
        let audit = differences(by, before, &after, moment);
        let change = OauthClientChanged {
            client: after.clone(),
            declared: None,
            audit: Some(audit),
        };
        let event = OauthClientsEvent::Changed(Box::new(change));
        let mut events = vec![event.into()];
        if self.key.is_none() {
            let key = TokenKey::from_random([(moment.random)(), (moment.random)()]);
            events.push(OauthClientsEvent::KeyMade(key).into());
        }
        Decision {
            events,
            notices: Vec::new(),
            reply: after,
        }
    }
}

/// An event of the OAuth clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OauthClientsEvent {
    /// A client is new, or is as follows now.
    Changed(Box<OauthClientChanged>),
    /// The new key that signs access tokens.
    KeyMade(TokenKey),
}

/// A client is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthClientChanged {
    /// The client.
    pub client: OauthClient,
    /// The new declaration in the configuration; `None` when another actor made the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Declared>,
    /// The audit entry; `None` when nothing of the client itself is different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditEntry>,
}

impl State for OauthClients {
    type Id = ();
    type Event = OauthClientsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::OAUTH_CLIENTS;

    fn initial(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &OauthClientsEvent) {
        match event {
            OauthClientsEvent::Changed(changed) => {
                let id = changed.client.id;
                if let Some(declared) = &changed.declared {
                    self.declared.insert(id, declared.clone());
                }
                self.clients.insert(id, changed.client.clone());
            }
            OauthClientsEvent::KeyMade(key) => self.key = Some(key.clone()),
        }
    }

    fn index(&self, event: &OauthClientsEvent, entries: &mut IndexEntries) {
        match event {
            OauthClientsEvent::Changed(changed) => {
                if let Some(audit) = &changed.audit {
                    audit.index(entries);
                }
            }
            OauthClientsEvent::KeyMade(_) => {}
        }
    }
}

/// Notes what is different, the secret by its fingerprint.
fn differences(
    by: By,
    before: Option<&OauthClient>,
    after: &OauthClient,
    moment: &mut Moment<'_, OauthClientsEvent>,
) -> AuditEntry {
    let action = match before {
        None => "oauth_client.create",
        Some(_) => "oauth_client.update",
    };
    let audit = AuditEntry::new(by, action, after.id, moment);
    let settings = before.map(|client| &client.settings);
    audited(settings, &after.settings, audit).change(
        "secret_fingerprint",
        before.map(|client| client.secret.fingerprint()),
        after.secret.fingerprint(),
    )
}

#[cfg(test)]
mod tests;

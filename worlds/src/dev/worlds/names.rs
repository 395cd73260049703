//! By what requests for hosts of the counterpart find a world: the subdomain, a token, the account, the OAuth client, the
//! channel.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use switchboard_actors::domain::id::{AccountId, ChannelId, OauthClientId};
use switchboard_actors::domain::installation::accounts::subdomain::Subdomain;

use crate::world::{OwnIds, Secrets};

/// The hash of a token.
pub(super) type TokenHash = [u8; 32];

/// The hash of this token.
pub(super) fn token_hash(token: &str) -> TokenHash {
    Sha256::digest(token).into()
}

/// The names of a world.
#[derive(Debug)]
pub(super) struct Names {
    /// The subdomain that was chosen for it.
    pub(super) subdomain: Option<Subdomain>,
    pub(super) account: AccountId,
    pub(super) channel: ChannelId,
    later: Mutex<Later>,
}

/// The names that are known once a user has acted.
#[derive(Debug, Default)]
struct Later {
    client: Option<OauthClientId>,
    tokens: BTreeSet<TokenHash>,
}

impl Names {
    pub(super) fn new(secrets: &Secrets, ids: &OwnIds) -> Self {
        Self {
            subdomain: ids.subdomain.clone(),
            account: secrets.account(),
            channel: secrets.channel_id(),
            later: Mutex::default(),
        }
    }

    /// A user has this token.
    pub(super) fn add_token(&self, token: &str) {
        let mut later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        later.tokens.insert(token_hash(token));
    }

    /// The OAuth client has this id.
    pub(super) fn set_client(&self, client: OauthClientId) {
        let mut later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        later.client = Some(client);
    }

    pub(super) fn has_token(&self, hash: &TokenHash) -> bool {
        let later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        later.tokens.contains(hash)
    }

    pub(super) fn has_client(&self, client: OauthClientId) -> bool {
        let later = self.later.lock().unwrap_or_else(PoisonError::into_inner);
        later.client == Some(client)
    }
}

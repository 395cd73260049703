//! The owners of OAuth clients and grants, and what requests need to know of both.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::domain::id::AccountId;
use crate::domain::oauth::clients::OauthClients;
use crate::domain::oauth::grants::Grants;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

/// All OAuth clients and grants, published by their owners.
#[derive(Debug, Default)]
pub(crate) struct KnownOauth {
    clients: RwLock<Arc<OauthClients>>,
    grants: RwLock<BTreeMap<AccountId, Arc<Grants>>>,
}

impl KnownOauth {
    /// The OAuth clients.
    pub(crate) fn clients(&self) -> Arc<OauthClients> {
        Arc::clone(&self.clients.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn set_clients(&self, clients: OauthClients) {
        let mut known = self.clients.write().unwrap_or_else(PoisonError::into_inner);
        *known = Arc::new(clients);
    }

    /// What this account granted; `None` if it never granted anything.
    pub(crate) fn grants(&self, account: AccountId) -> Option<Arc<Grants>> {
        let known = self.grants.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&account).cloned()
    }

    /// What each account granted, by account.
    pub(crate) fn all_grants(&self) -> Vec<Arc<Grants>> {
        let known = self.grants.read().unwrap_or_else(PoisonError::into_inner);
        known.values().cloned().collect()
    }

    pub(crate) fn set_grants(&self, grants: Grants) {
        let mut known = self.grants.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(grants.account, Arc::new(grants));
    }
}

impl Owned for OauthClients {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.oauth_clients
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.oauth.set_clients(self.clone());
    }
}

impl Owned for Grants {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.grants
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.oauth.set_grants(self.clone());
    }
}

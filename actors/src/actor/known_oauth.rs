//! The OAuth clients and grants as requests need them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::domain::id::AccountId;
use crate::domain::oauth::clients::OauthClients;
use crate::domain::oauth::grants::Grants;

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

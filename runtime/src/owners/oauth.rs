//! The owners of OAuth clients and grants.

use crate::caches::state_cache::{Cacheable, MIB, StateCache, weight};
use crate::shared::Shared;
use crate::shared::load_cached::Cached;
use switchboard_domain::id::AccountId;
use switchboard_domain::oauth::clients::OauthClients;
use switchboard_domain::oauth::grants::Grants;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

impl Owned<Shared> for OauthClients {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.oauth_clients
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, shared: &Shared) {
        shared.read_cache.set_oauth_clients(self.clone());
    }
}

impl Owned<Shared> for Grants {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.grants
    }

    const PUBLISHED: bool = true;

    fn publish(&self, depends_on: Submitted, shared: &Shared) {
        Self::cache(shared).publish(self, depends_on);
    }
}

/// The memory that a code or a token of a client takes.
const GRANT_ENTRY_BYTES: usize = 256;

impl Cached for Grants {
    fn cache(shared: &Shared) -> &StateCache<Self> {
        &shared.read_cache.grants
    }
}

impl Cacheable for Grants {
    const BYTES_MAX: usize = 16 * MIB;

    fn id(&self) -> AccountId {
        self.account
    }

    fn bytes(&self) -> usize {
        weight(self.entries(), GRANT_ENTRY_BYTES)
    }
}

//! The owners of OAuth clients and grants.

use crate::actor::known::Known;
use crate::actor::known_states::{Kept, KnownStates, MIB, weight};
use crate::domain::id::AccountId;
use crate::domain::oauth::clients::OauthClients;
use crate::domain::oauth::grants::Grants;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

impl Owned<World> for OauthClients {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.oauth_clients
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.set_oauth_clients(self.clone());
    }
}

impl Owned<World> for Grants {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.grants
    }

    const PUBLISHED: bool = true;

    fn publish(&self, depends_on: Submitted, world: &World) {
        Self::kept(world).publish(self, depends_on);
    }
}

/// The memory that a code or a token of a client takes.
const GRANT_ENTRY_BYTES: usize = 256;

impl Known for Grants {
    fn kept(world: &World) -> &KnownStates<Self> {
        &world.read_cache.grants
    }
}

impl Kept for Grants {
    const BYTES_MAX: usize = 16 * MIB;

    fn id(&self) -> AccountId {
        self.account
    }

    fn bytes(&self) -> usize {
        weight(self.entries(), GRANT_ENTRY_BYTES)
    }
}

//! The owners of OAuth clients and grants.

use crate::domain::oauth::clients::OauthClients;
use crate::domain::oauth::grants::Grants;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

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

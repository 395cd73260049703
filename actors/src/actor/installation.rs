//! The owners of channels, accounts, users, their credentials, and of what is kept of the operator and of what the operator
//! set going.

use crate::domain::account::credentials::Credentials;
use crate::domain::account::users::Users;
use crate::domain::erasures::Erasures;
use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::operator::Operator;
use crate::domain::replays::Replays;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

impl Owned for Channels {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.channels
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.set_channels(self.clone());
    }
}

impl Owned for Accounts {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.accounts
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.set_accounts(self.clone());
    }
}

impl Owned for Users {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.users
    }

    const PUBLISHED: bool = true;

    fn publish(&self, depends_on: Submitted, world: &World) {
        world.read_cache.users.set(self.clone(), depends_on);
    }
}

impl Owned for Credentials {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.credentials
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.credentials.set(self.clone());
    }
}

impl Owned for Operator {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.operator
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.set_operator(self.token());
    }
}

impl Owned for Replays {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.replays
    }
}

impl Owned for Erasures {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.erasures
    }
}

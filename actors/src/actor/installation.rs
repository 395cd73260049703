//! The owners of channels, accounts, users, their credentials, and of what is kept of the operator and of what the operator
//! set going.

use crate::actor::known::Known;
use crate::actor::known_states::{Kept, KnownStates, MIB, weight};
use crate::domain::account::credentials::Credentials;
use crate::domain::account::holder::Holder;
use crate::domain::account::users::Users;
use crate::domain::erasures::Erasures;
use crate::domain::id::AccountId;
use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::operator::Operator;
use crate::domain::replays::Replays;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;

/// The memory that one user of an account takes: about 600 bytes without rights of their own, 1 KiB with them.
const USER_BYTES: usize = 1_024;
/// The memory that a token takes, or a session.
const CREDENTIAL_BYTES: usize = 192;

impl Owned<World> for Channels {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.channels
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.set_channels(self.clone());
    }
}

impl Owned<World> for Accounts {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.accounts
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.set_accounts(self.clone());
    }
}

impl Owned<World> for Users {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.users
    }

    const PUBLISHED: bool = true;

    fn publish(&self, depends_on: Submitted, world: &World) {
        Self::kept(world).publish(self, depends_on);
    }
}

impl Known for Users {
    fn kept(world: &World) -> &KnownStates<Self> {
        &world.read_cache.users
    }
}

impl Kept for Users {
    const BYTES_MAX: usize = 64 * MIB;

    fn id(&self) -> AccountId {
        self.account()
    }

    fn bytes(&self) -> usize {
        weight(self.count(), USER_BYTES)
    }
}

impl Owned<World> for Credentials {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.credentials
    }

    const PUBLISHED: bool = true;

    fn publish(&self, depends_on: Submitted, world: &World) {
        Self::kept(world).publish(self, depends_on);
    }
}

impl Known for Credentials {
    fn kept(world: &World) -> &KnownStates<Self> {
        &world.read_cache.credentials
    }
}

impl Kept for Credentials {
    const BYTES_MAX: usize = 16 * MIB;

    fn id(&self) -> Holder {
        self.holder
    }

    fn bytes(&self) -> usize {
        let entries = self.tokens.len().saturating_add(self.sessions.len());
        weight(entries, CREDENTIAL_BYTES)
    }
}

impl Owned<World> for Operator {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.operator
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, world: &World) {
        world.read_cache.set_operator(self.token());
    }
}

impl Owned<World> for Replays {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.replays
    }
}

impl Owned<World> for Erasures {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.erasures
    }
}

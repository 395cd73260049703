//! The owners of channels, accounts, users, their credentials, and of what is kept of the operator and of what the operator
//! set going.

use crate::caches::state_cache::{Cacheable, MIB, StateCache, weight};
use crate::shared::Shared;
use crate::shared::load_cached::Cached;
use switchboard_domain::account::credentials::Credentials;
use switchboard_domain::account::holder::Holder;
use switchboard_domain::account::users::Users;
use switchboard_domain::id::AccountId;
use switchboard_domain::installation::accounts::Accounts;
use switchboard_domain::installation::channels::Channels;
use switchboard_domain::operator::Operator;
use switchboard_domain::replays::Replays;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::store::committer::Submitted;
use switchboard_erasures::Erasures;

/// The memory that one user of an account takes: about 600 bytes without rights of their own, 1 KiB with them.
const USER_BYTES: usize = 1_024;
/// The memory that a token takes, or a session.
const CREDENTIAL_BYTES: usize = 192;
/// The memory that a subscription of a browser takes at most: its endpoint, and twice its keys.
const PUSH_BYTES: usize = 1_536;

impl Owned<Shared> for Channels {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.channels
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, shared: &Shared) {
        shared.read_cache.set_channels(self.clone());
    }
}

impl Owned<Shared> for Accounts {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.accounts
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, shared: &Shared) {
        shared.read_cache.set_accounts(self.clone());
    }
}

impl Owned<Shared> for Users {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.users
    }

    const PUBLISHED: bool = true;

    fn publish(&self, depends_on: Submitted, shared: &Shared) {
        Self::cache(shared).publish(self, depends_on);
    }
}

impl Cached for Users {
    fn cache(shared: &Shared) -> &StateCache<Self> {
        &shared.read_cache.users
    }
}

impl Cacheable for Users {
    const BYTES_MAX: usize = 64 * MIB;

    fn id(&self) -> AccountId {
        self.account()
    }

    fn bytes(&self) -> usize {
        weight(self.count(), USER_BYTES)
    }
}

impl Owned<Shared> for Credentials {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.credentials
    }

    const PUBLISHED: bool = true;

    fn publish(&self, depends_on: Submitted, shared: &Shared) {
        let has_browser = !self.pushes.is_empty();
        if has_browser != shared.feed.pushed_users.has(self.holder) {
            shared.feed.note_pushed(self.holder, has_browser);
        }
        Self::cache(shared).publish(self, depends_on);
    }
}

impl Cached for Credentials {
    fn cache(shared: &Shared) -> &StateCache<Self> {
        &shared.read_cache.credentials
    }
}

impl Cacheable for Credentials {
    const BYTES_MAX: usize = 16 * MIB;

    fn id(&self) -> Holder {
        self.holder
    }

    fn bytes(&self) -> usize {
        let entries = self.tokens.len().saturating_add(self.sessions.len());
        let pushes = self.pushes.len().saturating_mul(PUSH_BYTES);
        weight(entries, CREDENTIAL_BYTES).saturating_add(pushes)
    }
}

impl Owned<Shared> for Operator {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.operator
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, shared: &Shared) {
        shared.read_cache.operator.set(self);
    }
}

impl Owned<Shared> for Replays {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.replays
    }
}

impl Owned<Shared> for Erasures {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.erasures
    }
}

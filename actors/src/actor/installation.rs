//! The owners of channels, accounts and users.

use crate::domain::account::users::Users;
use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::runtime::directory::Directory;
use crate::runtime::env::Env;
use crate::runtime::owner::Owned;
use crate::store::Seq;

impl Owned for Channels {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.channels
    }

    fn publish(&self, _last: Seq, env: &Env) {
        env.facts.set_channels(self.clone());
    }
}

impl Owned for Accounts {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.accounts
    }

    fn publish(&self, _last: Seq, env: &Env) {
        env.facts.set_accounts(self.clone());
    }
}

impl Owned for Users {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.users
    }

    fn publish(&self, _last: Seq, env: &Env) {
        env.facts.set_users(self.account(), self);
    }
}

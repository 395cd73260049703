//! The owners of channels, accounts, users, their credentials, and of what is kept of the operator and of what the operator
//! set going.

use crate::domain::account::credentials::Credentials;
use crate::domain::account::users::Users;
use crate::domain::installation::accounts::Accounts;
use crate::domain::installation::channels::Channels;
use crate::domain::operator::Operator;
use crate::domain::replays::Replays;
use crate::runtime::directory::Directory;
use crate::runtime::env::Env;
use crate::runtime::owner::Owned;
use crate::store::committer::Submitted;

impl Owned for Channels {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.channels
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, env: &Env) {
        env.facts.set_channels(self.clone());
    }
}

impl Owned for Accounts {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.accounts
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, env: &Env) {
        env.facts.set_accounts(self.clone());
    }
}

impl Owned for Users {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.users
    }

    const PUBLISHED: bool = true;

    fn publish(&self, rests_on: Submitted, env: &Env) {
        env.facts.users.set(self.clone(), rests_on);
    }
}

impl Owned for Credentials {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.credentials
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, env: &Env) {
        env.facts.credentials.set(self.clone());
    }
}

impl Owned for Operator {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.operator
    }

    const PUBLISHED: bool = true;

    fn publish(&self, _rests_on: Submitted, env: &Env) {
        env.facts.set_operator(self.token());
    }
}

impl Owned for Replays {
    fn directory(env: &Env) -> &Directory<Self> {
        &env.directories.replays
    }
}

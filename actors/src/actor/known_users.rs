//! The users of all accounts as requests need them: who has which token, and what is known of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock};

use crate::actor::read_cache::Caller;
use crate::domain::account::users::{TokenHash, Users};
use crate::domain::id::{AccountId, UserId};
use switchboard_engine::state::State;
use switchboard_engine::store::committer::Submitted;

/// The users of all accounts, published by their owners.
#[derive(Debug, Default)]
pub(crate) struct KnownUsers {
    accounts: RwLock<BTreeMap<AccountId, Arc<CachedUsers>>>,
    tokens: RwLock<BTreeMap<[u8; 32], (AccountId, UserId)>>,
    /// The users with the highest rank: no user loses it, and the more a user wrote, the more it costs to compute.
    masters: RwLock<BTreeSet<(AccountId, UserId)>>,
}

/// The users of one account.
#[derive(Debug)]
pub(crate) struct CachedUsers {
    pub(crate) users: Arc<Users>,
    /// The last record of the users: what is seen of them is true once it is on disk.
    pub(crate) depends_on: Submitted,
}

impl KnownUsers {
    /// The users of this account.
    pub(crate) fn get(&self, account: AccountId) -> Option<Arc<CachedUsers>> {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        accounts.get(&account).cloned()
    }

    /// Replaces what is known of the users of one account. Costs as much as has changed.
    pub(crate) fn set(&self, users: Users, depends_on: Submitted) {
        let account = users.account();
        let mut accounts = self
            .accounts
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let nobody = Users::blank(&account);
        let old = accounts.get(&account);
        let old = old.map_or(&nobody, |cached| cached.users.as_ref());
        let mut tokens = self.tokens.write().unwrap_or_else(PoisonError::into_inner);
        for token in old.unshared(&users).filter_map(|user| user.token) {
            tokens.remove(token.bytes());
        }
        for user in users.unshared(old) {
            if let Some(token) = user.token {
                tokens.insert(*token.bytes(), (account, user.id));
            }
        }
        drop(tokens);
        let users = Arc::new(users);
        accounts.insert(account, Arc::new(CachedUsers { users, depends_on }));
    }

    /// The user with this token, if they are not switched off.
    pub(crate) fn caller(&self, token: &TokenHash) -> Option<Caller> {
        let (account, id) = {
            let tokens = self.tokens.read().unwrap_or_else(PoisonError::into_inner);
            *tokens.get(token.bytes())?
        };
        let cached = self.get(account)?;
        let user = cached.users.get(id)?;
        // The token may have been taken away since it was found.
        let valid = user.active && user.token == Some(*token);
        valid.then(|| Caller::of(account, user))
    }

    /// This user, if they are not switched off, and how often all their sessions were ended.
    pub(crate) fn active(&self, account: AccountId, user: UserId) -> Option<(Caller, u64)> {
        let cached = self.get(account)?;
        let user = cached.users.get(user)?;
        user.active
            .then(|| (Caller::of(account, user), user.sessions_ended))
    }

    /// Whether this user is known to have the highest rank.
    pub(crate) fn is_master(&self, account: AccountId, user: UserId) -> bool {
        let masters = self.masters.read().unwrap_or_else(PoisonError::into_inner);
        masters.contains(&(account, user))
    }

    /// This user has the highest rank from now on.
    pub(crate) fn note_master(&self, account: AccountId, user: UserId) {
        let mut masters = self.masters.write().unwrap_or_else(PoisonError::into_inner);
        masters.insert((account, user));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::account::rights::granted::Rights;
    use crate::domain::account::users::declare::Declare;
    use crate::domain::account::users::switch::SwitchUsers;
    use crate::domain::account::users::tests::carry_out;
    use crate::domain::audit::By;
    use crate::domain::installation::accounts::Lang;
    use switchboard_engine::store::{Epoch, Seq};

    const NOW: Submitted = Submitted {
        last: Seq(0),
        epoch: Epoch(0),
    };

    fn declare(users: &mut Users, email: &str, token: Option<&str>) {
        let command = Declare {
            by: By::Operator,
            name: "Bo".parse().unwrap(),
            email: email.parse().unwrap(),
            lang: Lang::En,
            is_admin: false,
            password: None,
            token: token.map(TokenHash::of),
            denied: Rights::denied(&[]),
        };
        carry_out(users, command).unwrap();
    }

    #[test]
    fn a_token_is_valid_while_its_user_holds_it_and_is_active() {
        let known = KnownUsers::default();
        let asks = |token: &str| {
            known
                .caller(&TokenHash::of(token))
                .map(|caller| caller.user)
        };
        let mut users = Users::blank(&AccountId::from_random([1; 16]));
        for number in 1..=200 {
            let token = format!("token-{number}");
            declare(&mut users, &format!("u{number}@example.com"), Some(&token));
        }
        known.set(users.clone(), NOW);
        assert_eq!(asks("token-150"), Some(UserId(150)));
        declare(&mut users, "u150@example.com", Some("another"));
        known.set(users.clone(), NOW);
        assert_eq!(
            (asks("token-150"), asks("another")),
            (None, Some(UserId(150)))
        );
        for active in [false, true] {
            let switched = vec![UserId(150)];
            let command = SwitchUsers {
                by: By::Operator,
                users: switched,
                active,
            };
            carry_out(&mut users, command).unwrap();
            known.set(users.clone(), NOW);
            assert_eq!(asks("another").is_some(), active);
        }
        assert_eq!(asks("token-151"), Some(UserId(151)));
        declare(&mut users, "u150@example.com", None);
        known.set(users, NOW);
        assert_eq!(asks("another"), None);
    }
}

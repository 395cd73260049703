//! The users who have a stream of live events open, on whatever number of pages.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use switchboard_domain::account::holder::Holder;
use switchboard_domain::id::{AccountId, UserId};

/// The number of streams of each user who has one. There are no more users than streams, which are bounded.
#[derive(Debug, Default)]
pub struct UsersHere(Mutex<BTreeMap<Holder, NonZeroUsize>>);

/// An open stream of a user; the drop of it ends it.
pub struct Here {
    users: Arc<UsersHere>,
    holder: Holder,
}

impl UsersHere {
    /// Notes an open stream of a user.
    pub fn note(self: &Arc<Self>, holder: Holder) -> Here {
        let mut users = self.lock();
        let streams = users.get(&holder).map_or(0, |streams| streams.get());
        let more = NonZeroUsize::MIN.saturating_add(streams);
        users.insert(holder, more);
        drop(users);
        Here {
            users: Arc::clone(self),
            holder,
        }
    }

    /// Returns whether a user has a stream open.
    pub fn has(&self, holder: Holder) -> bool {
        self.lock().contains_key(&holder)
    }

    /// The users of an account who have a stream open.
    pub fn of_account(&self, account: AccountId) -> Vec<UserId> {
        let holder = |number| Holder {
            account,
            user: UserId(number),
        };
        let users = self.lock();
        let streams = users.range(holder(0)..=holder(u64::MAX));
        streams.map(|(holder, _)| holder.user).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Holder, NonZeroUsize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        let mut users = self.users.lock();
        let streams = users.remove(&self.holder);
        let left = streams.and_then(|streams| NonZeroUsize::new(streams.get().saturating_sub(1)));
        if let Some(left) = left {
            users.insert(self.holder, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_here_until_the_last_stream_ends() {
        let users = Arc::<UsersHere>::default();
        let account = |number| AccountId::from_random([number; 16]);
        let holder = |number, user| Holder {
            account: account(number),
            user: UserId(user),
        };
        let (first, second) = (users.note(holder(1, 7)), users.note(holder(1, 7)));
        let _others = [users.note(holder(1, 9)), users.note(holder(2, 7))];
        assert_eq!(users.of_account(account(1)), [UserId(7), UserId(9)]);
        drop(first);
        assert!(users.has(holder(1, 7)));
        drop(second);
        assert!(!users.has(holder(1, 7)));
        assert_eq!(users.of_account(account(1)), [UserId(9)]);
        assert_eq!(users.of_account(account(3)), []);
    }
}

//! Notifications for browsers of users who have no page open: who has such browsers, and what waits to be sent to them.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::live::event::Notification;
use switchboard_domain::account::holder::Holder;
use switchboard_domain::id::{AccountId, UserId};

/// The number of notifications that may wait for the sender. What comes when so many wait is pushed to no browser.
pub const WAITING_MAX: usize = 1_024;

/// A notification for all browsers of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushedNotification {
    /// The user.
    pub holder: Holder,
    /// The notification.
    pub notification: Notification,
    /// The beginning of the customer's text, if the user wants it.
    pub text: Option<String>,
}

/// The users with browsers that are pushed notifications. There are no more of them than users.
#[derive(Debug, Default)]
pub struct PushedUsers(Mutex<BTreeSet<Holder>>);

impl PushedUsers {
    /// Notes whether a user has such a browser.
    pub(super) fn note(&self, holder: Holder, has_browser: bool) {
        let mut users = self.lock();
        if has_browser {
            users.insert(holder);
        } else {
            users.remove(&holder);
        }
    }

    /// Returns whether no user has.
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Returns whether a user has.
    pub fn has(&self, holder: Holder) -> bool {
        self.lock().contains(&holder)
    }

    /// The users of an account who have.
    pub fn of_account(&self, account: AccountId) -> Vec<UserId> {
        let holder = |number| Holder {
            account,
            user: UserId(number),
        };
        let users = self.lock();
        let users = users.range(holder(0)..=holder(u64::MAX));
        users.map(|holder| holder.user).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<Holder>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_with_browsers_are_known_by_account() {
        let users = PushedUsers::default();
        let account = |number| AccountId::from_random([number; 16]);
        let holder = |number, user| Holder {
            account: account(number),
            user: UserId(user),
        };
        assert!(users.is_empty());
        for of in [holder(1, 7), holder(1, 9), holder(2, 7), holder(1, 7)] {
            users.note(of, true);
        }
        assert_eq!(users.of_account(account(1)), [UserId(7), UserId(9)]);
        users.note(holder(1, 7), false);
        users.note(holder(3, 1), false);
        assert!(!users.has(holder(1, 7)) && users.has(holder(2, 7)));
        assert_eq!(users.of_account(account(3)), []);
    }
}

//! The changes of several conversations that their users may undo for a moment. In memory only: a restart ends the moment.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use switchboard_domain::conversation::Snooze;
use switchboard_domain::id::{AccountId, ConversationId, LeadId, UndoId, UserId};
use switchboard_domain::several::OwnersChange;
use switchboard_domain::time::UnixMillis;

/// The time for which a change can be undone. The console offers it for a part of this, so that a slow request arrives in time.
pub(crate) const UNDOABLE: Duration = Duration::from_secs(30);
/// The maximum number of users whose last change is remembered; that which ends first makes room.
const USERS_MAX: usize = 1_000;

/// The change of a conversation, with what was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undoable {
    /// Its talk was closed.
    Closed {
        /// The lead of the talk.
        lead: LeadId,
        /// The mark of the close.
        closed: Option<u64>,
        /// The mark of an earlier close, which a later message had ended.
        before: Option<u64>,
        /// The snooze that ended with it.
        snooze: Option<Box<Snooze>>,
    },
    /// Its owners changed.
    Assigned(OwnersChange),
    /// It was snoozed.
    Snoozed {
        /// The new snooze.
        snooze: Box<Snooze>,
        /// The earlier one.
        before: Option<Box<Snooze>>,
    },
}

/// A user of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AccountUser {
    /// The account.
    pub account: AccountId,
    /// The user.
    pub user: UserId,
}

/// The last change of a user.
#[derive(Clone, Debug)]
struct Undo {
    id: UndoId,
    until: UnixMillis,
    changes: Vec<(ConversationId, Undoable)>,
}

/// The last change of each user.
#[derive(Debug, Default)]
pub struct Undos(Mutex<BTreeMap<AccountUser, Undo>>);

impl Undos {
    /// Remembers a change of a user from now on.
    pub fn note(
        &self,
        user: AccountUser,
        id: UndoId,
        changes: Vec<(ConversationId, Undoable)>,
        now: UnixMillis,
    ) {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        users.retain(|_, undo| now < undo.until);
        if users.len() >= USERS_MAX && !users.contains_key(&user) {
            let first = users.iter().min_by_key(|(_, undo)| undo.until);
            let oldest = first.map(|(user, _)| *user);
            oldest.and_then(|oldest| users.remove(&oldest));
        }
        let until = now.plus(UNDOABLE);
        users.insert(user, Undo { id, until, changes });
    }

    /// Takes the change with this id, if it is the last one of the user and its moment has not passed.
    pub fn take(
        &self,
        user: AccountUser,
        id: UndoId,
        now: UnixMillis,
    ) -> Option<Vec<(ConversationId, Undoable)>> {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_meant = |undo: &Undo| undo.id == id && now < undo.until;
        users.get(&user).filter(|undo| is_meant(undo))?;
        users.remove(&user).map(|undo| undo.changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(number: u64) -> AccountUser {
        AccountUser {
            account: AccountId::from_random([1; 16]),
            user: UserId(number),
        }
    }

    fn id(number: u8) -> UndoId {
        UndoId::from_random([number; 16])
    }

    const NOW: UnixMillis = UnixMillis::new(1_000);

    #[test]
    fn a_change_is_undone_once_by_its_user_and_in_time() {
        let undos = Undos::default();
        let (ada, bo) = (user(1), user(2));
        undos.note(ada, id(1), Vec::new(), NOW);
        assert_eq!(undos.take(bo, id(1), NOW), None);
        assert_eq!(undos.take(ada, id(2), NOW), None);
        assert_eq!(undos.take(ada, id(1), NOW.plus(UNDOABLE)), None);
        assert_eq!(undos.take(ada, id(1), NOW), Some(Vec::new()));
        assert_eq!(undos.take(ada, id(1), NOW), None);
    }

    #[test]
    fn only_the_last_change_of_a_user_is_remembered() {
        let undos = Undos::default();
        let ada = user(1);
        undos.note(ada, id(1), Vec::new(), NOW);
        undos.note(ada, id(2), Vec::new(), NOW);
        assert_eq!(undos.take(ada, id(1), NOW), None);
        assert_eq!(undos.take(ada, id(2), NOW), Some(Vec::new()));
    }

    #[test]
    fn the_changes_of_many_users_are_bounded() {
        let undos = Undos::default();
        for number in 0..1_001 {
            let later = NOW.plus(Duration::from_millis(number));
            undos.note(user(number), id(1), Vec::new(), later);
        }
        let later = NOW.plus(Duration::from_secs(2));
        assert_eq!(undos.take(user(0), id(1), later), None);
        assert!(undos.take(user(1), id(1), later).is_some());
        assert_eq!(undos.0.lock().unwrap().len(), USERS_MAX - 1);
    }
}

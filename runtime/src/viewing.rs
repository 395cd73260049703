//! The account users who have a conversation open. A restart may lose this, so it is kept in memory only.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use switchboard_domain::id::{ConversationId, UserId};
use switchboard_domain::text::Name;
use switchboard_domain::time::UnixMillis;

/// The time for which one sign counts.
pub const VIEWING: Duration = Duration::from_secs(15);
/// The maximum number of conversations that are remembered; further signs are dropped.
const CONVERSATIONS_MAX: usize = 10_000;
/// The maximum number of users of one conversation that are remembered.
const USERS_MAX: usize = 50;

/// An account user who has a conversation open, on whatever number of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// The user.
    pub user: UserId,
    /// The name of the user.
    pub name: Name,
    /// Until when that is to be shown.
    pub until: UnixMillis,
}

/// The viewers, by conversation: the last sign of each user.
#[derive(Debug, Default)]
pub struct ViewersNow(Mutex<BTreeMap<ConversationId, Vec<Viewer>>>);

impl ViewersNow {
    /// Notes a sign of a user who has a conversation open. It takes the place of the earlier sign.
    pub fn note(&self, conversation: ConversationId, viewer: Viewer, now: UnixMillis) {
        let mut conversations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if conversations.len() >= CONVERSATIONS_MAX && !conversations.contains_key(&conversation) {
            conversations.retain(|_, viewers| viewers.iter().any(|it| now < it.until));
            if conversations.len() >= CONVERSATIONS_MAX {
                return;
            }
        }
        let viewers = conversations.entry(conversation).or_default();
        viewers.retain(|it| now < it.until && it.user != viewer.user);
        if viewers.len() < USERS_MAX {
            viewers.push(viewer);
        }
    }

    /// The users who have a conversation open at this time.
    pub fn current(&self, conversation: ConversationId, now: UnixMillis) -> Vec<Viewer> {
        let conversations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let viewers = conversations.get(&conversation).into_iter().flatten();
        viewers.filter(|it| now < it.until).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: UnixMillis = UnixMillis::new(1);

    fn conversation(number: u128) -> ConversationId {
        ConversationId::from_random(number.to_be_bytes())
    }

    fn viewer(user: u64, until: u64) -> Viewer {
        Viewer {
            user: UserId(user),
            name: "Ada".parse().unwrap(),
            until: UnixMillis::new(until),
        }
    }

    #[test]
    fn a_user_is_one_viewer_until_the_last_sign_has_passed() {
        let viewers = ViewersNow::default();
        viewers.note(conversation(1), viewer(7, 10), AT);
        viewers.note(conversation(1), viewer(7, 20), AT);
        viewers.note(conversation(1), viewer(8, 10), AT);
        let users = |now| {
            let viewers = viewers.current(conversation(1), UnixMillis::new(now));
            viewers.iter().map(|it| it.user.0).collect::<Vec<_>>()
        };
        assert_eq!(users(9), [7, 8]);
        assert_eq!(users(10), [7]);
        assert!(users(20).is_empty());
    }

    #[test]
    fn viewers_are_bounded_and_expired_ones_make_room() {
        let viewers = ViewersNow::default();
        for number in 0..10_001 {
            viewers.note(conversation(number), viewer(7, 10), AT);
        }
        assert_eq!(viewers.current(conversation(9_999), AT).len(), 1);
        assert!(viewers.current(conversation(10_000), AT).is_empty());
        for user in 0..60 {
            viewers.note(conversation(1), viewer(user, 10), AT);
        }
        assert_eq!(viewers.current(conversation(1), AT).len(), USERS_MAX);
        let later = UnixMillis::new(10);
        viewers.note(conversation(10_000), viewer(7, 20), later);
        assert_eq!(viewers.current(conversation(10_000), later).len(), 1);
    }
}

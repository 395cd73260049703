//! The people who are writing now. A restart may lose this, so it is kept in memory only.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use switchboard_domain::id::{ConversationId, PersonId};
use switchboard_domain::time::UnixMillis;

/// The maximum number of conversations with a person who is writing; further notices are dropped.
const CONVERSATIONS_MAX: usize = 10_000;

/// A person who is writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typing {
    /// The person.
    pub person: PersonId,
    /// Until when that is to be shown.
    pub until: UnixMillis,
}

/// The person who is writing, by conversation: the last notice of each.
#[derive(Debug, Default)]
pub struct TypingNow(Mutex<BTreeMap<ConversationId, Typing>>);

impl TypingNow {
    /// Notes that a person writes in a conversation; the last notice counts.
    pub fn note(&self, conversation: ConversationId, typing: Typing, now: UnixMillis) {
        let mut notices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notices.len() >= CONVERSATIONS_MAX {
            notices.retain(|_, typing| now < typing.until);
        }
        if notices.len() < CONVERSATIONS_MAX {
            notices.insert(conversation, typing);
        }
    }

    /// The person who writes in a conversation at this time.
    pub fn current(&self, conversation: ConversationId, now: UnixMillis) -> Option<Typing> {
        let notices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let typing = notices.get(&conversation).copied();
        typing.filter(|typing| now < typing.until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_notices_are_bounded_and_expired_ones_are_evicted() {
        let typing = TypingNow::default();
        let person = PersonId::from_random([7; 16]);
        let conversation = |number: u128| ConversationId::from_random(number.to_be_bytes());
        let until = UnixMillis::new(10);
        let notice = Typing { person, until };
        for number in 0..10_001 {
            typing.note(conversation(number), notice, UnixMillis::new(1));
        }
        let of = |number, now| typing.current(conversation(number), UnixMillis::new(now));
        assert_eq!(of(9_999, 9), Some(notice));
        assert_eq!(of(9_999, 10), None);
        assert_eq!(of(10_000, 9), None, "there was no room");
        typing.note(
            conversation(10_000),
            Typing {
                person,
                until: UnixMillis::new(20),
            },
            UnixMillis::new(10),
        );
        assert!(of(10_000, 11).is_some());
    }
}

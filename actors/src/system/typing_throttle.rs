//! A throttle for typing notices of users, so that integrations do not get one with every key.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::domain::id::{ConversationId, PersonId};
use crate::domain::time::UnixMillis;

/// Such callbacks that may be in progress at once.
pub(super) const UNDER_WAY_MAX: usize = 16;
/// Integrations hear of the same person in the same conversation once in this time.
const INTERVAL: Duration = Duration::from_secs(5);
/// The maximum number of remembered notices; beyond it, no notice is sent until some expire.
const REMEMBERED_MAX: usize = 10_000;

/// The people whom a notice was about, and when the next notice may be sent.
#[derive(Debug, Default)]
pub(super) struct TypingThrottle(Mutex<BTreeMap<(ConversationId, PersonId), UnixMillis>>);

impl TypingThrottle {
    /// Returns whether a notice may be sent now; it counts as sent then.
    pub(super) fn is_due(
        &self,
        conversation: ConversationId,
        person: PersonId,
        now: UnixMillis,
    ) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was put back must not hold notices back for longer than the pause between two.
        let holds = |until: &UnixMillis| now < *until && until.since(now) <= INTERVAL;
        let until = last.get(&(conversation, person));
        if until.is_some_and(holds) {
            return false;
        }
        if last.len() >= REMEMBERED_MAX {
            last.retain(|_, until| holds(until));
        }
        if last.len() >= REMEMBERED_MAX {
            return false;
        }
        last.insert((conversation, person), now.plus(INTERVAL));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The typing of one person is passed on once in five seconds, and the memory for it is bounded.
    #[test]
    fn a_person_types_once_in_five_seconds_and_memory_is_bounded() {
        let throttle = TypingThrottle::default();
        let person = PersonId::from_random([7; 16]);
        let conversation = |number: u128| ConversationId::from_random(number.to_be_bytes());
        let due = |number, at| throttle.is_due(conversation(number), person, UnixMillis::new(at));
        assert!(due(0, 1));
        assert!(!due(0, 5_000));
        assert!(due(0, 5_001));
        assert!(due(1, 3_600_000));
        assert!(due(1, 7), "the clock was put back");
        for number in 2..10_000 {
            assert!(due(number, 5_002));
        }
        assert!(!due(10_000, 5_003), "there is no room");
        assert!(due(10_000, 10_001), "the first is over");
    }
}

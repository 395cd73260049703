//! The status of a conversation: whose turn it is.

use crate::conversation::Conversation;
use crate::crm::Lead;
use crate::words;

words! {
    /// The status of a conversation for the users who share an inbox. It follows from the messages, the snooze and the talk,
    /// so nothing stores it.
    pub enum ConversationStatus {
        /// The customer waits for an answer, or a snooze was due and no answer followed.
        Open = "open",
        /// The account answered last, or the customer said nothing aloud: it is the customer's turn.
        Waiting = "waiting",
        /// It is out of the way until a time.
        Snoozed = "snoozed",
        /// The talk of the newest lead is not in work.
        Closed = "closed",
    }
}

impl ConversationStatus {
    /// The status of a conversation with this newest lead.
    #[must_use]
    pub fn new(conversation: &Conversation, newest: Option<&Lead>) -> Self {
        let spoken_message = conversation.spoken;
        if newest.is_some_and(|lead| !lead.talk_is_in_work(Some(spoken_message))) {
            Self::Closed
        } else if conversation.snooze.is_some() {
            Self::Snoozed
        } else if spoken_message > conversation.answers.newest() || conversation.is_due() {
            Self::Open
        } else {
            Self::Waiting
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::WON;
    use crate::crm::tests::{OPEN, lead};
    use crate::id::{ConversationId, UserId};
    use switchboard_engine::state::State as _;

    fn conversation(spoken: u64, answer: u64) -> Conversation {
        let mut conversation = Conversation {
            spoken,
            ..Conversation::initial(&ConversationId::from_random([1; 16]))
        };
        if answer > 0 {
            conversation.answers.note(answer, Some(UserId(5)));
        }
        conversation
    }

    #[test]
    fn the_newest_loud_message_decides_whose_turn_it_is() {
        let status = |spoken, answer| ConversationStatus::new(&conversation(spoken, answer), None);
        assert_eq!(status(0, 0), ConversationStatus::Waiting);
        assert_eq!(status(3, 0), ConversationStatus::Open);
        assert_eq!(status(3, 3), ConversationStatus::Waiting);
        assert_eq!(status(4, 3), ConversationStatus::Open);
        // An imported answer can be silent.
        assert_eq!(status(3, 4), ConversationStatus::Waiting);
    }

    #[test]
    fn a_closed_talk_closes_until_the_next_loud_message() {
        let closed = Lead {
            talk_closed: Some(3),
            ..lead(OPEN)
        };
        let status = |spoken| ConversationStatus::new(&conversation(spoken, 0), Some(&closed));
        assert_eq!(status(3), ConversationStatus::Closed);
        assert_eq!(status(4), ConversationStatus::Open);
        let won = lead(WON);
        let status = ConversationStatus::new(&conversation(4, 0), Some(&won));
        assert_eq!(status, ConversationStatus::Closed);
    }
}

//! Messages that were written just now, for the first attempt of their callbacks: what is in here need not be read from
//! the journal. Only what is on disk comes in. What finds no room, or makes room for others, is read again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use switchboard_domain::conversation::Outgoing;
use switchboard_domain::dispatch::delivery_queue::OutNumber;
use switchboard_domain::id::ConversationId;

/// At most so many messages are kept, and so many bytes of them.
const MESSAGES_MAX: usize = 8_192;
const BYTES_MAX: usize = 8 << 20;

/// The newest messages that were not sent yet, a bounded number.
#[derive(Debug, Default)]
pub struct Unsent {
    state: Mutex<UnsentMessages>,
}

#[derive(Debug, Default)]
struct UnsentMessages {
    newest: u64,
    messages: BTreeMap<(ConversationId, OutNumber), (u64, Outgoing)>,
    /// The oldest first.
    places: BTreeMap<u64, (ConversationId, OutNumber)>,
    bytes: usize,
}

impl Unsent {
    /// Keeps messages that are on disk; the oldest ones make room.
    pub fn keep<'a>(&self, messages: impl Iterator<Item = (ConversationId, &'a Outgoing)>) {
        let mut state = self.state();
        for (conversation, outgoing) in messages {
            state.keep(conversation, outgoing);
        }
    }

    /// Takes a message out: only its first attempt needs it here.
    pub fn take(&self, conversation: ConversationId, number: OutNumber) -> Option<Outgoing> {
        self.state().take(conversation, number)
    }

    fn state(&self) -> MutexGuard<'_, UnsentMessages> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl UnsentMessages {
    fn keep(&mut self, conversation: ConversationId, outgoing: &Outgoing) {
        let name = (conversation, outgoing.number());
        self.newest = self.newest.saturating_add(1);
        self.bytes = self.bytes.saturating_add(outgoing.bytes());
        self.places.insert(self.newest, name);
        let earlier = self.messages.insert(name, (self.newest, outgoing.clone()));
        debug_assert!(earlier.is_none(), "a message is written once");
        while self.messages.len() > MESSAGES_MAX || self.bytes > BYTES_MAX {
            let Some((_, (conversation, number))) = self.places.first_key_value() else {
                return;
            };
            drop(self.take(*conversation, *number));
        }
    }

    fn take(&mut self, conversation: ConversationId, number: OutNumber) -> Option<Outgoing> {
        let (place, outgoing) = self.messages.remove(&(conversation, number))?;
        self.places.remove(&place);
        self.bytes = self.bytes.saturating_sub(outgoing.bytes());
        Some(outgoing)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use switchboard_domain::chat::outgoing::{Party, ReactedMessage, ReactionChange};
    use switchboard_domain::chat::reaction::ReactionKind;
    use switchboard_domain::conversation::ReactionCallback;
    use switchboard_domain::id::{AccountId, MessageId, PersonId, ScopeId};
    use switchboard_domain::time::UnixMillis;

    fn conversation() -> ConversationId {
        ConversationId::from_bytes([7; 16])
    }

    fn outgoing(out: u64) -> Outgoing {
        let party = Party {
            id: PersonId::from_random([1; 16]),
            client_id: None,
            name: None,
        };
        let message = MessageId::from_random([2; 16]);
        Outgoing::Reaction(Arc::new(ReactionCallback {
            out,
            id: message,
            at: UnixMillis::ZERO,
            by: party.id,
            reaction: ReactionChange {
                on: message,
                msgid: None,
                message: Box::new(ReactedMessage {
                    written_at: UnixMillis::ZERO,
                    sender: party.clone(),
                    receiver: party,
                }),
                kind: ReactionKind::React,
                emoji: None,
            },
            scope: ScopeId::new("c".parse().unwrap(), AccountId::from_bytes([3; 16])),
            conversation_client_id: None,
        }))
    }

    #[test]
    fn a_message_is_taken_once() {
        let unsent = Unsent::default();
        let message = outgoing(1);
        unsent.keep([(conversation(), &message)].into_iter());
        let take = |number| unsent.take(conversation(), OutNumber(number));
        assert_eq!((take(2), take(1), take(1)), (None, Some(message), None));
        let state = unsent.state();
        assert_eq!((state.bytes, state.places.len()), (0, 0));
    }

    #[test]
    fn the_newest_messages_are_kept_within_both_limits() {
        let unsent = Unsent::default();
        let messages: Vec<Outgoing> = (1..=20_000).map(outgoing).collect();
        unsent.keep(messages.iter().map(|message| (conversation(), message)));
        let state = unsent.state();
        assert!(state.bytes <= BYTES_MAX && state.messages.len() <= MESSAGES_MAX);
        assert_eq!(state.places.len(), state.messages.len());
        drop(state);
        let take = |number| unsent.take(conversation(), OutNumber(number));
        assert!(take(1).is_none() && take(20_000).is_some());
    }
}

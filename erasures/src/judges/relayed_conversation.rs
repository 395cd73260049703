//! The judge of a conversation of relays: all of its hooks go, also those that wait, with their deliveries.

use std::collections::BTreeMap;

use crate::certificate::ErasedCounts;
use crate::judges::judge::{Judge, Look};
use crate::judges::record::{DecodeError, Reading, decode};
use crate::judges::relays;
use crate::judges::survey::Surveys;
use switchboard_domain::relays::RelayChat;
use switchboard_engine::state::State as _;
use switchboard_engine::store::erasure::Verdict;
use switchboard_relay::hooks::{RelayedHooks, RelayedHooksEvent};

/// The judge of a conversation of relays.
#[derive(Clone, Debug)]
pub(super) struct RelayedConversationJudge {
    /// The names of the conversation, each with the number of its newest hook; 0 before the first.
    last: BTreeMap<RelayChat, u64>,
    counts: ErasedCounts,
}

impl RelayedConversationJudge {
    /// Begins with the names of the conversation.
    pub(super) fn new(chats: &[RelayChat]) -> Self {
        Self {
            last: chats.iter().map(|chat| (*chat, 0)).collect(),
            counts: ErasedCounts::default(),
        }
    }
}

impl Judge for RelayedConversationJudge {
    fn look(&mut self, look: Look, reading: &Reading<'_>) -> Result<(), DecodeError> {
        let chat = RelayedHooks::id_of(reading.stream()).filter(|_| look == Look::First);
        if let Some(last) = chat.and_then(|chat| self.last.get_mut(&chat)) {
            let number = match decode(reading.record())? {
                RelayedHooksEvent::Received(hook) => hook.number,
                RelayedHooksEvent::Erased { number }
                | RelayedHooksEvent::Answered { number, .. } => number,
            };
            *last = number.0.max(*last);
        }
        Ok(())
    }

    /// Holds with hooks that came later, too: one more number stays than is needed.
    fn settle(&mut self, _look: Look, _surveys: &Surveys) -> bool {
        let hooks = self.last.values().filter(|last| **last > 0);
        self.counts.conversations = u64::try_from(hooks.count()).unwrap_or(u64::MAX);
        true
    }

    fn verdict(&mut self, reading: &Reading<'_>) -> Result<Verdict, DecodeError> {
        let verdict = relays::verdict(reading, |chat| self.last.get(&chat).copied())?;
        let Some((verdict, is_hook)) = verdict else {
            return Ok(Verdict::Keep);
        };
        self.counts.messages = self.counts.messages.saturating_add(u64::from(is_hook));
        Ok(verdict)
    }

    fn counts(&self) -> ErasedCounts {
        self.counts
    }

    fn copy(&self) -> Box<dyn Judge> {
        Box::new(self.clone())
    }
}

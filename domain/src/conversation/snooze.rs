//! The snooze of a conversation: it is out of the way until a time, or until the customer writes.
//!
//! A conversation has one timer, in its state. Its row is in the list of what is due, so a service that was down wakes the
//! conversation after its start.

use serde::{Deserialize, Serialize};

use crate::conversation::{Conversation, ConversationEvent};
use crate::id::UserId;
use crate::keys;
use crate::oauth::acting_client::ActingClient;
use crate::tables;
use crate::time::UnixMillis;
use crate::words;
use switchboard_engine::entries::IndexEntries;

/// A snooze, as an account user set it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snooze {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acted for the user; `None` when the user did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
    /// The time of the event.
    pub at: UnixMillis,
    /// The end of the snooze.
    pub until: UnixMillis,
    /// True when the customer's next loud message ends it earlier.
    pub wakes_on_message: bool,
}

/// The end of a snooze before a message ended it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Woken {
    /// The time of the event.
    pub at: UnixMillis,
    /// The cause.
    pub cause: WakeCause,
    /// The user who ended it; `None` when it was due, or ended with the talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<UserId>,
    /// The OAuth client that acted for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
}

words! {
    /// The cause of the end of a snooze.
    pub enum WakeCause {
        /// Its time came.
        Due = "due",
        /// A user ended it.
        User = "user",
        /// The talk was closed, or its lead was won or lost.
        Closed = "closed",
    }
}

impl Conversation {
    /// Returns whether the conversation waits for users since its snooze was due, and was not answered after that.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.due_behind
            .is_some_and(|message| self.answers.newest() <= message)
    }

    /// Takes in what an event does with the snooze.
    pub(super) fn apply_to_snooze(&mut self, event: &ConversationEvent) {
        self.snooze = self.snooze_after(event).cloned().map(Box::new);
        if let Some(at) = due_at(event) {
            self.due_behind = Some(self.messages);
            self.active_at = self.active_at.max(at);
        }
    }

    /// The snooze after this event.
    fn snooze_after<'s>(&'s self, event: &'s ConversationEvent) -> Option<&'s Snooze> {
        let present = self.snooze.as_deref();
        match event {
            ConversationEvent::Snoozed(snooze) => Some(snooze),
            ConversationEvent::Woken(_) => None,
            ConversationEvent::Condensed(condensed) => condensed.state.snooze.as_deref(),
            ConversationEvent::Received(received) => {
                let is_of_customer = received.loud && !received.is_imported();
                present.filter(|snooze| !(is_of_customer && snooze.wakes_on_message))
            }
            ConversationEvent::Opened(_)
            | ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Replied(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::LeadOpened
            | ConversationEvent::LeadChanged { .. }
            | ConversationEvent::Read(_)
            | ConversationEvent::Marked(_)
            | ConversationEvent::Fetched(_) => present,
        }
    }

    /// The row of the timer comes, moves and goes. A conversation whose snooze is due rises to the top of its lists.
    pub(super) fn list_snooze(&self, event: &ConversationEvent, entries: &mut IndexEntries) {
        let until = |snooze: &Snooze| snooze.until;
        let before = self.snooze.as_deref().map(until);
        let after = self.snooze_after(event).map(until);
        if before != after {
            let row = |until| keys::snooze::row(until, self.id);
            if let Some(until) = before {
                entries.delete(tables::SNOOZED, row(until));
            }
            if let Some(until) = after {
                entries.put(tables::SNOOZED, row(until), Vec::new());
            }
        }
        if let Some(at) = due_at(event)
            && let Some(origin) = &self.origin
            && self.messages > 0
        {
            let top = self.active_at.max(at);
            self.move_in_list(origin, top, self.volume, &self.readers(), entries);
        }
    }
}

/// The time at which a snooze was due, if the event says that it was.
fn due_at(event: &ConversationEvent) -> Option<UnixMillis> {
    let ConversationEvent::Woken(woken) = event else {
        return None;
    };
    (woken.cause == WakeCause::Due).then_some(woken.at)
}

#[cfg(test)]
mod tests;

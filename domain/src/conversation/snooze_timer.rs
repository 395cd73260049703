//! The timer of a conversation: what events do with its snooze, and its row in the list of what is due.

use crate::conversation::snooze::{Snooze, WakeCause};
use crate::conversation::{Conversation, ConversationEvent};
use crate::keys;
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;

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
    pub(super) fn snooze_after<'s>(&'s self, event: &'s ConversationEvent) -> Option<&'s Snooze> {
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
            | ConversationEvent::Fetched(_)
            | ConversationEvent::GroupAssigned(_)
            | ConversationEvent::Mentioned(_) => present,
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
pub(super) fn due_at(event: &ConversationEvent) -> Option<UnixMillis> {
    let ConversationEvent::Woken(woken) = event else {
        return None;
    };
    (woken.cause == WakeCause::Due).then_some(woken.at)
}

#[cfg(test)]
mod tests;

//! The turn of the account: since when the customer waits for an answer, and the row by which the service finds who waits.

use serde::{Deserialize, Serialize};

use crate::conversation::snooze_timer::due_at;
use crate::conversation::{Conversation, ConversationEvent};
use crate::id::{GroupId, UserId};
use crate::keys::waiting::WaitingRow;
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;

/// The wait of a customer for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The time since which the customer waits.
    pub since: UnixMillis,
    /// True when the customer took up a closed talk again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reopened: bool,
}

/// The facts that decide whose turn it is.
#[derive(Clone, Copy)]
struct Turn {
    /// True while the newest lead is neither won nor lost.
    lead: bool,
    talk_closed: Option<u64>,
    snoozed: bool,
    spoken: u64,
    answered: u64,
    due_behind: Option<u64>,
}

impl Turn {
    fn is_closed(self) -> bool {
        self.talk_closed.is_some_and(|closed| self.spoken <= closed)
    }

    /// Returns whether a conversation with a lead has the status `open`.
    fn is_open(self) -> bool {
        let is_due = |message| self.answered <= message;
        let has_turn = self.spoken > self.answered || self.due_behind.is_some_and(is_due);
        self.lead && !self.is_closed() && !self.snoozed && has_turn
    }
}

/// The users and the group that are to answer, as the row of a conversation that waits has them.
#[derive(Clone, Copy)]
struct Owners {
    responsible: Option<UserId>,
    last: Option<UserId>,
    group: Option<GroupId>,
}

impl Conversation {
    /// Takes in what an event means for who waits. The rest of the state is as it was before the event.
    pub(super) fn apply_to_waiting(&mut self, event: &ConversationEvent) {
        let (turn, owners) = (self.turn_after(event), self.owners_after(event));
        self.waiting = self.waiting_after(event, turn, owners);
        self.last_responsible = owners.last;
        self.talk_closed = turn.talk_closed;
    }

    /// The row comes with the turn of the account, moves to another owner, and goes.
    pub(super) fn list_waiting(&self, event: &ConversationEvent, entries: &mut IndexEntries) {
        let before = self.row(self.waiting, self.owners(), None);
        let (turn, owners) = (self.turn_after(event), self.owners_after(event));
        let waiting = self.waiting_after(event, turn, owners);
        let after = self.row(waiting, owners, Some(event));
        if before == after {
            return;
        }
        let key = after.as_ref().map(WaitingRow::key);
        if let Some(old_key) = before
            .map(|row| row.key())
            .filter(|it| Some(it) != key.as_ref())
        {
            entries.delete(tables::WAITING, old_key);
        }
        if let Some(row) = after {
            entries.put(tables::WAITING, row.key(), row.value());
        }
    }

    fn row(
        &self,
        waiting: Option<Waiting>,
        owners: Owners,
        event: Option<&ConversationEvent>,
    ) -> Option<WaitingRow> {
        let waiting = waiting?;
        let origin = self.origin.as_ref().map(|origin| &origin.scope);
        let scope = origin.or_else(|| event?.scope())?;
        Some(WaitingRow {
            account: scope.account(),
            responsible: owners.responsible,
            since: waiting.since,
            conversation: self.id,
            channel: scope.channel().clone(),
            reopened: waiting.reopened,
            group: owners.group,
            last: owners.last,
        })
    }

    fn owners(&self) -> Owners {
        Owners {
            responsible: self.responsible,
            last: self.last_responsible,
            group: self.group,
        }
    }

    fn owners_after(&self, event: &ConversationEvent) -> Owners {
        let present = self.owners();
        match event {
            ConversationEvent::LeadOpened => Owners {
                responsible: None,
                last: self.responsible.or(self.last_responsible),
                ..present
            },
            ConversationEvent::LeadChanged { responsible, .. } => Owners {
                responsible: *responsible,
                last: present.last.filter(|_| responsible.is_none()),
                ..present
            },
            ConversationEvent::GroupAssigned(assigned) => Owners {
                group: assigned.group,
                ..present
            },
            ConversationEvent::Condensed(condensed) => condensed.state.owners(),
            ConversationEvent::Opened(_)
            | ConversationEvent::Received(_)
            | ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Replied(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::Read(_)
            | ConversationEvent::Marked(_)
            | ConversationEvent::Fetched(_)
            | ConversationEvent::Snoozed(_)
            | ConversationEvent::Woken(_)
            | ConversationEvent::Mentioned(_) => present,
        }
    }

    fn turn(&self) -> Turn {
        Turn {
            lead: self.lead,
            talk_closed: self.talk_closed,
            snoozed: self.snooze.is_some(),
            spoken: self.spoken,
            answered: self.answers.newest(),
            due_behind: self.due_behind,
        }
    }

    fn turn_after(&self, event: &ConversationEvent) -> Turn {
        if let ConversationEvent::Condensed(condensed) = event {
            return condensed.state.turn();
        }
        let mut turn = self.turn();
        turn.snoozed = self.snooze_after(event).is_some();
        match event {
            ConversationEvent::Received(received) => {
                if received.loud {
                    turn.spoken = received.number;
                }
                if received.is_imported() {
                    turn.answered = received.number;
                }
            }
            ConversationEvent::Replied(replied) => {
                (turn.spoken, turn.answered) = (replied.number, replied.number);
            }
            ConversationEvent::LeadOpened => (turn.lead, turn.talk_closed) = (true, None),
            ConversationEvent::LeadChanged {
                open, talk_closed, ..
            } => (turn.lead, turn.talk_closed) = (*open, *talk_closed),
            ConversationEvent::Woken(_) if due_at(event).is_some() => {
                turn.due_behind = Some(self.messages);
            }
            ConversationEvent::Opened(_)
            | ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::Read(_)
            | ConversationEvent::Marked(_)
            | ConversationEvent::Fetched(_)
            | ConversationEvent::Snoozed(_)
            | ConversationEvent::Woken(_)
            | ConversationEvent::Mentioned(_)
            | ConversationEvent::GroupAssigned(_)
            | ConversationEvent::Condensed(_) => {}
        }
        turn
    }

    fn waiting_after(
        &self,
        event: &ConversationEvent,
        turn: Turn,
        owners: Owners,
    ) -> Option<Waiting> {
        if let ConversationEvent::Condensed(condensed) = event {
            return condensed.state.waiting;
        }
        if !turn.is_open() {
            return None;
        }
        let Some(waiting) = self.waiting else {
            return Some(Waiting {
                since: event.at().or(self.heard_at).unwrap_or(self.active_at),
                reopened: event.as_received().is_some() && self.turn().is_closed(),
            });
        };
        // Another user is not the one whom the customer came back to.
        let is_same = owners.responsible == self.responsible;
        Some(Waiting {
            reopened: waiting.reopened && is_same,
            ..waiting
        })
    }
}

#[cfg(test)]
mod tests;

//! The rest of the beginning of a conversation without its messages: the state after it, and the followers of each
//! lead. The messages are gone; the conversation stays where it was in all lists.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::conversation::addresses;
use crate::conversation::customer::Customer;
use crate::conversation::{Conversation, ConversationEvent};
use crate::id::{ConversationId, LeadId, UserId};
use crate::keys;
use crate::tables;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;

/// The rest of the beginning of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condensed {
    /// The conversation after it.
    pub state: Conversation,
    /// The users who answered or were mentioned, with the newest lead at the time.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub follows: BTreeSet<(UserId, LeadId)>,
    /// All customers who wrote or were written to, as they were last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<Customer>,
}

impl Condensed {
    /// Before the first event.
    #[must_use]
    pub fn initial(id: &ConversationId) -> Self {
        Self {
            state: Conversation::initial(id),
            follows: BTreeSet::new(),
            people: Vec::new(),
        }
    }

    /// Takes in an event of the beginning.
    pub fn take(&mut self, event: &ConversationEvent) {
        // A reply describes the customer as the conversation knows them, but for the first one.
        if event.as_replied().is_none() || self.state.origin.is_none() {
            self.know(event.customers());
        }
        if let ConversationEvent::Condensed(condensed) = event {
            self.follows.extend(&condensed.follows);
        }
        if let ConversationEvent::Mentioned(mentioned) = event {
            let users = mentioned.users.iter();
            let follows = users.filter_map(|user| Some((*user, mentioned.lead?)));
            self.follows.extend(follows);
        }
        if let Some(replied) = event.as_replied() {
            let user = replied.by.user;
            let lead = replied
                .lead
                .filter(|_| self.state.can_be_followed_by(&replied.by));
            self.follows.extend(lead.map(|lead| (user, lead)));
        }
        self.state.apply(event);
        self.state.volume.forget_stored();
    }

    fn know<'c>(&mut self, customers: impl IntoIterator<Item = &'c Customer>) {
        for customer in customers {
            self.people.retain(|known| known.person != customer.person);
            self.people.push(customer.clone());
        }
    }

    /// As if all the events had been there; `before` is the conversation before them.
    pub(super) fn index(&self, before: &Conversation, entries: &mut IndexEntries) {
        let Some(origin) = &self.state.origin else {
            return;
        };
        let account = origin.scope.account();
        addresses::list_all(self.state.id, account, &self.people, entries);
        for customer in &self.people {
            entries.key(if self.state.messages > 0 {
                keys::person(&origin.scope, customer.person)
            } else {
                keys::expected(&origin.scope, customer.person)
            });
        }
        if self.state.messages > 0 {
            let readers = self.state.readers();
            let (at, volume) = (self.state.active_at, self.state.volume);
            before.move_in_list(origin, at, volume, &readers, entries);
        }
        if self.state.unread > 0 {
            let row = keys::unread_row(account, self.state.id);
            entries.put(tables::UNREAD, row, Vec::new());
        }
        for (user, lead) in &self.follows {
            let row = keys::lead_of_row(account, *user, *lead, true);
            entries.put(tables::LEADS_OF, row, Vec::new());
        }
    }
}

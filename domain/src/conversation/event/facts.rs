//! The facts that other parts of the product ask of any event of a conversation. A new event states them here once.

use std::sync::Arc;

use crate::chat::fetch::FetchOutcome;
use crate::conversation::customer::Customer;
use crate::conversation::event::{ConversationEvent, Edited, Received};
use crate::conversation::fetch::Fetched;
use crate::conversation::outgoing::{Outgoing, Replied};
use crate::id::{MessageId, PersonId, ScopeId};
use crate::text::url::HttpUrl;
use crate::time::UnixMillis;

/// The facts of an event.
#[derive(Default)]
struct Facts<'e> {
    at: Option<UnixMillis>,
    scope: Option<&'e ScopeId>,
    /// The customers whom a message describes.
    customers: [Option<&'e Customer>; 2],
    /// The customers of a condensed beginning.
    people: &'e [Customer],
    message: Option<MessageId>,
    out: Option<u64>,
    file: Option<&'e HttpUrl>,
    is_content: bool,
}

impl Facts<'_> {
    /// Those of an event that has nothing but its time.
    fn at(at: UnixMillis) -> Self {
        Self {
            at: Some(at),
            ..Self::default()
        }
    }
}

impl ConversationEvent {
    /// The facts of this event. Each variant is here, so that a new one cannot be forgotten.
    fn facts(&self) -> Facts<'_> {
        match self {
            Self::Opened(opened) => Facts {
                at: Some(opened.at),
                scope: Some(&opened.origin.scope),
                customers: [opened.customer.as_ref(), None],
                ..Facts::default()
            },
            Self::Received(received) => Facts {
                at: Some(received.at),
                scope: received.origin.as_ref().map(|origin| &origin.scope),
                customers: [received.customer.as_ref(), received.to.as_deref()],
                message: Some(received.id),
                is_content: true,
                ..Facts::default()
            },
            Self::Edited(edited) => Facts {
                at: Some(edited.at),
                message: Some(edited.id),
                is_content: true,
                ..Facts::default()
            },
            Self::Reacted(reacted) => Facts {
                at: Some(reacted.at),
                out: reacted.callback.as_ref().map(|callback| callback.out),
                is_content: true,
                ..Facts::default()
            },
            Self::Replied(replied) => Facts {
                at: Some(replied.at),
                scope: Some(&replied.scope),
                customers: [Some(&replied.to), None],
                message: Some(replied.id),
                out: Some(replied.out),
                file: replied.content.file().map(|file| &file.media),
                is_content: true,
                ..Facts::default()
            },
            Self::Reported(reported) => Facts {
                at: Some(reported.at),
                is_content: true,
                ..Facts::default()
            },
            Self::Fetched(fetched) => Facts {
                at: Some(fetched.at),
                file: copied_file(fetched),
                is_content: true,
                ..Facts::default()
            },
            Self::Read(read) => Facts::at(read.at),
            Self::Marked(marked) => Facts::at(marked.at),
            Self::Snoozed(snooze) => Facts::at(snooze.at),
            Self::Woken(woken) => Facts::at(woken.at),
            Self::GroupAssigned(assigned) => Facts::at(assigned.at),
            Self::Mentioned(mentioned) => Facts::at(mentioned.at),
            Self::Condensed(condensed) => Facts {
                scope: condensed.state.origin.as_ref().map(|origin| &origin.scope),
                people: &condensed.people,
                ..Facts::default()
            },
            Self::LeadOpened | Self::LeadChanged { .. } => Facts::default(),
        }
    }

    /// The time of the event; `None` when it has none of its own.
    #[must_use]
    pub fn at(&self) -> Option<UnixMillis> {
        self.facts().at
    }

    /// The scope of the conversation, if the event names it: the first one of a conversation does.
    #[must_use]
    pub fn scope(&self) -> Option<&ScopeId> {
        self.facts().scope
    }

    /// The customers whom the event describes.
    pub fn customers(&self) -> impl Iterator<Item = &Customer> {
        let facts = self.facts();
        facts.customers.into_iter().flatten().chain(facts.people)
    }

    /// The description of a person as a customer, if the event has one.
    #[must_use]
    pub fn customer(&self, person: PersonId) -> Option<&Customer> {
        self.customers().find(|customer| customer.person == person)
    }

    /// The message that the event adds or edits.
    #[must_use]
    pub fn message_id(&self) -> Option<MessageId> {
        self.facts().message
    }

    /// The number among the outgoing messages of the callback that the event queues.
    #[must_use]
    pub fn out(&self) -> Option<u64> {
        self.facts().out
    }

    /// The address of a file of the service: one that an account user sent, or the copy of a customer's.
    #[must_use]
    pub fn own_file(&self) -> Option<&HttpUrl> {
        self.facts().file
    }

    /// Returns whether the event is about a message: the state of the conversation does not have it.
    #[must_use]
    pub fn is_content(&self) -> bool {
        self.facts().is_content
    }

    /// Returns whether the event adds a message.
    #[must_use]
    pub fn is_message(&self) -> bool {
        self.as_received().is_some() || self.as_replied().is_some()
    }

    /// The number in the conversation of the message that the event adds.
    #[must_use]
    pub fn message_number(&self) -> Option<u64> {
        let received = self.as_received().map(|received| received.number);
        received.or_else(|| Some(self.as_replied()?.number))
    }

    /// Splits off the part that goes to the integration: a message, or an account user's reaction.
    #[must_use]
    pub fn into_outgoing(self) -> Option<Outgoing> {
        if let Self::Replied(replied) = self {
            return Some(Outgoing::Message(Arc::from(replied)));
        }
        let Self::Reacted(reacted) = self else {
            return None;
        };
        let callback = reacted.callback;
        callback.map(|callback| Outgoing::Reaction(Arc::from(callback)))
    }

    /// The message of the integration.
    #[must_use]
    pub fn as_received(&self) -> Option<&Received> {
        let Self::Received(received) = self else {
            return None;
        };
        Some(received)
    }

    /// The message of an account user.
    #[must_use]
    pub fn as_replied(&self) -> Option<&Replied> {
        let Self::Replied(replied) = self else {
            return None;
        };
        Some(replied)
    }

    /// The new version of a message.
    #[must_use]
    pub fn as_edited(&self) -> Option<&Edited> {
        let Self::Edited(edited) = self else {
            return None;
        };
        Some(edited)
    }
}

/// The address of the copy that an attempt made.
fn copied_file(fetched: &Fetched) -> Option<&HttpUrl> {
    let FetchOutcome::Reachable(file) = &fetched.seen.as_ref()?.found else {
        return None;
    };
    Some(&file.copy.as_ref()?.media)
}

#[cfg(test)]
mod tests;

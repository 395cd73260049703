//! Ids of the integration are bound to what the service already knows.
//!
//! A `conversation_ref_id` decides the conversation, whatever `conversation_id` says, and binds this `conversation_id` to
//! it from then on. `sender.ref_id` binds a person in the same way. Whether the named
//! conversation and person exist is checked before; neither vanishes while a system runs, so the check cannot grow old.

use std::convert::Infallible;

use crate::id::{ClientConversationId, ClientPersonId, ConversationId, PersonId};
use crate::scope::{Scope, ScopeEvent};
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// Ids of the integration are bound.
#[derive(Clone, Debug, Default)]
pub struct Bind {
    /// This conversation id means that conversation.
    pub conversation: Option<(ClientConversationId, ConversationId)>,
    /// These person ids mean those persons.
    pub people: Vec<(ClientPersonId, PersonId)>,
}

impl Bind {
    /// Returns whether there is nothing to bind.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.conversation.is_none() && self.people.is_empty()
    }
}

impl Command for Bind {
    type Of = Scope;
    type Reply = ();
    type Rejection = Infallible;

    fn required_keys(&self, state: &Scope) -> Keys {
        let conversation = self
            .conversation
            .iter()
            .map(|(client, _)| keys::bound_conversation(&state.id, client));
        let people = self
            .people
            .iter()
            .map(|(client, _)| keys::bound_person(&state.id, client));
        conversation.chain(people).collect()
    }

    fn decide(
        self,
        _state: &Scope,
        moment: &mut Moment<'_, ScopeEvent>,
    ) -> Result<Decision<ScopeEvent, ()>, Infallible> {
        let conversation =
            self.conversation
                .map(|(client, conversation)| ScopeEvent::ConversationBound {
                    client,
                    conversation,
                });
        let people = self
            .people
            .into_iter()
            .map(|(client, person)| ScopeEvent::PersonBound { client, person });
        let is_known = |event: &ScopeEvent| {
            moment
                .earlier
                .iter()
                .flatten()
                .any(|recorded| &recorded.event == event)
        };
        let events: Vec<_> = conversation
            .into_iter()
            .chain(people)
            .filter(|event| !is_known(event))
            .map(Recorded::from)
            .collect();
        Ok(Decision::events(events, ()))
    }
}

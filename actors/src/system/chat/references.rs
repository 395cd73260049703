//! What the ids in a customer's message stand for, and whether what it refers to exists.

use bytes::Bytes;

use crate::actor::facts::ScopeFacts;
use crate::domain::Recorded;
use crate::domain::chat::message::CustomerMessage;
use crate::domain::conversation::receive::Accepted;
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::id::{
    ClientConversationId, ClientMessageId, ClientPersonId, ConversationId, PersonId, ScopeId,
};
use crate::domain::keys;
use crate::domain::scope::ScopeEvent;
use crate::error::{Refused, Unavailable};
use crate::system::System;
use crate::system::chat::SendRejection;

impl System {
    pub(super) async fn meaning_of_conversation(
        &self,
        scope: &ScopeId,
        facts: &ScopeFacts,
        client: &ClientConversationId,
    ) -> Result<ConversationId, Unavailable> {
        let derived = self.env().ids.conversation(scope, client);
        if facts.bound_conversations == 0 {
            return Ok(derived);
        }
        self.env().index.indexed(facts.rests_on.last).await;
        match self.env().record(keys::bound_conversation(scope, client))? {
            Some(Recorded {
                event: ScopeEvent::ConversationBound { conversation, .. },
                ..
            }) => Ok(conversation),
            _ => Ok(derived),
        }
    }

    pub(super) async fn meaning_of_person(
        &self,
        scope: &ScopeId,
        facts: &ScopeFacts,
        client: &ClientPersonId,
    ) -> Result<PersonId, Unavailable> {
        let derived = self.env().ids.person(scope, client);
        if facts.bound_people == 0 {
            return Ok(derived);
        }
        self.env().index.indexed(facts.rests_on.last).await;
        match self.env().record(keys::bound_person(scope, client))? {
            Some(Recorded {
                event: ScopeEvent::PersonBound { person, .. },
                ..
            }) => Ok(person),
            _ => Ok(derived),
        }
    }

    /// A message that was accepted before its conversation id was bound elsewhere, and is repeated now, is still the
    /// same message.
    pub(super) async fn accepted_before_binding(
        &self,
        conversation: ConversationId,
        msgid: &ClientMessageId,
        raw: &Bytes,
    ) -> Result<Option<Accepted>, Unavailable> {
        self.env().caught_up().await;
        let found = self.env().record(keys::msgid(conversation, msgid))?;
        Ok(match found {
            Some(Recorded {
                event: ConversationEvent::Received(received),
                blob,
            }) if blob == *raw => Some(Accepted {
                conversation,
                sender: received.from,
                message: received.id,
                open: None,
                repeated: true,
            }),
            _ => None,
        })
    }

    /// What a message refers to must exist in the same account, and the conversation in the same channel too.
    pub(super) async fn check_references(
        &self,
        scope: &ScopeId,
        message: &CustomerMessage,
    ) -> Result<(), Refused<SendRejection>> {
        if message.conversation_ref_id.is_none() && message.sender.ref_id.is_none() {
            return Ok(());
        }
        self.env().caught_up().await;
        if let Some(conversation) = message.conversation_ref_id {
            let found = self.env().load::<Conversation>(conversation).await?;
            let origin = found.and_then(|(state, _)| state.origin);
            if origin.is_none_or(|origin| &origin.scope != scope) {
                return Err(Refused::Rejected(SendRejection::UnknownConversation));
            }
        }
        if let Some(person) = message.sender.ref_id {
            let found = self
                .env()
                .index
                .find(keys::person(scope.account(), person))
                .map_err(Unavailable::Damaged)?;
            if found.is_none() {
                return Err(Refused::Rejected(SendRejection::UnknownSender));
            }
        }
        Ok(())
    }
}

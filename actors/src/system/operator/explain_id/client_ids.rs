//! Ids that integrations give: each means something in every scope.

use std::collections::BTreeSet;

use super::{IdMatch, IdQuestion, Places};
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::id::{ClientConversationId, ClientMessageId, ClientPersonId, ConversationId};
use crate::domain::id_kind::IdKind;
use crate::domain::keys;
use crate::system::System;
use switchboard_runtime::error::UnavailableError;

impl System {
    /// The conversations and customers with this id of an integration, and the message of the named conversation.
    pub(super) async fn named_by_integration(
        &self,
        question: &IdQuestion<'_>,
        places: &Places,
    ) -> Result<Vec<IdMatch>, UnavailableError> {
        let mut matches = Vec::new();
        if let Ok(client) = question.text.parse::<ClientConversationId>() {
            for id in self.conversations_called(&client, places).await? {
                matches.extend(self.explained_conversation(id).await?);
            }
        }
        if let Ok(client) = question.text.parse::<ClientPersonId>() {
            matches.extend(self.customers_called(&client, places)?);
        }
        let conversations = match question.conversation {
            Some(text) => self.conversations_with(text, places).await?,
            None => BTreeSet::new(),
        };
        if let Ok(msgid) = question.text.parse::<ClientMessageId>() {
            for conversation in conversations {
                matches.extend(self.message_called(conversation, &msgid).await?);
            }
        }
        Ok(matches)
    }

    /// The conversations with either id.
    async fn conversations_with(
        &self,
        text: &str,
        places: &Places,
    ) -> Result<BTreeSet<ConversationId>, UnavailableError> {
        let mut conversations = BTreeSet::from_iter(text.parse::<ConversationId>());
        if let Ok(client) = text.parse() {
            conversations.extend(self.conversations_called(&client, places).await?);
        }
        Ok(conversations)
    }

    async fn conversations_called(
        &self,
        client: &ClientConversationId,
        places: &Places,
    ) -> Result<Vec<ConversationId>, UnavailableError> {
        let mut conversations = Vec::new();
        for scope in &places.scopes {
            let id = self.conversation_meant(scope, client)?;
            let state = self.look::<Conversation>(&id).await?;
            conversations.extend(state.filter(|it| it.is_of(scope)).map(|it| it.id));
        }
        Ok(conversations)
    }

    fn customers_called(
        &self,
        client: &ClientPersonId,
        places: &Places,
    ) -> Result<Vec<IdMatch>, UnavailableError> {
        let mut matches = Vec::new();
        for scope in &places.scopes {
            let person = self.person_meant(scope, client)?;
            let customer = self.customer_of(scope, person)?;
            matches.extend(customer.map(|customer| IdMatch {
                twin: Some(client.to_string()),
                name: Some(customer.name.to_string()),
                ..IdMatch::new(IdKind::Customer, person).of_scope(scope)
            }));
        }
        Ok(matches)
    }

    async fn message_called(
        &self,
        conversation: ConversationId,
        msgid: &ClientMessageId,
    ) -> Result<Option<IdMatch>, UnavailableError> {
        let record = self.kernel().record(keys::msgid(conversation, msgid))?;
        let id = match record.map(|record| record.event) {
            Some(ConversationEvent::Received(received)) => received.id,
            Some(ConversationEvent::Edited(edited)) => edited.id,
            _ => return Ok(None),
        };
        self.explained_message(id).await
    }
}

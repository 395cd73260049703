//! Ids that the service gives, in the form of UUIDs.

use super::{IdMatch, Places};
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::id::{AccountId, ConversationId, MessageId, OauthClientId, PersonId, ScopeId};
use crate::domain::id_kind::IdKind;
use crate::domain::keys;
use crate::domain::tables;
use crate::system::System;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

impl System {
    /// All things with this UUID.
    pub(super) async fn named_by_service_id(
        &self,
        text: &str,
        places: &Places,
    ) -> Result<Vec<IdMatch>, UnavailableError> {
        let mut matches = Vec::new();
        if let Ok(id) = text.parse::<AccountId>() {
            let account = self.account(id);
            matches.extend(account.map(|account| IdMatch::account(&account)));
        }
        if let Ok(id) = text.parse::<OauthClientId>() {
            let clients = self.kernel().shared.read_cache.oauth_clients();
            matches.extend(clients.get(id).map(|client| IdMatch {
                name: Some(client.settings.name.to_string()),
                client: Some(id),
                ..IdMatch::new(IdKind::OauthClient, id)
            }));
        }
        if let Ok(id) = text.parse::<MessageId>() {
            matches.extend(self.explained_message(id).await?);
        }
        if let Ok(id) = text.parse::<ConversationId>() {
            matches.extend(self.explained_conversation(id).await?);
        }
        if let Ok(id) = text.parse::<PersonId>() {
            matches.extend(self.explained_person(id, places).await?);
        }
        Ok(matches)
    }

    /// The message or the reaction with the service's id.
    pub(super) async fn explained_message(
        &self,
        id: MessageId,
    ) -> Result<Option<IdMatch>, UnavailableError> {
        let Some((conversation, event)) = self.message_record(id).await? else {
            return Ok(None);
        };
        let place = self.explained_conversation(conversation).await?;
        let (msgid, user) = match event {
            ConversationEvent::Received(received) => (Some(received.msgid), None),
            ConversationEvent::Replied(replied) => {
                let by = replied.by;
                (self.later_msgid(id)?, (!by.is_bot).then_some(by.user))
            }
            ConversationEvent::Reacted(_)
            | ConversationEvent::Opened(_)
            | ConversationEvent::Edited(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::LeadOpened
            | ConversationEvent::LeadChanged { .. }
            | ConversationEvent::Read(_)
            | ConversationEvent::Marked(_)
            | ConversationEvent::Fetched(_)
            | ConversationEvent::Condensed(_)
            | ConversationEvent::Snoozed(_)
            | ConversationEvent::Woken(_)
            | ConversationEvent::GroupAssigned(_)
            | ConversationEvent::Mentioned(_) => (None, None),
        };
        Ok(place.map(|place| IdMatch {
            id: Some(id.to_string()),
            twin: msgid.map(|msgid| msgid.to_string()),
            kind: IdKind::Message,
            user,
            ..place
        }))
    }

    /// The conversation with the service's id, with its customer, lead and contact.
    pub(super) async fn explained_conversation(
        &self,
        id: ConversationId,
    ) -> Result<Option<IdMatch>, UnavailableError> {
        let Some(state) = self.look::<Conversation>(&id).await? else {
            return Ok(None);
        };
        let Some(origin) = state.origin else {
            return Ok(None);
        };
        let lead = self.lead_of(id).await?;
        let link = self.chat_link_of(origin.scope.account(), id)?;
        let place = IdMatch::new(IdKind::Conversation, id).of_scope(&origin.scope);
        Ok(Some(IdMatch {
            twin: origin.client_id.map(|client| client.to_string()),
            name: state.customer.map(|customer| customer.name.to_string()),
            conversation: Some(id),
            lead: lead.map(|lead| lead.id),
            contact: link.map(|link| link.contact),
            ..place
        }))
    }

    /// The user, the bot or the customer with this id.
    async fn explained_person(
        &self,
        person: PersonId,
        places: &Places,
    ) -> Result<Vec<IdMatch>, UnavailableError> {
        let kernel = self.kernel();
        let channels = kernel.shared.read_cache.channels();
        let mut all = channels.iter();
        if let Some(channel) = all.find(|it| kernel.shared.ids.bot(&it.id) == person) {
            return Ok(vec![IdMatch {
                name: Some(channel.settings.name.to_string()),
                channel: Some(channel.id.clone()),
                ..IdMatch::new(IdKind::Bot, person)
            }]);
        }
        let mut matches = Vec::new();
        for account in &places.accounts {
            let users = self.users(*account).await?;
            let mut all = users.iter();
            let user = all.find(|user| kernel.shared.ids.user(*account, user.id) == person);
            matches.extend(user.map(|user| self.explained_user(*account, user)));
            let prefix = keys::addresses::person(*account, person);
            let range = KeyRange::prefix(&prefix);
            let table = tables::CONVERSATIONS_BY_ADDRESS;
            let rows = kernel.index.scan(table, &range, ScanOrder::Ascending, 1)?;
            let id = rows.first().and_then(|(key, _)| key.last_chunk::<16>());
            if let Some(id) = id {
                let conversation = ConversationId::from_bytes(*id);
                matches.extend(self.explained_customer(conversation, person).await?);
            }
        }
        Ok(matches)
    }

    /// The customer of a conversation, if they are this person.
    pub(super) async fn explained_customer(
        &self,
        conversation: ConversationId,
        person: PersonId,
    ) -> Result<Option<IdMatch>, UnavailableError> {
        let Some(place) = self.explained_conversation(conversation).await? else {
            return Ok(None);
        };
        let (Some(account), Some(channel)) = (place.account, place.channel.clone()) else {
            return Ok(None);
        };
        let scope = ScopeId::new(channel, account);
        let customer = self.customer_of(&scope, person)?;
        Ok(customer.map(|customer| IdMatch {
            kind: IdKind::Customer,
            id: Some(person.to_string()),
            twin: customer.client_id.map(|client| client.to_string()),
            name: Some(customer.name.to_string()),
            ..place
        }))
    }
}

//! The CRM of an account: pipelines, leads, contacts. The rights of a single user over it are
//! [`crate::system::user_access`]'s to say.

use crate::domain::crm::{ChatLink, Contact, Crm, CrmEvent, Lead, Pipeline};
use crate::domain::id::{AccountId, ChatLinkId, ContactId, ConversationId, LeadId};
use crate::domain::keys;
use crate::system::System;
use switchboard_engine::state::{Recorded, State};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::crm_lookup;

impl System {
    /// The pipelines of an account.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn pipelines(&self, account: AccountId) -> Result<Vec<Pipeline>, UnavailableError> {
        Ok(self.crm(account).await?.pipelines)
    }

    /// The CRM of an account: pipelines and counters.
    pub(crate) async fn crm(&self, account: AccountId) -> Result<Crm, UnavailableError> {
        self.kernel().caught_up().await;
        let mut crm = self
            .look::<Crm>(&account)
            .await?
            .unwrap_or_else(|| Crm::initial(&account));
        if crm.pipelines.is_empty() {
            crm.pipelines = Crm::first_pipelines();
        }
        Ok(crm)
    }

    /// The lead with this number; `None` when the account has none, or when its chat moved to another one.
    pub(crate) async fn lead(
        &self,
        account: AccountId,
        lead: LeadId,
    ) -> Result<Option<Lead>, UnavailableError> {
        self.kernel().caught_up().await;
        crm_lookup::lead(self.kernel(), account, lead)
    }

    /// The newest lead that came from a conversation; `None` when it never had one.
    pub(crate) async fn lead_of(
        &self,
        conversation: ConversationId,
    ) -> Result<Option<Lead>, UnavailableError> {
        self.kernel().caught_up().await;
        crm_lookup::lead_of(self.kernel(), conversation)
    }

    /// The contact with this number; `None` when the account has none.
    pub(crate) async fn contact(
        &self,
        account: AccountId,
        contact: ContactId,
    ) -> Result<Option<Contact>, UnavailableError> {
        self.kernel().caught_up().await;
        match self.kernel().record(keys::contact(account, contact))? {
            Some(Recorded {
                event: CrmEvent::Contact(changed),
                ..
            }) => Ok(Some(changed.contact)),
            _ => Ok(None),
        }
    }

    /// The contact that a chat belongs to.
    pub(super) fn chat_link_of(
        &self,
        account: AccountId,
        chat: ConversationId,
    ) -> Result<Option<ChatLink>, UnavailableError> {
        crm_lookup::chat_link(self.kernel(), keys::chat(account, chat))
    }

    /// The contact of a chat, by the number of the link.
    pub(super) fn chat_link(
        &self,
        account: AccountId,
        id: ChatLinkId,
    ) -> Result<Option<ChatLink>, UnavailableError> {
        crm_lookup::chat_link(self.kernel(), keys::chat_link(account, id))
    }
}

//! All that is stored of an account, regardless of rights: tests check it, and no user sees more of it than their
//! rights allow.

use crate::System;
use crate::domain::conversation::Conversation;
use crate::domain::crm::{Contact, Crm, Lead};
use crate::domain::id::{AccountId, ContactId, ConversationId, LeadId};
use crate::domain::installation::channels::Channels;
use crate::domain::keys;
use crate::domain::tables;
use crate::system::inbox::{ConversationView, MessageView, PAGE_MAX};
use crate::system::live::Live;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// All that is stored of an account.
#[derive(Clone)]
pub struct Whole {
    system: System,
    account: AccountId,
}

impl System {
    /// Makes all channels unknown, as only damage or a defect can; a restart brings them back.
    pub fn lose_channels(&self) {
        self.kernel()
            .shared
            .read_cache
            .set_channels(Channels::default());
    }
}

impl Whole {
    /// All that `system` stores of this account.
    #[must_use]
    pub fn new(system: &System, account: AccountId) -> Self {
        Self {
            system: system.clone(),
            account,
        }
    }

    /// Its conversations, newest activity first.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn conversations(&self) -> Result<Vec<ConversationView>, UnavailableError> {
        let kernel = self.system.kernel();
        kernel.caught_up().await;
        let range = KeyRange::prefix(&self.account.bytes());
        let table = tables::CONVERSATIONS;
        let rows = kernel
            .index
            .scan(table, &range, ScanOrder::Ascending, usize::MAX)?;
        let mut conversations = Vec::new();
        for (key, _) in rows {
            let place = key.get(keys::PREFIX..).map(<[u8; 24]>::try_from);
            if let Some(Ok([_, _, _, _, _, _, _, _, id @ ..])) = place {
                conversations.extend(self.conversation(ConversationId::from_bytes(id)).await?);
            }
        }
        Ok(conversations)
    }

    /// One of its conversations.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn conversation(
        &self,
        id: ConversationId,
    ) -> Result<Option<ConversationView>, UnavailableError> {
        self.system.conversation(self.account, id).await
    }

    /// The messages of a conversation, oldest first; none when there is no such conversation.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn messages(&self, id: ConversationId) -> Result<Vec<MessageView>, UnavailableError> {
        let mut messages = Vec::new();
        let mut before = None;
        loop {
            let page = self.system.messages(self.account, id, before, PAGE_MAX);
            let Some(page) = page.await? else { break };
            messages.extend(page.entries);
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        messages.reverse();
        Ok(messages)
    }

    /// Its CRM.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn crm(&self) -> Result<Crm, UnavailableError> {
        self.system.crm(self.account).await
    }

    /// One of its leads.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn lead(&self, id: LeadId) -> Result<Option<Lead>, UnavailableError> {
        self.system.lead(self.account, id).await
    }

    /// All of its leads, oldest first.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn leads(&self) -> Result<Vec<Lead>, UnavailableError> {
        let mut leads = Vec::new();
        for number in 1..=self.crm().await?.leads {
            leads.extend(self.lead(LeadId(number)).await?);
        }
        Ok(leads)
    }

    /// One of its contacts.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn contact(&self, id: ContactId) -> Result<Option<Contact>, UnavailableError> {
        self.system.contact(self.account, id).await
    }

    /// Listens to the events of the account, from now on or behind the event of this number.
    ///
    /// # Errors
    /// When too many listen already.
    pub async fn listen(&self, after: Option<u64>) -> Result<Live, UnavailableError> {
        self.system.listen(self.account, None, after).await
    }

    /// One message to the owner of a conversation and back, which changes nothing; gives how many messages there are. It is
    /// what the shell costs without anything to decide or to store.
    ///
    /// # Errors
    /// When the owner does not answer.
    pub async fn hop(&self, conversation: ConversationId) -> Result<u64, UnavailableError> {
        let state = self.system.look::<Conversation>(&conversation).await?;
        Ok(state.map_or(0, |state| state.messages))
    }
}

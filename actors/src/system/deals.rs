//! What is in the deal book of an account: pipelines, deals, contacts. What a single user may see and change of it is
//! [`crate::system::user_access`]'s to say.

use crate::domain::book::{Book, BookEvent, ChatLink, Contact, Deal, Pipeline};
use crate::domain::id::{AccountId, ChatLinkId, ContactId, ConversationId, DealId};
use crate::domain::keys;
use crate::error::Unavailable;
use crate::system::System;
use switchboard_engine::entries::Key;
use switchboard_engine::state::{Recorded, State};

impl System {
    /// The pipelines of an account.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn pipelines(&self, account: AccountId) -> Result<Vec<Pipeline>, Unavailable> {
        Ok(self.book(account).await?.pipelines)
    }

    /// The deal book of an account: pipelines and counters.
    pub(crate) async fn book(&self, account: AccountId) -> Result<Book, Unavailable> {
        self.env().caught_up().await;
        let book = self
            .env()
            .load::<Book>(account)
            .await?
            .map(|(book, _)| book);
        let mut book = book.unwrap_or_else(|| Book::blank(&account));
        if book.pipelines.is_empty() {
            book.pipelines = Book::first_pipelines();
        }
        Ok(book)
    }

    /// The deal with this number; `None` when the account has none.
    pub(crate) async fn deal(
        &self,
        account: AccountId,
        deal: DealId,
    ) -> Result<Option<Deal>, Unavailable> {
        self.env().caught_up().await;
        match self.env().record(keys::deal(account, deal))? {
            Some(Recorded {
                event: BookEvent::Deal(changed),
                ..
            }) => Ok(Some(changed.deal)),
            _ => Ok(None),
        }
    }

    /// The newest deal that came from a conversation; `None` when it never had one.
    pub(crate) async fn deal_of(
        &self,
        conversation: ConversationId,
    ) -> Result<Option<Deal>, Unavailable> {
        self.env().caught_up().await;
        match self.env().record(keys::deal_of(conversation))? {
            Some(Recorded {
                event: BookEvent::Deal(changed),
                ..
            }) => Ok(Some(changed.deal)),
            _ => Ok(None),
        }
    }

    /// The contact with this number; `None` when the account has none.
    pub(crate) async fn contact(
        &self,
        account: AccountId,
        contact: ContactId,
    ) -> Result<Option<Contact>, Unavailable> {
        self.env().caught_up().await;
        match self.env().record(keys::contact(account, contact))? {
            Some(Recorded {
                event: BookEvent::Contact(changed),
                ..
            }) => Ok(Some(changed.contact)),
            _ => Ok(None),
        }
    }

    /// Which contact a chat belongs to.
    pub(super) fn chat_link_of(
        &self,
        account: AccountId,
        chat: ConversationId,
    ) -> Result<Option<ChatLink>, Unavailable> {
        self.link(keys::chat(account, chat))
    }

    /// Which chat belongs to which contact, by the number of that.
    pub(super) fn chat_link(
        &self,
        account: AccountId,
        id: ChatLinkId,
    ) -> Result<Option<ChatLink>, Unavailable> {
        self.link(keys::chat_link(account, id))
    }

    fn link(&self, key: Key) -> Result<Option<ChatLink>, Unavailable> {
        match self.env().record(key)? {
            Some(Recorded {
                event: BookEvent::Chat(linked),
                ..
            }) => Ok(Some(linked.link)),
            _ => Ok(None),
        }
    }
}

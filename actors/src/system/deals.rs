//! What account users see of the deal book: pipelines, deals, contacts.

use crate::domain::book::{Book, BookEvent, Contact, Deal};
use crate::domain::id::{AccountId, ContactId, DealId, PipelineId, StageId};
use crate::domain::index::Table;
use crate::domain::{Recorded, State, keys};
use crate::error::Unavailable;
use crate::store::tables::{KeyRange, Order};
use crate::system::System;

impl System {
    /// The deal book of an account: pipelines and counters.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn book(&self, account: AccountId) -> Result<Book, Unavailable> {
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
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn deal(
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

    /// The deals that stand in one stage, newest first, without the first `skip`.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn deals_in(
        &self,
        account: AccountId,
        stage: (PipelineId, StageId),
        skip: usize,
        limit: usize,
    ) -> Result<Vec<Deal>, Unavailable> {
        self.env().caught_up().await;
        let prefix = keys::stage_prefix(account, stage.0, stage.1);
        let range = KeyRange::prefix(&prefix);
        let rows = self.env().index.scan(
            Table::LeadsByStage,
            &range,
            Order::Ascending,
            skip.saturating_add(limit),
        )?;
        let mut deals = Vec::new();
        for (key, _) in rows.into_iter().skip(skip) {
            let number = key
                .get(prefix.len()..)
                .and_then(|bytes| <[u8; 8]>::try_from(bytes).ok());
            let Some(number) = number.map(u64::from_be_bytes) else {
                continue;
            };
            deals.extend(self.deal(account, DealId(u64::MAX - number)).await?);
        }
        Ok(deals)
    }

    /// The contact with this number; `None` when the account has none.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn contact(
        &self,
        account: AccountId,
        contact: ContactId,
    ) -> Result<Option<Contact>, Unavailable> {
        self.env().caught_up().await;
        match self.env().record(keys::contact(account, contact))? {
            Some(Recorded {
                event: BookEvent::Contact(contact),
                ..
            }) => Ok(Some(*contact)),
            _ => Ok(None),
        }
    }
}

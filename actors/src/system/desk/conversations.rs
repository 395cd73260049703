//! Conversations, as a user sees them.

use crate::domain::account::rights::Action;
use crate::domain::account::rights::calculation::Deed;
use crate::domain::account::users::rule::Thing;
use crate::domain::book::Deal;
use crate::domain::id::{ConversationId, MessageId};
use crate::domain::index::Table;
use crate::domain::keys;
use crate::error::Unavailable;
use crate::store::tables::{KeyRange, Order};
use crate::system::desk::{Desk, EXAMINED_MAX, Reach};
use crate::system::inbox::{
    CURSOR_BYTES, ConversationCursor, ConversationView, MessageView, PAGE_MAX, Page,
};

/// How many rows are found at once.
const BATCH: usize = 128;

impl Desk {
    /// The conversations that the user may see, newest activity first.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn conversations(
        &self,
        after: Option<&ConversationCursor>,
        limit: usize,
    ) -> Result<Page<ConversationView, ConversationCursor>, Unavailable> {
        let (account, env) = (self.caller.account, self.system.env());
        env.caught_up().await;
        let limit = limit.clamp(1, PAGE_MAX);
        let (table, prefix) = match self.reach_of_leads() {
            Reach::Own => (
                Table::ConversationsOf,
                keys::written_prefix(account, self.caller.user),
            ),
            Reach::Everything | Reach::Some => (Table::Conversations, account.bytes().to_vec()),
        };
        let mut entries = Vec::new();
        let mut examined = 0_usize;
        let mut last = after.map(|cursor| cursor.0.clone());
        loop {
            let mut range = KeyRange::prefix(&prefix);
            if let Some(place) = &last {
                let border = [prefix.as_slice(), place].concat();
                range = range.behind(border, Order::Ascending);
            }
            let rows = env.index.scan(table, &range, Order::Ascending, BATCH)?;
            let last_batch = rows.len() < BATCH;
            for (key, _) in rows {
                if entries.len() == limit || examined == EXAMINED_MAX {
                    return Ok(Page {
                        entries,
                        next: last.map(ConversationCursor),
                    });
                }
                examined = examined.saturating_add(1);
                let place = key.get(prefix.len()..).unwrap_or_default();
                let id = place.get(8..CURSOR_BYTES);
                let id = id.and_then(|bytes| <[u8; 16]>::try_from(bytes).ok());
                if let Some(id) = id.map(ConversationId::from_bytes) {
                    entries.extend(self.conversation(id).await?);
                }
                last = Some(place.to_vec());
            }
            if last_batch {
                return Ok(Page {
                    entries,
                    next: None,
                });
            }
        }
    }

    /// A conversation that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn conversation(
        &self,
        id: ConversationId,
    ) -> Result<Option<ConversationView>, Unavailable> {
        // Most of what may not be seen is found out without reading the conversation itself.
        let deal = self.system.deal_of(id).await?;
        let surely = match &deal {
            Some(deal) if !self.sees_deal(deal)? => return Ok(None),
            Some(_) => true,
            None => false,
        };
        let view = self.system.conversation(self.caller.account, id).await?;
        let Some(view) = view else { return Ok(None) };
        if surely && view.deal == deal {
            return Ok(Some(view));
        }
        let follows = view.state.followers.contains(&self.caller.user);
        let thing = thing(view.deal.as_ref(), follows);
        let seen = self.rule(Deed::Leads(Action::View), &thing).allowed;
        Ok(Some(view).filter(|_| seen))
    }

    /// The messages of a conversation that the user may see, newest first, from before the message `before`. `None` when
    /// there is no such conversation, or it has no such message.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn messages(
        &self,
        id: ConversationId,
        before: Option<MessageId>,
        limit: usize,
    ) -> Result<Option<Page<MessageView, MessageId>>, Unavailable> {
        if self.conversation(id).await?.is_none() {
            return Ok(None);
        }
        let account = self.caller.account;
        self.system.messages(account, id, before, limit).await
    }
}

pub(super) fn thing(deal: Option<&Deal>, subscriber: bool) -> Thing {
    match deal {
        Some(deal) => Desk::of_deal(deal, subscriber),
        None => Thing {
            subscriber,
            ..Thing::NOBODYS
        },
    }
}

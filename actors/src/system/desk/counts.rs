//! How much of the account waits for the user: conversations with unread messages, conversations where something has not
//! arrived, and unsorted deals.

use crate::domain::conversation::Conversation;
use crate::domain::id::ConversationId;
use crate::domain::index::Table;
use crate::domain::keys;
use crate::error::Unavailable;
use crate::store::tables::{KeyRange, Order};
use crate::system::desk::walk::Start;
use crate::system::desk::{Desk, EXAMINED_MAX, Reach};
use crate::system::inbox::{ConversationCursor, Place};

/// No count goes further than this.
pub const COUNTED_MAX: usize = 250;
/// How many entries are looked at for each of the three counts.
const LOOKS_MAX: usize = EXAMINED_MAX / 3;

/// How many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many were found, at most [`COUNTED_MAX`].
    pub count: usize,
    /// Whether counting ended before everything was looked at: there may be more.
    pub capped: bool,
}

/// How much waits for a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Conversations with unread messages.
    pub unread: Count,
    /// Conversations where something that was written has not arrived.
    pub failed: Count,
    /// Unsorted deals.
    pub unsorted: Count,
}

impl Desk {
    /// How much waits for the user, of what they may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn counts(&self) -> Result<Counts, Unavailable> {
        self.system.env().caught_up().await;
        let unsorted = self.unsorted(Start::default(), COUNTED_MAX).await?;
        Ok(Counts {
            unread: self.tally(|_, state| Ok(state.unread > 0)).await?,
            failed: self
                .tally(|desk, state| Ok(desk.system.trouble(state)?.is_some()))
                .await?,
            unsorted: Count {
                count: unsorted.entries.len(),
                capped: unsorted.next.is_some(),
            },
        })
    }

    async fn tally(
        &self,
        counts: impl Fn(&Self, &Conversation) -> Result<bool, Unavailable>,
    ) -> Result<Count, Unavailable> {
        let account = self.caller.account;
        let (table, prefix) = if self.reach_of_leads() == Reach::Own {
            let prefix = keys::written_prefix(account, self.caller.user);
            (Table::ConversationsOf, prefix)
        } else {
            (Table::Conversations, account.bytes().to_vec())
        };
        let range = KeyRange::prefix(&prefix);
        let index = &self.system.env().index;
        let rows = index.scan(table, &range, Order::Ascending, LOOKS_MAX + 1)?;
        let mut found = Count {
            count: 0,
            capped: rows.len() > LOOKS_MAX,
        };
        for (key, _) in rows.iter().take(LOOKS_MAX) {
            let Some(Ok(place)) = key.get(prefix.len()..).map(Place::try_from) else {
                continue;
            };
            let id: ConversationId = ConversationCursor::conversation(&place);
            let Some(seen) = self.seen(id).await? else {
                continue;
            };
            if counts(self, &seen.state)? {
                if found.count == COUNTED_MAX {
                    found.capped = true;
                    break;
                }
                found.count = found.count.saturating_add(1);
            }
        }
        Ok(found)
    }
}

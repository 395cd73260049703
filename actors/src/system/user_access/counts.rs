//! The number of entries that wait for the user: conversations with unread messages, conversations where something has not
//! arrived, unsorted leads and, for administrators, disabled webhooks.

use crate::domain::id::{AccountId, ConversationId};
use crate::domain::keys;
use crate::domain::tables;
use crate::system::user_access::entity_filter::EntityFilter;
use crate::system::user_access::paging::PageStart;
use crate::system::user_access::{EXAMINED_MAX, Reach, UserAccess};
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::table::Table;
use switchboard_runtime::error::UnavailableError;

/// No count goes further than this.
pub const COUNTED_MAX: usize = 250;
/// The number of entries that are examined for each of the three counts.
const LOOKS_MAX: usize = EXAMINED_MAX / 3;

/// A count with a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitingCount {
    /// The number of entries, at most [`COUNTED_MAX`].
    pub count: usize,
    /// True when counting ended before all entries were examined: there may be more.
    pub capped: bool,
}

/// The counts of what waits for a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitingCounts {
    /// Conversations with unread messages.
    pub unread: WaitingCount,
    /// Conversations where something that was written has not arrived.
    pub failed: WaitingCount,
    /// Unsorted leads.
    pub unsorted: WaitingCount,
    /// Disabled webhooks; none for users who are no administrators.
    pub disabled_webhooks: WaitingCount,
}

impl UserAccess {
    /// Counts what waits for the user, of what they may see. Examines at most [`EXAMINED_MAX`]
    /// of them.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn counts(&self) -> Result<WaitingCounts, UnavailableError> {
        self.system.kernel().caught_up().await;
        let account = self.caller.account;
        let reach = self.reach_of_leads();
        let unread = if reach == Reach::Own {
            let own = Rows {
                table: tables::CONVERSATIONS_OF,
                prefix: keys::written_prefix(account, self.caller.user),
                before_id: 8,
            };
            self.tally(&own, async |id| {
                let visible = self.seen(id).await?;
                Ok(visible.is_some_and(|visible| visible.state.unread > 0))
            })
            .await?
        } else {
            let all = reach == Reach::Everything;
            let unread = Rows::new(tables::UNREAD, account);
            self.tally(&unread, async |id| Ok(all || self.sees(id).await?))
                .await?
        };
        let failed_rows = Rows::new(tables::FAILED, account);
        let failed = self
            .tally(&failed_rows, async |id| match self.seen(id).await? {
                Some(seen) => Ok(self.system.trouble(&seen.state)?.is_some()),
                None => Ok(false),
            })
            .await?;
        let all = EntityFilter::default();
        let unsorted = self
            .unsorted_within(&all, PageStart::default(), COUNTED_MAX, LOOKS_MAX)
            .await?;
        Ok(WaitingCounts {
            unread,
            failed,
            unsorted: WaitingCount {
                count: unsorted.entries.len(),
                capped: unsorted.next.is_some(),
            },
            disabled_webhooks: self.disabled_webhooks().await?,
        })
    }

    /// An account has so few webhooks that all are counted.
    async fn disabled_webhooks(&self) -> Result<WaitingCount, UnavailableError> {
        if !self.is_administrator() {
            return Ok(WaitingCount::default());
        }
        let webhooks = self.webhooks().await?;
        let disabled = webhooks.iter().filter(|webhook| webhook.disabled.is_some());
        Ok(WaitingCount {
            count: disabled.count(),
            capped: false,
        })
    }

    /// Counts the conversations of a list that `counts` says yes to.
    async fn tally(
        &self,
        rows: &Rows,
        mut counts: impl AsyncFnMut(ConversationId) -> Result<bool, UnavailableError>,
    ) -> Result<WaitingCount, UnavailableError> {
        let mut count = WaitingCount::default();
        let mut looks = 0;
        let mut range = KeyRange::prefix(&rows.prefix);
        loop {
            let index = &self.system.kernel().index;
            let batch = index.scan(rows.table, &range, ScanOrder::Ascending, BATCH)?;
            let mut ids: Vec<_> = batch.iter().filter_map(|(key, _)| rows.id(key)).collect();
            ids.dedup();
            for id in ids {
                if looks == LOOKS_MAX || count.count == COUNTED_MAX {
                    count.capped = true;
                    return Ok(count);
                }
                looks = looks.saturating_add(1);
                if counts(id).await? {
                    count.count = count.count.saturating_add(1);
                }
            }
            let Some((last, _)) = batch.last().filter(|_| batch.len() == BATCH) else {
                return Ok(count);
            };
            range = KeyRange::prefix(&rows.prefix).behind(rows.behind(last), ScanOrder::Ascending);
        }
    }
}

/// The number of rows that are found at once.
const BATCH: usize = 64;

/// The rows of a list, in which those of one conversation follow each other.
struct Rows {
    table: Table,
    prefix: Vec<u8>,
    /// The number of bytes that stand between the prefix and the conversation.
    before_id: usize,
}

impl Rows {
    fn new(table: Table, account: AccountId) -> Self {
        Self {
            table,
            prefix: account.bytes().to_vec(),
            before_id: 0,
        }
    }

    fn id(&self, key: &[u8]) -> Option<ConversationId> {
        let behind = key.get(self.prefix.len().saturating_add(self.before_id)..)?;
        Some(ConversationId::from_bytes(*behind.first_chunk()?))
    }

    /// A border behind all rows of the conversation in this one: no more than a number stands behind its id.
    fn behind(&self, key: &[u8]) -> Vec<u8> {
        let end = self.prefix.len().saturating_add(self.before_id);
        let mut border = key.get(..end.saturating_add(16)).unwrap_or(key).to_vec();
        border.extend([u8::MAX; 8]);
        border
    }
}

//! Pages of a channel's queue: queues that are not in memory are found here.

use std::collections::BTreeSet;

use super::{QueueStore, Row, RowsPage, StoredHead};
use crate::domain::dispatch::delivery_queue::QueueId;
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{ChannelId, ScopeId};
use crate::domain::keys;
use switchboard_engine::store::Epoch;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;

/// The number of rows that are read at a time. A queue that has more is passed over behind them.
const ROWS: usize = 64;
/// The maximum number of queues examined in one step, including those of the other version.
const QUEUES: usize = 512;

/// A page of a channel's queue.
#[derive(Default)]
pub(in crate::dispatcher) struct QueuePage {
    pub(in crate::dispatcher) queues: Vec<(QueueId, StoredHead)>,
    /// True when it was the last: the page after it is the first again.
    pub(in crate::dispatcher) complete: bool,
    /// Scopes that have something queued and speak no version.
    pub(in crate::dispatcher) mute: BTreeSet<ScopeId>,
}

impl QueueStore {
    /// The next queues of a channel whose scopes speak this version, at most `room`. The reading goes round: the page
    /// after the last is the first.
    pub(in crate::dispatcher) fn page(
        &mut self,
        channel: &ChannelId,
        version: HookVersion,
        room: usize,
        version_of: impl Fn(&ScopeId) -> Option<HookVersion>,
    ) -> Result<QueuePage, UnavailableError> {
        let cursor = (channel.clone(), version);
        let mut range = KeyRange::prefix(&keys::channel_prefix(channel));
        if let Some(queue) = self.cursors.remove(&cursor) {
            range = range.behind(queue, ScanOrder::Ascending);
        }
        let mut page = QueuePage::default();
        let mut looked = 0;
        loop {
            self.catch_up();
            let epoch = self.queues.epoch();
            // Those that are final are left out now, and not queue by queue: they are known to be until their rows are known
            // to be gone.
            let Some(RowsPage { rows, behind, .. }) = self.rows(channel, range, ROWS)? else {
                page.complete = true;
                return Ok(page);
            };
            range = behind;
            for rows in rows.chunk_by(|one, next| one.conversation == next.conversation) {
                let Some(first) = rows.first() else { continue };
                let queue = QueueId {
                    scope: ScopeId::new(channel.clone(), first.account),
                    conversation: first.conversation,
                };
                let behind = keys::queue_row(&queue.scope, queue.conversation, u64::MAX);
                range = range.behind(behind.clone(), ScanOrder::Ascending);
                match version_of(&queue.scope) {
                    Some(spoken) if spoken == version => {
                        page.queues.extend(self.paged(queue, rows, epoch)?);
                    }
                    Some(_) => {}
                    None => {
                        page.mute.insert(queue.scope);
                    }
                }
                looked += 1;
                if page.queues.len() >= room || looked >= QUEUES {
                    self.cursors.insert(cursor, behind);
                    return Ok(page);
                }
            }
        }
    }

    /// The head of a queue whose first rows that are not final were these in that generation.
    fn paged(
        &mut self,
        queue: QueueId,
        rows: &[Row],
        epoch: Epoch,
    ) -> Result<Option<(QueueId, StoredHead)>, UnavailableError> {
        let conversation = queue.conversation;
        if self.queues.epoch() == epoch && self.known.first(conversation).is_none() {
            self.keep(conversation, rows, false);
        }
        Ok(self.head(&queue)?.map(|head| (queue, head)))
    }
}

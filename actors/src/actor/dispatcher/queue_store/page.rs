//! Pages of a channel's queue: lanes that are not in memory are found here.

use std::collections::BTreeSet;

use super::{QueueStore, Row, StoredHead};
use crate::domain::chat::channel::HookVersion;
use crate::domain::dispatch::lane::LaneId;
use crate::domain::id::{ChannelId, ScopeId};
use crate::domain::keys;
use crate::error::Unavailable;
use switchboard_engine::store::Epoch;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};

/// How many rows are read at a time. A lane that has more is passed over behind them.
const ROWS: usize = 64;
/// How many lanes are looked at in one step at most, those of the other version too.
const LANES: usize = 512;

/// A page of a channel's queue.
#[derive(Default)]
pub(in crate::actor::dispatcher) struct QueuePage {
    pub(in crate::actor::dispatcher) lanes: Vec<(LaneId, StoredHead)>,
    /// Whether it was the last: the page after it is the first again.
    pub(in crate::actor::dispatcher) complete: bool,
    /// Scopes that have something queued and speak no version.
    pub(in crate::actor::dispatcher) mute: BTreeSet<ScopeId>,
}

impl QueueStore {
    /// The next lanes of a channel whose scopes speak this version, at most `room`. The reading goes round: the page
    /// after the last is the first.
    pub(in crate::actor::dispatcher) fn page(
        &mut self,
        channel: &ChannelId,
        version: HookVersion,
        room: usize,
        version_of: impl Fn(&ScopeId) -> Option<HookVersion>,
    ) -> Result<QueuePage, Unavailable> {
        let cursor = (channel.clone(), version);
        let mut range = KeyRange::prefix(&keys::channel_prefix(channel));
        if let Some(lane) = self.cursors.remove(&cursor) {
            range = range.behind(lane, ScanOrder::Ascending);
        }
        let mut page = QueuePage::default();
        let mut looked = 0;
        loop {
            self.catch_up();
            let epoch = self.lanes.epoch();
            // Those that are final are left out now, and not lane by lane: they are known to be until their rows are known
            // to be gone.
            let Some((rows, behind)) = self.rows(channel, range, ROWS)? else {
                page.complete = true;
                return Ok(page);
            };
            range = behind;
            for rows in rows.chunk_by(|one, next| one.conversation == next.conversation) {
                let Some(first) = rows.first() else { continue };
                let lane = LaneId {
                    scope: ScopeId::new(channel.clone(), first.account),
                    conversation: first.conversation,
                };
                let behind = keys::queue_row(&lane.scope, lane.conversation, u64::MAX);
                range = range.behind(behind.clone(), ScanOrder::Ascending);
                match version_of(&lane.scope) {
                    Some(spoken) if spoken == version => {
                        page.lanes.extend(self.paged(lane, rows, epoch)?);
                    }
                    Some(_) => {}
                    None => {
                        page.mute.insert(lane.scope);
                    }
                }
                looked += 1;
                if page.lanes.len() >= room || looked >= LANES {
                    self.cursors.insert(cursor, behind);
                    return Ok(page);
                }
            }
        }
    }

    /// The head of a lane whose first rows that are not final were these in that generation.
    fn paged(
        &mut self,
        lane: LaneId,
        rows: &[Row],
        epoch: Epoch,
    ) -> Result<Option<(LaneId, StoredHead)>, Unavailable> {
        let conversation = lane.conversation;
        if self.lanes.epoch() == epoch && self.known.first(conversation).is_none() {
            self.keep(conversation, rows);
        }
        Ok(self.head(&lane)?.map(|head| (lane, head)))
    }
}

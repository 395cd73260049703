//! Lists of what is not delivered: what is queued, then what was given up, then what was cancelled.

use std::str::FromStr;

use crate::domain::conversation::{Conversation, ConversationEvent, Replied};
use crate::domain::dispatch::lane::{LaneId, OutNumber};
use crate::domain::id::{ChannelId, ConversationId, ScopeId};
use crate::domain::index::Table;
use crate::domain::keys;
use crate::domain::lane::Fate;
use crate::domain::replays::ReplayFilter;
use crate::error::Unavailable;
use crate::store::tables::{KeyRange, Order};
use crate::system::System;
use crate::system::callbacks::{CallbackView, standing};
use crate::system::deliveries::Delivery;
use crate::system::inbox::{PAGE_MAX, Page};

/// How many rows are looked at for one page at most: of a million queued messages few may be in the state that is
/// asked for, and a page that finds none of them is empty and says where to go on.
const ROWS_MAX: usize = 1_000;

/// Which deliveries are listed; what is `None` does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Where they stand.
    pub state: Option<StateFilter>,
    /// Their channel.
    pub channel: Option<ChannelId>,
    /// Their scope; outranks the channel.
    pub scope: Option<ScopeId>,
    /// Their conversation; outranks the scope.
    pub conversation: Option<ConversationId>,
}

/// Where a delivery may stand that is not delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateFilter {
    /// Waits for its turn.
    Queued,
    /// Is being sent.
    Sending,
    /// Waits for its next attempt.
    Waiting,
    /// Waits for its endpoint.
    Held,
    /// Was given up.
    Dead,
    /// Is not to be sent any more.
    Cancelled,
}

/// The text is no state that can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be one of queued, sending, waiting, held, dead and cancelled")]
pub struct UnknownState;

impl StateFilter {
    /// The name that people read.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Waiting => "waiting",
            Self::Held => "held",
            Self::Dead => "dead",
            Self::Cancelled => "cancelled",
        }
    }

    fn fate(self) -> Option<Fate> {
        match self {
            Self::Queued | Self::Sending | Self::Waiting | Self::Held => None,
            Self::Dead => Some(Fate::Dead),
            Self::Cancelled => Some(Fate::Cancelled),
        }
    }
}

impl FromStr for StateFilter {
    type Err = UnknownState;
    fn from_str(text: &str) -> Result<Self, UnknownState> {
        let all = [
            Self::Queued,
            Self::Sending,
            Self::Waiting,
            Self::Held,
            Self::Dead,
            Self::Cancelled,
        ];
        let found = all.into_iter().find(|state| state.as_str() == text);
        found.ok_or(UnknownState)
    }
}

/// A place in a list of deliveries. Opaque to callers; travels as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryCursor {
    /// 0: among what is queued; else the fate.
    part: u8,
    row: Vec<u8>,
}

impl DeliveryCursor {
    /// The cursor as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{:02x}{}", self.part, hex::encode(&self.row))
    }

    /// The cursor in a text that [`Self::to_text`] gave.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes = hex::decode(text).ok()?;
        let (part, row) = bytes.split_first()?;
        (*part <= 2 && row.len() <= 512).then(|| Self {
            part: *part,
            row: row.to_vec(),
        })
    }
}

/// A part of the list: a table, and what its rows begin with.
struct Part {
    code: u8,
    table: Table,
    prefix: Vec<u8>,
    /// How many bytes stand before what is a row of the queue.
    skip: usize,
}

impl System {
    /// Deliveries that have not arrived, by channel, scope, conversation and number; at most [`PAGE_MAX`]. A page may
    /// hold fewer than were asked for though there are more: then it says where to go on.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn deliveries(
        &self,
        filter: &DeliveryFilter,
        after: Option<&DeliveryCursor>,
        limit: usize,
    ) -> Result<Page<Delivery, DeliveryCursor>, Unavailable> {
        let env = self.env();
        env.caught_up().await;
        let limit = limit.clamp(1, PAGE_MAX);
        let nothing = Page {
            entries: Vec::new(),
            next: None,
        };
        let Some(parts) = self.parts_of(filter).await? else {
            return Ok(nothing);
        };
        let begin = after.map_or(0, |cursor| cursor.part);
        let mut page = nothing;
        let mut looked_at = 0;
        for part in parts.into_iter().filter(|part| part.code >= begin) {
            let mut range = KeyRange::prefix(&part.prefix);
            // A cursor of another list may lie before this one: what it would add is not asked for.
            let here = |cursor: &&DeliveryCursor| {
                cursor.part == part.code && cursor.row.as_slice() > part.prefix.as_slice()
            };
            if let Some(cursor) = after.filter(here) {
                range = range.behind(cursor.row.clone(), Order::Ascending);
            }
            loop {
                let wanted = limit.saturating_sub(page.entries.len());
                let room = ROWS_MAX.saturating_sub(looked_at);
                if wanted == 0 || room == 0 {
                    return Ok(page);
                }
                let rows =
                    env.index
                        .scan(part.table, &range, Order::Ascending, wanted.min(room))?;
                let Some((last, _)) = rows.last().cloned() else {
                    page.next = None;
                    break;
                };
                looked_at += rows.len();
                let rows = rows.iter().filter_map(|(key, _)| key.get(part.skip..));
                let mut found = self.deliveries_of(rows).await?;
                let state = filter.state.map(StateFilter::as_str);
                found.retain(|it| state.is_none_or(|state| it.callback.state == state));
                page.entries.extend(found);
                page.next = Some(DeliveryCursor {
                    part: part.code,
                    row: last.clone(),
                });
                range = range.behind(last, Order::Ascending);
            }
        }
        Ok(page)
    }

    /// The parts of the list that the filter means; `None` when its conversation is not there.
    async fn parts_of(&self, filter: &DeliveryFilter) -> Result<Option<Vec<Part>>, Unavailable> {
        let Some(meant) = self.rows_meant(filter).await? else {
            return Ok(None);
        };
        let mut parts = Vec::new();
        let fate = filter.state.and_then(StateFilter::fate);
        if filter.state.is_none_or(|state| state.fate().is_none()) {
            let prefixes = ReplayFilter::prefixes(&meant).into_iter();
            // The rows of the queue are those of any fate without its code.
            let prefix = prefixes.map(|prefix| prefix.get(1..).map(<[u8]>::to_vec));
            parts.push(Part {
                code: 0,
                table: Table::Queued,
                prefix: prefix.flatten().next().unwrap_or_default(),
                skip: 0,
            });
        }
        if filter.state.is_none() || fate.is_some() {
            let meant = ReplayFilter { fate, ..meant };
            parts.extend(meant.prefixes().into_iter().map(|prefix| Part {
                code: prefix.first().copied().unwrap_or_default(),
                table: Table::Undelivered,
                prefix,
                skip: 1,
            }));
        }
        Ok(Some(parts))
    }

    /// The filter with the scope of its conversation; `None` when that is not there, or not of the scope that is named.
    pub(crate) async fn rows_meant(
        &self,
        filter: &DeliveryFilter,
    ) -> Result<Option<ReplayFilter>, Unavailable> {
        let mut meant = ReplayFilter {
            fate: filter.state.and_then(StateFilter::fate),
            channel: filter.channel.clone(),
            scope: filter.scope.clone(),
            conversation: filter.conversation,
        };
        if let Some(conversation) = filter.conversation {
            let state = self.look::<Conversation>(&conversation).await?;
            let Some(origin) = state.and_then(|state| state.origin) else {
                return Ok(None);
            };
            if meant.scope.is_some_and(|scope| scope != origin.scope) {
                return Ok(None);
            }
            meant.scope = Some(origin.scope);
        }
        let contradicts = |scope: &ScopeId| {
            let channel = meant.channel.as_ref();
            channel.is_some_and(|channel| channel != scope.channel())
        };
        Ok((!meant.scope.as_ref().is_some_and(contradicts)).then_some(meant))
    }

    /// The deliveries of these rows of the queue.
    async fn deliveries_of(
        &self,
        rows: impl Iterator<Item = &[u8]>,
    ) -> Result<Vec<Delivery>, Unavailable> {
        let mut found = Vec::new();
        let mut open: Vec<LaneId> = Vec::new();
        for row in rows {
            let Some((scope, conversation, number)) = keys::read_queue_row(row) else {
                continue;
            };
            let Some(replied) = self.outgoing(conversation, number)? else {
                continue;
            };
            let record = self.delivery_record(conversation, OutNumber(number))?;
            let lane = LaneId {
                scope,
                conversation,
            };
            if !record.state.is_final() && open.last() != Some(&lane) {
                open.push(lane);
            }
            found.push(Delivery {
                callback: CallbackView::of(conversation, &record),
                replied,
                conversation,
                record,
            });
        }
        if !open.is_empty() {
            let seen = self.seen(open.clone()).await?;
            for delivery in &mut found {
                let lane = open
                    .iter()
                    .position(|lane| lane.conversation == delivery.conversation);
                let seen = lane.and_then(|lane| seen.get(lane));
                if let Some(seen) = seen {
                    let number = OutNumber(delivery.replied.out);
                    delivery.callback =
                        standing(delivery.conversation, &delivery.record, number, seen);
                }
            }
        }
        Ok(found)
    }

    fn outgoing(
        &self,
        conversation: ConversationId,
        number: u64,
    ) -> Result<Option<Replied>, Unavailable> {
        let key = keys::outgoing(conversation, number);
        let found = self.env().record::<ConversationEvent>(key)?;
        let outgoing = found.and_then(|found| found.event.into_outgoing());
        Ok(outgoing.map(|outgoing| *outgoing))
    }
}

//! Lists of deliveries: the recent ones, then of the older ones what is queued, what was given up and what was cancelled.

use crate::domain::conversation::{Conversation, ConversationEvent, Outgoing};
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::id::{ConversationId, ScopeId};
use crate::domain::keys;
use crate::domain::replays::ReplayFilter;
use crate::domain::tables;
use crate::system::System;
use crate::system::callbacks::{CallbackView, standing};
use crate::system::deliveries::{Delivery, DeliveryFilter, StateFilter};
use crate::system::inbox::{PAGE_MAX, Page};
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::table::Table;
use switchboard_runtime::caches::recent::RecentFilter;
use switchboard_runtime::error::UnavailableError;

/// The maximum number of rows examined for one page. Of a million queued messages, few may be in the requested state; a
/// page that finds none is empty and says where to continue.
const ROWS_MAX: usize = 1_000;

/// A place in a list of deliveries. Opaque to callers; travels as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryCursor(CursorPlace);

#[derive(Clone, Debug, PartialEq, Eq)]
enum CursorPlace {
    /// Among the recent ones, before this place.
    Recent(u64),
    /// Among the older ones.
    Older {
        /// 0: among what is queued; else the fate.
        part: u8,
        row: Vec<u8>,
    },
}

/// The first byte of the text for a place among the recent ones.
const RECENT: u8 = 0xff;

impl DeliveryCursor {
    /// The cursor as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        match &self.0 {
            CursorPlace::Recent(place) => format!("{RECENT:02x}{place:016x}"),
            CursorPlace::Older { part, row } => format!("{part:02x}{}", hex::encode(row)),
        }
    }

    /// The cursor in a text that [`Self::to_text`] gave.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes = hex::decode(text).ok()?;
        let (part, row) = bytes.split_first()?;
        if *part == RECENT {
            let place = <[u8; 8]>::try_from(row).ok()?;
            return Some(Self(CursorPlace::Recent(u64::from_be_bytes(place))));
        }
        (*part <= 2 && row.len() <= 512).then(|| {
            Self(CursorPlace::Older {
                part: *part,
                row: row.to_vec(),
            })
        })
    }
}

/// A page that is being filled.
struct Draft {
    limit: usize,
    /// The number of rows that were examined.
    looked_at: usize,
    page: Page<Delivery, DeliveryCursor>,
}

impl Draft {
    /// The number of rows that may be examined next.
    fn room(&self) -> usize {
        let missing_entries = self.limit.saturating_sub(self.page.entries.len());
        missing_entries.min(ROWS_MAX.saturating_sub(self.looked_at))
    }

    fn goes_on(&mut self, at: CursorPlace) {
        self.page.next = Some(DeliveryCursor(at));
    }
}

/// A part of the list: a table, and what its rows begin with.
struct Part {
    code: u8,
    table: Table,
    prefix: Vec<u8>,
    /// The number of bytes before the row of the queue.
    skip: usize,
}

impl System {
    /// Deliveries, at most [`PAGE_MAX`]: first the recent ones, the newest first, then what is older and has not arrived,
    /// by channel, scope, conversation and number. A page may hold fewer than were asked for though there are more: then
    /// it says where to go on.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn deliveries(
        &self,
        filter: &DeliveryFilter,
        after: Option<&DeliveryCursor>,
        limit: usize,
    ) -> Result<Page<Delivery, DeliveryCursor>, UnavailableError> {
        self.kernel().caught_up().await;
        let mut draft = Draft {
            limit: limit.clamp(1, PAGE_MAX),
            looked_at: 0,
            page: Page {
                entries: Vec::new(),
                next: None,
            },
        };
        let Some(meant) = self.rows_meant(filter).await? else {
            return Ok(draft.page);
        };
        let begin = after.map_or(&CursorPlace::Recent(u64::MAX), |cursor| &cursor.0);
        let older = match begin {
            CursorPlace::Older { part, row } => Some((*part, row.as_slice())),
            CursorPlace::Recent(before) => {
                self.add_recent(filter, &meant, *before, &mut draft).await?;
                None
            }
        };
        if draft.page.next.is_none() {
            self.add_older(filter, &meant, older, &mut draft).await?;
        }
        Ok(draft.page)
    }

    /// Adds recent deliveries to the page. It says where to go on when there may be more of them.
    async fn add_recent(
        &self,
        filter: &DeliveryFilter,
        meant: &ReplayFilter,
        mut before: u64,
        draft: &mut Draft,
    ) -> Result<(), UnavailableError> {
        let recent_filter = RecentFilter {
            channel: meant.channel.as_ref(),
            scope: meant.scope.as_ref(),
            conversation: meant.conversation,
        };
        loop {
            let room = draft.room();
            if room == 0 {
                draft.goes_on(CursorPlace::Recent(before));
                return Ok(());
            }
            let recent_entries = self
                .kernel()
                .shared
                .recent
                .before(before, &recent_filter, room);
            let Some(last) = recent_entries.last() else {
                return Ok(());
            };
            before = last.place;
            draft.looked_at += recent_entries.len();
            let names = recent_entries
                .into_iter()
                .map(|entry| (entry.queue, entry.number));
            let deliveries = self.deliveries_of(filter, names).await?;
            draft.page.entries.extend(deliveries);
        }
    }

    /// Adds deliveries to the page that are not recent and have not arrived.
    async fn add_older(
        &self,
        filter: &DeliveryFilter,
        meant: &ReplayFilter,
        after: Option<(u8, &[u8])>,
        draft: &mut Draft,
    ) -> Result<(), UnavailableError> {
        let kernel = self.kernel();
        let begin = after.map_or(0, |(part, _)| part);
        let parts = parts_of(filter, meant).into_iter();
        for part in parts.filter(|part| part.code >= begin) {
            let mut range = KeyRange::prefix(&part.prefix);
            // A cursor of another list may lie before this one: what it would add is not asked for.
            if let Some((of, row)) = after
                && of == part.code
                && row > part.prefix.as_slice()
            {
                range = range.behind(row.to_vec(), ScanOrder::Ascending);
            }
            loop {
                let room = draft.room();
                if room == 0 {
                    if draft.page.next.is_none() {
                        // No row of this part was examined yet.
                        let (part, row) = (part.code, Vec::new());
                        draft.goes_on(CursorPlace::Older { part, row });
                    }
                    return Ok(());
                }
                let rows = kernel
                    .index
                    .scan(part.table, &range, ScanOrder::Ascending, room)?;
                let Some((last, _)) = rows.last().cloned() else {
                    draft.page.next = None;
                    break;
                };
                draft.looked_at += rows.len();
                let rows = rows.iter().filter_map(|(key, _)| {
                    let row = key.get(part.skip..)?;
                    let (scope, conversation, number) = keys::read_queue_row(row)?;
                    let number = OutNumber(number);
                    let queue = QueueId {
                        scope,
                        conversation,
                    };
                    // Those are on the pages before.
                    (!kernel.shared.recent.holds(conversation, number)).then_some((queue, number))
                });
                let deliveries = self.deliveries_of(filter, rows).await?;
                draft.page.entries.extend(deliveries);
                draft.goes_on(CursorPlace::Older {
                    part: part.code,
                    row: last.clone(),
                });
                range = range.behind(last, ScanOrder::Ascending);
            }
        }
        Ok(())
    }

    /// The filter with the scope of its conversation; `None` when that is not there, or not of the scope that is named.
    pub(crate) async fn rows_meant(
        &self,
        filter: &DeliveryFilter,
    ) -> Result<Option<ReplayFilter>, UnavailableError> {
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

    /// Those of these deliveries that the filter means.
    async fn deliveries_of(
        &self,
        filter: &DeliveryFilter,
        named: impl Iterator<Item = (QueueId, OutNumber)>,
    ) -> Result<Vec<Delivery>, UnavailableError> {
        let mut deliveries = Vec::new();
        let mut open: Vec<QueueId> = Vec::new();
        for (queue, number) in named {
            let conversation = queue.conversation;
            let Some(outgoing) = self.outgoing(conversation, number.0)? else {
                continue;
            };
            let record = self.delivery_record(conversation, number)?;
            if !record.state.is_final() && !open.contains(&queue) {
                open.push(queue);
            }
            deliveries.push(Delivery {
                callback: CallbackView::new(conversation, &record),
                outgoing,
                conversation,
                record,
            });
        }
        if !open.is_empty() {
            let statuses = self.seen(open.clone()).await?;
            for delivery in &mut deliveries {
                let queue = open
                    .iter()
                    .position(|queue| queue.conversation == delivery.conversation);
                let status = queue.and_then(|queue| statuses.get(queue));
                if let Some(status) = status {
                    let number = delivery.outgoing.number();
                    // What is seen rests on newer records.
                    delivery.record = self.delivery_record(delivery.conversation, number)?;
                    delivery.callback =
                        standing(delivery.conversation, &delivery.record, number, status);
                }
            }
        }
        deliveries.retain(|delivery| {
            let state = delivery.callback.state.parse();
            state.is_ok_and(|state| filter.means(state))
        });
        Ok(deliveries)
    }

    fn outgoing(
        &self,
        conversation: ConversationId,
        number: u64,
    ) -> Result<Option<Outgoing>, UnavailableError> {
        let key = keys::outgoing(conversation, number);
        let record = self.kernel().record::<ConversationEvent>(key)?;
        Ok(record.and_then(|record| record.event.into_outgoing()))
    }
}

/// The parts of the list of older deliveries that the filter means.
fn parts_of(filter: &DeliveryFilter, meant: &ReplayFilter) -> Vec<Part> {
    let mut parts = Vec::new();
    if filter.means_queued() {
        let prefixes = ReplayFilter {
            fate: None,
            ..meant.clone()
        }
        .prefixes()
        .into_iter();
        // The rows of the queue are those of any fate without its code.
        let prefix = prefixes.map(|prefix| prefix.get(1..).map(<[u8]>::to_vec));
        parts.push(Part {
            code: 0,
            table: tables::QUEUED,
            prefix: prefix.flatten().next().unwrap_or_default(),
            skip: 0,
        });
    }
    for state in StateFilter::ALL
        .into_iter()
        .filter(|state| filter.means(*state))
    {
        let Some(fate) = state.fate() else { continue };
        let meant = ReplayFilter {
            fate: Some(fate),
            ..meant.clone()
        };
        parts.extend(meant.prefixes().into_iter().map(|prefix| Part {
            code: fate.code(),
            table: tables::UNDELIVERED,
            prefix,
            skip: 1,
        }));
    }
    parts
}

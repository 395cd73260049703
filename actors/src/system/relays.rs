//! Relays: hooks of the counterpart on their way to a bridge, and what an operator does about them.

pub mod edited_hook;
pub mod posts;
pub mod replay;

use std::collections::BTreeSet;

use bytes::Bytes;

use crate::domain::audit::By;
use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::record::DeliveryRecord;
use crate::domain::id::ChannelId;
use crate::domain::keys;
use crate::domain::relays::{RelayChat, RelayId, RelayQueueId, RelayTarget};
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::relays::{RelayHealths, attempt_of, stored_hook};
use crate::system::System;
use crate::system::inbox::Page;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::kernel::decode;
use switchboard_engine::state::State as _;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_relay::deliveries::RelayDeliveryEvent;
use switchboard_relay::hooks::receive::{HookReceipt, ReceiveHook};
use switchboard_relay::hooks::{RelayedHook, RelayedHooks, RelayedHooksEvent};
use switchboard_relay::news::RelayNews;
use switchboard_relay::news::note::NoteNews;
use switchboard_relay::switch::pause_relay::PauseRelay;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::port::RelayAttempt;
use switchboard_runtime::shared::relay_book::RelayBook;

pub use crate::relays::TargetHealth;

/// The name of a relayed hook: its conversation and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelayedHookId {
    /// The conversation.
    pub chat: RelayChat,
    /// The number.
    pub number: OutNumber,
}

/// A hook with what became of it for each target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayedView {
    /// Its name.
    pub id: RelayedHookId,
    /// The time at which it was taken.
    pub at: UnixMillis,
    /// The hook with its bytes; none when it was erased.
    pub hook: Option<(RelayedHook, Bytes)>,
    /// Its deliveries, by the places of their targets.
    pub deliveries: Vec<(u8, DeliveryRecord)>,
}

/// A place behind which a list of hooks goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelayedCursor {
    /// The time of the last hook.
    pub at: UnixMillis,
    /// The last hook.
    pub id: RelayedHookId,
}

impl RelayedCursor {
    /// The place as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        hex::encode(keys::relays::list_row(
            self.id.chat,
            self.at,
            self.id.number,
        ))
    }

    /// Reads the text of [`Self::to_text`].
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let (chat, at, number) = keys::relays::parse_list_row(&hex::decode(text).ok()?)?;
        let id = RelayedHookId { chat, number };
        Some(Self { at, id })
    }
}

impl System {
    /// The relays, with what is counted of them.
    #[must_use]
    pub fn relays(&self) -> &RelayBook {
        &self.kernel().shared.relays
    }

    /// Returns whether the service only relays: its configuration has a relay, and there is neither an account nor a channel.
    ///
    /// # Errors
    /// When that cannot be read now.
    pub async fn is_only_relay(&self) -> Result<bool, UnavailableError> {
        if self.relays().is_empty() || !self.channels().is_empty() {
            return Ok(false);
        }
        Ok(self.accounts().await?.iter().next().is_none())
    }

    /// Stores a hook whose signature was verified; the answer comes once it is on disk. One that is there already is not stored
    /// again. Counts it.
    ///
    /// # Errors
    /// When it cannot be stored now.
    pub async fn take_hook(
        &self,
        relay: RelayId,
        hook: ReceiveHook,
    ) -> Result<HookReceipt, UnavailableError> {
        let chat = RelayChat {
            relay,
            chat: hook.facts.chat,
        };
        let places = hook.targets.clone();
        let outcome = execute(self.kernel(), &chat, hook).await;
        let receipt = outcome.map_err(unavailable)?;
        if let Some(known) = self.relays().get(relay) {
            if receipt.repeated {
                known.repeated.add();
            } else {
                known.note_taken(&places, receipt.is_late);
            }
        }
        Ok(receipt)
    }

    /// The health of all targets of relays.
    ///
    /// # Errors
    /// When the system stops.
    pub async fn relay_healths(&self) -> Result<Vec<TargetHealth>, UnavailableError> {
        let Some(dispatcher) = self.relay_dispatcher() else {
            return Ok(Vec::new());
        };
        dispatcher.send(RelayHealths).await.map_err(stopping)
    }

    /// Pauses the relay of a channel, or resumes it. Returns once that is on disk.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn pause_relay(
        &self,
        by: By,
        channel: &ChannelId,
        is_paused: bool,
    ) -> Result<(), UnavailableError> {
        let turned = execute(self.kernel(), channel, PauseRelay { by, is_paused }).await;
        turned.map_err(unavailable)?;
        if let Some(relay) = self.relays().of_channel(channel) {
            relay.pause(is_paused);
        }
        Ok(())
    }

    /// The hooks of a relay that were taken between two times, newest first: at most `limit` of those before the cursor.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn relayed_hooks(
        &self,
        relay: RelayId,
        from: UnixMillis,
        until: UnixMillis,
        before: Option<RelayedCursor>,
        limit: usize,
    ) -> Result<Page<RelayedView, RelayedCursor>, UnavailableError> {
        self.kernel().caught_up().await;
        let range = KeyRange::prefix(&keys::relays::list_prefix(relay));
        let behind = match before {
            Some(cursor) => keys::relays::list_row(cursor.id.chat, cursor.at, cursor.id.number),
            None => keys::relays::list_from(relay, until),
        };
        let range = range.behind(behind, ScanOrder::Descending);
        let index = &self.kernel().index;
        let most = limit.saturating_add(1);
        let rows = index.scan(tables::RELAYED, &range, ScanOrder::Descending, most)?;
        let places = rows
            .iter()
            .filter_map(|(key, _)| keys::relays::parse_list_row(key))
            .take_while(|(_, at, _)| *at >= from);
        let cursors: Vec<_> = places
            .map(|(chat, at, number)| RelayedCursor {
                at,
                id: RelayedHookId { chat, number },
            })
            .collect();
        let page: Vec<_> = cursors.iter().copied().take(limit).collect();
        let entries = page.iter().map(|cursor| self.view_relayed(*cursor));
        Ok(Page {
            entries: entries.collect::<Result<_, _>>()?,
            next: page.last().copied().filter(|_| cursors.len() > limit),
        })
    }

    /// The newest hook about a message of the counterpart.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn relayed_message(
        &self,
        relay: RelayId,
        message: &str,
    ) -> Result<Option<RelayedView>, UnavailableError> {
        self.kernel().caught_up().await;
        let key = keys::relays::message(relay, message);
        let Some(position) = self.kernel().index.find(key)? else {
            return Ok(None);
        };
        let record = self.kernel().reader.read(position)?;
        let event: RelayedHooksEvent = decode(&record)?;
        let chat = RelayedHooks::id_of(&record.stream);
        let (RelayedHooksEvent::Received(hook), Some(chat)) = (event, chat) else {
            return Ok(None);
        };
        let id = RelayedHookId {
            chat,
            number: hook.number,
        };
        self.view_relayed(RelayedCursor { at: hook.at, id })
            .map(Some)
    }

    /// One hook of a relay; none when there is no such hook.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn relayed_hook(
        &self,
        id: RelayedHookId,
    ) -> Result<Option<RelayedView>, UnavailableError> {
        self.kernel().caught_up().await;
        let Some((hook, _)) = stored_hook(self.kernel(), id.chat, id.number)? else {
            return Ok(None);
        };
        self.view_relayed(RelayedCursor { at: hook.at, id })
            .map(Some)
    }

    /// The attempt that would pass on a hook to a target now; none when there is no such hook or target.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn relay_attempt(
        &self,
        id: RelayedHookId,
        place: u8,
    ) -> Result<Option<RelayAttempt>, UnavailableError> {
        self.kernel().caught_up().await;
        let Some((hook, body)) = stored_hook(self.kernel(), id.chat, id.number)? else {
            return Ok(None);
        };
        let queue = queue(id, place);
        Ok(attempt_of(self.kernel(), queue, &hook, body, 1))
    }

    /// The shapes that were seen for the first time at the relay of a channel, each with its time.
    ///
    /// # Errors
    /// When they cannot be read now.
    pub async fn relay_news(
        &self,
        channel: &ChannelId,
    ) -> Result<Vec<(String, UnixMillis)>, UnavailableError> {
        let news = self.look::<RelayNews>(channel).await?;
        let shapes = news.iter().flat_map(RelayNews::iter);
        Ok(shapes.map(|(shape, at)| (shape.to_owned(), at)).collect())
    }

    /// Notes shapes that were seen at the relay of a channel.
    ///
    /// # Errors
    /// When they cannot be stored now.
    pub async fn note_relay_news(
        &self,
        channel: &ChannelId,
        shapes: BTreeSet<String>,
    ) -> Result<(), UnavailableError> {
        let noted = execute(self.kernel(), channel, NoteNews { shapes }).await;
        noted.map_err(unavailable)
    }

    fn view_relayed(&self, cursor: RelayedCursor) -> Result<RelayedView, UnavailableError> {
        let RelayedCursor { at, id } = cursor;
        let hook = stored_hook(self.kernel(), id.chat, id.number)?;
        let places = hook.iter().flat_map(|(hook, _)| hook.targets.clone());
        let delivery = |place: u8| {
            let key = keys::relays::delivery(queue(id, place), id.number);
            let newest = self.kernel().record::<RelayDeliveryEvent>(key)?;
            let record = newest.map(|it| it.event.delivery().record.clone());
            Ok((place, record.unwrap_or_default()))
        };
        let deliveries = places
            .map(delivery)
            .collect::<Result<_, UnavailableError>>()?;
        Ok(RelayedView {
            id,
            at,
            hook,
            deliveries,
        })
    }
}

fn queue(id: RelayedHookId, place: u8) -> RelayQueueId {
    RelayQueueId {
        target: RelayTarget {
            relay: id.chat.relay,
            place,
        },
        chat: id.chat.chat,
    }
}

fn stopping<E>(_ended: E) -> UnavailableError {
    UnavailableError::Stopping
}

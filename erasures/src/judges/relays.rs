//! The part of the judge of old messages that is about hooks that relays took: of each conversation the longest beginning is erased in
//! which all hooks are older than they are kept, or beyond the bytes that are kept, and none waits.

mod sizes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;

use crate::RetentionRule;
use crate::judges::judge::{Look, replaced};
use crate::judges::record::{DecodeError, Reading, decode};
use crate::judges::relays::sizes::SizesByMinute;
use switchboard_domain::dispatch::delivery_queue::OutNumber;
use switchboard_domain::relays::{RelayChat, RelayId, RelayQueueId};
use switchboard_domain::time::UnixMillis;
use switchboard_engine::state::State as _;
use switchboard_engine::store::Record;
use switchboard_engine::store::erasure::Verdict;
use switchboard_relay::deliveries::{RelayDeliveries, RelayDeliveryEvent};
use switchboard_relay::hooks::{RelayedHooks, RelayedHooksEvent};

/// The cut of a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cut {
    /// The number of the last hook that goes; 0 while there is none.
    number: u64,
    /// Nothing more of it goes.
    ended: bool,
}

/// The rule of a relay.
#[derive(Clone, Debug, Default)]
struct Limit {
    /// The moment before which hooks go.
    before: Option<UnixMillis>,
    /// The most bytes that stay.
    bytes_max: Option<u64>,
    sizes: SizesByMinute,
}

impl Limit {
    /// Settles the moment before which hooks go.
    fn settle(&mut self) {
        let cut = self.bytes_max.take().and_then(|most| self.sizes.cut(most));
        self.before = self.before.max(cut);
        self.sizes = SizesByMinute::default();
    }
}

/// The hooks that go.
#[derive(Clone, Debug, Default)]
pub(super) struct RelayCuts {
    limits: Arc<BTreeMap<RelayId, Limit>>,
    /// The hooks that wait for a target.
    waiting: BTreeSet<(RelayQueueId, OutNumber)>,
    cuts: Arc<BTreeMap<RelayChat, Cut>>,
}

impl RelayCuts {
    /// Begins with the rules: those that name a channel alone are about its relay, too.
    pub(super) fn new(rules: &[RetentionRule]) -> Self {
        let of_channels = rules.iter().filter(|rule| rule.account.is_none());
        let limits = of_channels.filter_map(|rule| {
            let relay = RelayId::from_channel(rule.channel.as_ref()?);
            let limit = Limit {
                before: rule.before,
                bytes_max: rule.relayed_bytes_max,
                sizes: SizesByMinute::default(),
            };
            Some((relay, limit))
        });
        Self {
            limits: Arc::new(limits.collect()),
            ..Self::default()
        }
    }

    /// Ends the first look: what goes is settled, and hooks that arrive later change it no more.
    pub(super) fn settle_limits(&mut self) {
        let limits = Arc::make_mut(&mut self.limits);
        limits.values_mut().for_each(Limit::settle);
    }

    /// Takes in a record.
    pub(super) fn look(&mut self, look: Look, reading: &Reading<'_>) -> Result<(), DecodeError> {
        if self.limits.is_empty() {
            return Ok(());
        }
        if let Some(chat) = RelayedHooks::id_of(reading.stream()) {
            let event: RelayedHooksEvent = decode(reading.record())?;
            self.look_at_hook(look, chat, &event, reading.record().blob.len());
        } else if look == Look::First && RelayDeliveries::id_of(reading.stream()).is_some() {
            let event: RelayDeliveryEvent = decode(reading.record())?;
            let delivery = event.delivery();
            let place = (delivery.queue, delivery.number);
            match event {
                RelayDeliveryEvent::Settled(_) => self.waiting.remove(&place),
                RelayDeliveryEvent::Changed(_) | RelayDeliveryEvent::Replayed { .. } => {
                    self.waiting.insert(place)
                }
            };
        }
        Ok(())
    }

    fn look_at_hook(
        &mut self,
        look: Look,
        chat: RelayChat,
        event: &RelayedHooksEvent,
        bytes: usize,
    ) {
        let Some(limit) = self.limits.get(&chat.relay) else {
            return;
        };
        let before = limit.before.unwrap_or(UnixMillis::ZERO);
        match (look, event) {
            (Look::First, RelayedHooksEvent::Received(hook)) => {
                if limit.bytes_max.is_some()
                    && let Some(limit) = Arc::make_mut(&mut self.limits).get_mut(&chat.relay)
                {
                    limit.sizes.add(hook.at, bytes);
                }
                let queues = hook.queues(chat).map(|queue| (queue, hook.number));
                self.waiting.extend(queues);
            }
            (
                Look::First,
                RelayedHooksEvent::Answered { .. } | RelayedHooksEvent::Erased { .. },
            ) => {}
            (Look::Second, event) => {
                let (number, goes) = match event {
                    RelayedHooksEvent::Received(hook) => {
                        let waits = |queue| self.waiting.contains(&(queue, hook.number));
                        let goes = hook.at < before && !hook.queues(chat).any(waits);
                        (hook.number, goes)
                    }
                    RelayedHooksEvent::Answered { .. } => return,
                    RelayedHooksEvent::Erased { number } => (*number, true),
                };
                let cut = Arc::make_mut(&mut self.cuts).entry(chat).or_default();
                cut.ended |= !goes;
                if !cut.ended {
                    cut.number = number.0;
                }
            }
        }
    }

    /// Returns whether none waits of what goes.
    pub(super) fn spares(&self) -> bool {
        let goes = |(queue, number): &(RelayQueueId, OutNumber)| {
            let cut = self.cuts.get(&queue.of_relay());
            cut.is_some_and(|cut| number.0 <= cut.number)
        };
        !self.waiting.iter().any(goes)
    }

    /// Judges a record of relays, and says whether a hook goes; none when it is of something else.
    pub(super) fn verdict(
        &self,
        reading: &Reading<'_>,
    ) -> Result<Option<(Verdict, bool)>, DecodeError> {
        verdict(reading, |chat| self.cuts.get(&chat).map(|cut| cut.number))
    }
}

/// Judges a record of relays by the number of the last hook of its conversation that goes, and says whether a hook goes; none
/// when it is of something else.
pub(super) fn verdict(
    reading: &Reading<'_>,
    last: impl FnOnce(RelayChat) -> Option<u64>,
) -> Result<Option<(Verdict, bool)>, DecodeError> {
    let record = reading.record();
    if let Some(chat) = RelayedHooks::id_of(reading.stream()) {
        let Some(last) = last(chat) else {
            return Ok(Some((Verdict::Keep, false)));
        };
        let event: RelayedHooksEvent = decode(record)?;
        let (number, is_hook) = match &event {
            RelayedHooksEvent::Received(hook) => (hook.number, true),
            RelayedHooksEvent::Erased { number } => (*number, false),
            RelayedHooksEvent::Answered { number, .. } => {
                return Ok(Some((goes_with(*number, last), false)));
            }
        };
        return Ok(Some(match number.0.cmp(&last) {
            std::cmp::Ordering::Less => (Verdict::Erase, is_hook),
            // The numbers of the conversation go on behind it.
            std::cmp::Ordering::Equal if is_hook => (emptied(record, number)?, true),
            std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => (Verdict::Keep, false),
        }));
    }
    let Some(chat) = RelayDeliveries::id_of(reading.stream()) else {
        return Ok(None);
    };
    let Some(last) = last(chat) else {
        return Ok(Some((Verdict::Keep, false)));
    };
    let event: RelayDeliveryEvent = decode(record)?;
    let verdict = goes_with(event.delivery().number, last);
    Ok(Some((verdict, false)))
}

/// Judges what is about a hook: it goes with the hook.
fn goes_with(number: OutNumber, last: u64) -> Verdict {
    if number.0 <= last {
        Verdict::Erase
    } else {
        Verdict::Keep
    }
}

/// A hook without anything of it but its number.
fn emptied(record: &Record, number: OutNumber) -> Result<Verdict, DecodeError> {
    let without_body = Record {
        blob: Bytes::new(),
        ..record.clone()
    };
    replaced(&without_body, &RelayedHooksEvent::Erased { number })
}

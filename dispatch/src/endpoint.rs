//! An endpoint with the queues of it that are in memory.

pub mod id;
mod shown;

pub use id::EndpointId;
pub use shown::EndpointState;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::Steady;
use crate::delivery_queue::{DeliveryQueue, OutNumber, Phase};
use crate::health::{HealthState, SendAllowance};
use crate::record::HoldReason;
use crate::routing::Routing;
use crate::rules::AttemptRules;
use crate::schedule::{Offer, RoundRobin, SlotClass};
use switchboard_values::time::UnixMillis;

/// An endpoint whose answers take longer than this on average is slow, and so is one that hangs now.
const SLOW_ABOVE: Duration = Duration::from_secs(1);

/// An operator's settings of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndpointSettings {
    /// The switch that lets callbacks be sent.
    pub switch: Switch,
    /// The highest number of requests in flight, from 1.
    pub in_flight_max: u16,
    /// Changes whenever the address, the secret or anything else changes that may cure the endpoint: its
    /// health is then learned anew.
    pub revision: u64,
    /// The time from which it has not succeeded, as an earlier process knew it; used only for a new endpoint.
    pub failing_since: Option<UnixMillis>,
    /// The time that an earlier process probed it in vain; used only for a new endpoint.
    pub probed: Duration,
}

impl Default for EndpointSettings {
    fn default() -> Self {
        Self {
            switch: Switch::On,
            in_flight_max: 32,
            revision: 0,
            failing_since: None,
            probed: Duration::ZERO,
        }
    }
}

/// The switch that lets callbacks be sent to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// It is used.
    On,
    /// There is no address: messages are held.
    NoAddress,
    /// An operator paused its channel: messages are held.
    Paused,
    /// The machine disabled it earlier, for this reason, and no operator has switched it on since.
    Disabled(HoldReason),
}

/// An endpoint and its queues in memory.
#[derive(Clone, Debug)]
pub(super) struct Endpoint<R: Routing> {
    pub(super) settings: EndpointSettings,
    pub(super) health: HealthState<R::Key>,
    pub(super) paging: Paging,
    /// The moment under which the machine keeps the endpoint's next alarm.
    pub(super) alarm_set: Option<Steady>,
    queues: BTreeMap<R::Key, DeliveryQueue>,
    ready: RoundRobin<R>,
    replays: RoundRobin<R>,
    /// True when the last slow slot went to a replay, so that neither kind starves the other.
    replayed: bool,
    waiting: BTreeSet<(Steady, R::Key)>,
    overdue: BTreeSet<(Steady, R::Key)>,
    in_flight: BTreeMap<R::Key, Steady>,
    /// The time at which the oldest of them began.
    oldest_in_flight: Option<Steady>,
}

/// The known state of the queues that only the store holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paging {
    /// The store may hold queues that are not in memory.
    pub(super) more: bool,
    /// A page was asked for and has not come yet.
    pub(super) asked: bool,
    /// A queue found no room, or lost it, since the reading was last complete: another round is needed.
    pub(super) missed: bool,
    /// The same, since the page was asked for.
    pub(super) refused: bool,
    /// The page brought a queue in.
    pub(super) fruitful: bool,
    /// Not before this moment is another page asked for.
    pub(super) not_before: Option<Steady>,
}

impl<R: Routing> Endpoint<R> {
    /// An endpoint nothing is known of, not even whether the store holds queues of it.
    pub(super) fn new(rules: AttemptRules) -> Self {
        Self {
            settings: EndpointSettings::default(),
            health: HealthState::new(rules),
            paging: Paging {
                more: true,
                ..Paging::default()
            },
            alarm_set: None,
            queues: BTreeMap::new(),
            ready: RoundRobin::default(),
            replays: RoundRobin::default(),
            replayed: false,
            waiting: BTreeSet::new(),
            overdue: BTreeSet::new(),
            in_flight: BTreeMap::new(),
            oldest_in_flight: None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.queues.len()
    }

    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.len()
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Returns the time at which the oldest head in memory was queued.
    pub(super) fn oldest(&self) -> Option<UnixMillis> {
        self.queues.values().map(|queue| queue.head.since).min()
    }

    pub(super) fn idle(&self) -> bool {
        self.in_flight.is_empty() && self.ready.is_empty() && self.replays.is_empty()
    }

    pub(super) fn queue(&self, key: R::Key) -> Option<&DeliveryQueue> {
        self.queues.get(&key)
    }

    /// The queue, to change anything but its phase and its head.
    pub(super) fn queue_mut(&mut self, key: R::Key) -> Option<&mut DeliveryQueue> {
        self.queues.get_mut(&key)
    }

    pub(super) fn queues_of(&self, group: &R::Group) -> Vec<R::Key> {
        let queues = self.queues.keys().copied();
        queues.filter(|key| R::is_of(*key, group)).collect()
    }

    pub(super) fn insert(&mut self, key: R::Key, queue: DeliveryQueue) {
        debug_assert!(!self.queues.contains_key(&key));
        if let Some(at) = queue.overdue_at {
            self.overdue.insert((at, key));
        }
        self.enter(key, queue.phase, queue.head.replay, None);
        self.queues.insert(key, queue);
    }

    pub(super) fn remove(&mut self, key: R::Key) -> Option<DeliveryQueue> {
        let queue = self.queues.remove(&key)?;
        if let Some(at) = queue.overdue_at {
            self.overdue.remove(&(at, key));
        }
        self.leave(key, queue.phase, queue.head.replay);
        Some(queue)
    }

    pub(super) fn set_phase(&mut self, key: R::Key, phase: Phase, now: Steady) {
        if let Some(queue) = self.queues.get_mut(&key) {
            let (before, replay) = (queue.phase, queue.head.replay);
            queue.phase = phase;
            self.leave(key, before, replay);
            self.enter(key, phase, replay, Some(now));
        }
    }

    fn enter(&mut self, key: R::Key, phase: Phase, replay: bool, now: Option<Steady>) {
        match phase {
            Phase::Ready if replay => self.replays.insert(key),
            Phase::Ready => self.ready.insert(key),
            Phase::Waiting { until, .. } => {
                self.waiting.insert((until, key));
            }
            Phase::InFlight(_) => {
                let now = now.unwrap_or_default();
                self.in_flight.insert(key, now);
                self.oldest_in_flight = self.oldest_in_flight.map(|at| at.min(now)).or(Some(now));
            }
            Phase::Asking(_) => {}
        }
    }

    fn leave(&mut self, key: R::Key, phase: Phase, replay: bool) {
        match phase {
            Phase::Ready if replay => self.replays.remove(key),
            Phase::Ready => self.ready.remove(key),
            Phase::Waiting { until, .. } => {
                self.waiting.remove(&(until, key));
            }
            Phase::InFlight(_) => {
                let began = self.in_flight.remove(&key);
                if began == self.oldest_in_flight {
                    self.oldest_in_flight = self.in_flight.values().min().copied();
                }
            }
            Phase::Asking(_) => {}
        }
    }

    /// The queues whose retry is due become ready; the heads of which people are to hear are returned.
    pub(super) fn fire(&mut self, now: Steady) -> Vec<(R::Key, OutNumber)> {
        while let Some((_, key)) = self.waiting.first().copied().filter(|(at, _)| *at <= now) {
            self.set_phase(key, Phase::Ready, now);
        }
        let mut overdue = Vec::new();
        while let Some((at, key)) = self.overdue.first().copied().filter(|(at, _)| *at <= now) {
            self.overdue.remove(&(at, key));
            if let Some(queue) = self.queues.get_mut(&key) {
                queue.overdue_at = None;
                if !matches!(queue.phase, Phase::Asking(_)) {
                    overdue.push((key, queue.head.number));
                }
            }
        }
        overdue
    }

    /// The next moment at which something happens here by itself.
    pub(super) fn alarm(&self, now: Steady) -> Option<Steady> {
        let waiting = self.waiting.first().map(|(at, _)| *at);
        let overdue = self.overdue.first().map(|(at, _)| *at);
        let has_ready = !self.ready.is_empty() || !self.replays.is_empty();
        let has_work = has_ready || self.paging.more;
        let wakes = self
            .health
            .wakes_at(now)
            .filter(|_| has_work && self.is_on());
        let page = self
            .paging
            .not_before
            .filter(|at| *at > now && self.paging.more && !self.paging.asked && self.is_on());
        [waiting, overdue, wakes, page].into_iter().flatten().min()
    }

    /// Returns the attempts that could begin now.
    pub(super) fn offer(&self, now: Steady) -> Offer {
        let (ready, replays) = (!self.ready.is_empty(), !self.replays.is_empty());
        match self.allowance(now) {
            SendAllowance::Shut => Offer::default(),
            SendAllowance::Probe => Offer {
                fast: false,
                slow: ready || replays,
            },
            SendAllowance::Others(held) => Offer {
                fast: false,
                slow: self.sendable().any(|key| key != held),
            },
            SendAllowance::Open(_) => {
                let slow = self.is_slow(now);
                Offer {
                    fast: ready && !slow,
                    slow: replays || (ready && slow),
                }
            }
        }
    }

    /// The queue to send from in a slot of this class, and whether it is a probe; see [`Self::offer`].
    pub(super) fn pick(&mut self, slot: SlotClass, now: Steady) -> Option<(R::Key, bool)> {
        let offer = self.offer(now);
        match slot {
            SlotClass::Fast if offer.fast => Some((self.ready.next()?, false)),
            SlotClass::Slow if offer.slow => {
                if let SendAllowance::Probe | SendAllowance::Others(_) = self.allowance(now) {
                    return Some((self.probe()?, true));
                }
                let replays_only = !self.is_slow(now) || self.ready.is_empty();
                let replay = !self.replays.is_empty() && (replays_only || !self.replayed);
                self.replayed = replay;
                let ready = if replay {
                    &mut self.replays
                } else {
                    &mut self.ready
                };
                Some((ready.next()?, false))
            }
            SlotClass::Fast | SlotClass::Slow => None,
        }
    }

    /// The queues whose heads wait for nothing of their own.
    fn sendable(&self) -> impl Iterator<Item = R::Key> + '_ {
        self.ready.iter().chain(self.replays.iter())
    }

    /// The oldest head that was least often a probe, of the queue that alone failed only if there is no other: were it
    /// always the oldest, one message that makes the receiver stumble would keep its endpoint shut for all others.
    fn probe(&self) -> Option<R::Key> {
        let suspect = self.health.probing().and_then(|(.., only)| only);
        self.sendable()
            .filter_map(|key| {
                let queue = self.queues.get(&key)?;
                Some((suspect == Some(key), queue.probes, queue.head.since, key))
            })
            .min()
            .map(|(.., key)| key)
    }

    fn allowance(&self, now: Steady) -> SendAllowance<R::Key> {
        if !self.is_on() {
            return SendAllowance::Shut;
        }
        let max = self.settings.in_flight_max.max(1);
        match self.health.allowance(now) {
            SendAllowance::Open(allowed)
                if self.in_flight.len() < usize::from(allowed.min(max)) =>
            {
                SendAllowance::Open(allowed)
            }
            one @ (SendAllowance::Probe | SendAllowance::Others(_))
                if self.in_flight.is_empty() =>
            {
                one
            }
            SendAllowance::Open(_)
            | SendAllowance::Probe
            | SendAllowance::Others(_)
            | SendAllowance::Shut => SendAllowance::Shut,
        }
    }

    fn is_slow(&self, now: Steady) -> bool {
        let hangs = |began: Steady| now.since(began) > SLOW_ABOVE;
        self.health.latency() > SLOW_ABOVE || self.oldest_in_flight.is_some_and(hangs)
    }

    pub(super) fn is_on(&self) -> bool {
        self.settings.switch == Switch::On
    }

    /// Returns whether the result of an attempt is meaningful for its message.
    pub(super) fn is_well(&self, now: Steady) -> bool {
        self.is_on() && !self.health.is_suspect(now)
    }

    /// Returns the endpoint's reason to hold the messages of the queue; none while it takes them.
    pub(super) fn hold(&self, queue: R::Key, now: Steady) -> Option<HoldReason> {
        self.switched_off().or_else(|| self.health.hold(queue, now))
    }

    /// Returns the endpoint's reason to hold the messages of all queues; none while it takes those of any.
    pub(super) fn hold_of_all(&self, now: Steady) -> Option<HoldReason> {
        self.switched_off().or_else(|| self.health.hold_of_all(now))
    }

    /// Returns the reason to send nothing, whatever the health.
    fn switched_off(&self) -> Option<HoldReason> {
        match self.settings.switch {
            Switch::On => None,
            Switch::NoAddress => Some(HoldReason::NoAddress),
            Switch::Paused => Some(HoldReason::Paused),
            Switch::Disabled(why) => Some(why),
        }
    }

    /// The waiting queue that can be spared longest, if its retry is later than `due`.
    pub(super) fn spare_waiting(&self, due: Steady) -> Option<R::Key> {
        let (until, key) = self.waiting.last()?;
        (*until > due).then_some(*key)
    }

    /// Any queue that can be spared: the longest waiting, else the last that is ready.
    pub(super) fn spare_any(&self) -> Option<R::Key> {
        let waiting = self.waiting.last().map(|(_, key)| *key);
        waiting.or_else(|| self.ready.iter().chain(self.replays.iter()).last())
    }
}

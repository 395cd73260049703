#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod callbacks;
pub mod delivery_queue;
pub mod effect;
pub mod endpoint;
pub mod event;
pub mod outcome;
pub mod quota;
pub mod reason;
pub mod record;
pub mod retry;
pub mod routing;
pub mod rules;
pub mod schedule;
pub mod verdict;

mod clock;
mod delivery;
mod health;
mod room;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::callbacks::Callbacks;
use crate::clock::{DispatchClock, Steady};
use crate::delivery_queue::{OutNumber, Phase};
use crate::effect::{DispatchEvent, Effect};
use crate::endpoint::{Endpoint, EndpointSettings, EndpointState, Switch};
use crate::event::Event;
use crate::outcome::OutcomeBrief;
use crate::record::HoldReason;
use crate::routing::Routing;
use crate::rules::AttemptRules;
use crate::schedule::{Offer, Slots, Turns};
use crate::verdict::Budget;
use switchboard_values::time::UnixMillis;

/// The limits of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispatchLimits {
    /// Attempts in flight at once.
    pub slots: usize,
    /// The number of slots that the slow class may use.
    pub slots_slow: usize,
    /// Queues in memory.
    pub queues: usize,
    /// Queues in memory of one endpoint.
    pub queues_per_endpoint: usize,
    /// Queues asked for at once.
    pub page: usize,
    /// The rules of attempts.
    pub rules: AttemptRules,
    /// The budget of a message, for rules that have one.
    pub budget: Budget,
    /// The time after which people are notified that a message waits.
    pub overdue: Duration,
    /// After how long a time of probing without a success an endpoint is disabled.
    pub give_up: Duration,
}

impl Default for DispatchLimits {
    fn default() -> Self {
        Self {
            slots: 256,
            slots_slow: 64,
            queues: 50_000,
            queues_per_endpoint: 5_000,
            page: 256,
            rules: AttemptRules::Adaptive,
            budget: Budget::default(),
            overdue: Duration::from_secs(30),
            give_up: Duration::from_secs(72 * 3_600),
        }
    }
}

/// The dispatcher; see the module.
#[derive(Clone, Debug)]
pub struct Dispatch<R: Routing = Callbacks> {
    limits: DispatchLimits,
    clock: DispatchClock,
    endpoints: BTreeMap<R::Endpoint, Endpoint<R>>,
    /// The next alarm of each endpoint that has one.
    alarms: BTreeSet<(Steady, R::Endpoint)>,
    turns: Turns<R::Endpoint>,
    slots: Slots,
    /// Queues in memory, of all endpoints.
    queues: usize,
    armed: Option<UnixMillis>,
    questions: u64,
    draining: bool,
    effects: Vec<Effect<R>>,
}

/// The state of a message in memory, for people; finer than the stored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadStatus {
    /// Waits for its turn.
    Ready,
    /// Is being sent.
    Sending {
        /// The number of the attempt.
        attempt: u32,
    },
    /// Waits for its next attempt.
    Waiting {
        /// The time of the next attempt.
        until: UnixMillis,
        /// The outcome of the last attempt; none when only the record has it.
        why: Option<OutcomeBrief>,
    },
    /// Waits for its endpoint.
    Held {
        /// The reason of the endpoint.
        why: HoldReason,
    },
}

/// The state of an endpoint, and its part of the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointStatus<R: Routing = Callbacks> {
    /// The endpoint.
    pub endpoint: R::Endpoint,
    /// The health.
    pub health: EndpointState,
    /// The time from which it did not succeed; none when its last attempt did, or none was made.
    pub failing_since: Option<UnixMillis>,
    /// Queues in memory.
    pub queues: usize,
    /// Attempts in flight.
    pub in_flight: usize,
    /// Queues in memory whose head waits for its own next attempt.
    pub waiting: usize,
    /// The time at which the oldest head in memory was queued.
    pub oldest: Option<UnixMillis>,
}

/// The present use of the machine's memory and slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Queues in memory.
    pub queues: usize,
    /// Endpoints known.
    pub endpoints: usize,
    /// Attempts in flight.
    pub in_flight: usize,
    /// Those of them that are of the slow class.
    pub in_flight_slow: usize,
}

impl<R: Routing> Dispatch<R> {
    /// A machine that knows nothing yet.
    #[must_use]
    pub fn new(limits: DispatchLimits) -> Self {
        Self {
            limits,
            clock: DispatchClock::default(),
            endpoints: BTreeMap::new(),
            alarms: BTreeSet::new(),
            turns: Turns::default(),
            slots: Slots::new(limits.slots, limits.slots_slow),
            queues: 0,
            armed: None,
            questions: 0,
            draining: false,
            effects: Vec::new(),
        }
    }

    /// Takes an event in and says what is to be done.
    pub fn step(&mut self, event: Event<R>, now: UnixMillis) -> Vec<Effect<R>> {
        self.clock.advance(now);
        match event {
            Event::EndpointChanged { endpoint, settings } => self.change(endpoint, settings),
            Event::MessageQueued {
                queue,
                endpoint,
                head,
            } => self.queued(&queue, &endpoint, head),
            Event::QueueReplayed {
                queue,
                endpoint,
                head,
            } => self.replayed(&queue, &endpoint, head),
            Event::NextHead {
                queue,
                question,
                head,
            } => self.next_head(&queue, question, head),
            Event::Paged { endpoint, complete } => self.paged(&endpoint, complete),
            Event::Returned(returned) => self.returned(*returned),
            Event::GroupMoved { group, endpoint } => self.moved(&group, &endpoint),
            Event::GroupClosed { group } => self.closed(group),
            Event::Discard { queue, number, why } => self.discard(queue, number, why),
            // The timer that rang is spent, even if it rang too early.
            Event::Tick => self.armed = None,
            Event::Draining => self.drain(),
        }
        self.ring_alarms();
        self.fill_slots();
        self.arm_timer();
        std::mem::take(&mut self.effects)
    }

    /// Returns the state of a queue's head; none when the queue is not in memory or its head just became final.
    #[must_use]
    pub fn head_status(&self, queue: &R::Queue) -> Option<HeadStatus> {
        let (id, key) = self.find(queue)?;
        let endpoint = self.endpoints.get(&id)?;
        match endpoint.queue(key)?.phase {
            Phase::Asking(_) => None,
            Phase::InFlight(flight) => Some(HeadStatus::Sending {
                attempt: flight.attempt,
            }),
            Phase::Waiting { until, why } => Some(HeadStatus::Waiting {
                until: self.clock.wall(until),
                why,
            }),
            Phase::Ready => Some(match endpoint.hold(key, self.clock.now()) {
                Some(why) => HeadStatus::Held { why },
                None => HeadStatus::Ready,
            }),
        }
    }

    /// Returns the health of an endpoint; an unknown one counts as healthy.
    #[must_use]
    pub fn health(&self, endpoint: &R::Endpoint) -> EndpointState {
        let Some(endpoint) = self.endpoints.get(endpoint) else {
            return EndpointState::Healthy;
        };
        let now = self.clock.now();
        let (health, wall) = (&endpoint.health, |at| self.clock.wall(at));
        let paused_until = health.paused_until(now);
        if let Some((until, failed_probes, only)) = health.probing()
            && endpoint.is_on()
        {
            let next_probe = wall(until);
            match only {
                None => {
                    return EndpointState::Open {
                        next_probe,
                        failed_probes,
                    };
                }
                Some(queue) if paused_until.is_none() => {
                    return EndpointState::Failing {
                        conversation: R::conversation(queue),
                        next_probe: Some(next_probe),
                    };
                }
                Some(_) => {}
            }
        }
        match (endpoint.hold_of_all(now), paused_until) {
            (Some(HoldReason::NoAddress), _) => EndpointState::NoAddress,
            (Some(HoldReason::Paused), _) => EndpointState::ChannelPaused,
            (Some(HoldReason::PauseAsked), Some(until)) => {
                EndpointState::Paused { until: wall(until) }
            }
            (Some(why), _) => EndpointState::Disabled { why },
            (None, _) if health.is_failing() => EndpointState::Failing {
                conversation: None,
                next_probe: None,
            },
            (None, _) => match health.slow_start() {
                Some(in_flight_max) => EndpointState::SlowStart { in_flight_max },
                None => EndpointState::Healthy,
            },
        }
    }

    /// The head of a queue in memory; none while the store is asked for it.
    #[must_use]
    pub fn head(&self, queue: &R::Queue) -> Option<OutNumber> {
        let (id, key) = self.find(queue)?;
        let queue = self.endpoints.get(&id)?.queue(key)?;
        match queue.phase {
            Phase::Asking(_) => None,
            Phase::Ready | Phase::Waiting { .. } | Phase::InFlight(_) => Some(queue.head.number),
        }
    }

    /// Returns the state of each endpoint, and its part of the memory.
    #[must_use]
    pub fn endpoint_status(&self) -> Vec<EndpointStatus<R>> {
        let endpoints = self.endpoints.iter();
        endpoints
            .map(|(id, endpoint)| EndpointStatus {
                health: self.health(id),
                failing_since: endpoint
                    .health
                    .trouble_since()
                    .map(|at| self.clock.wall(at)),
                queues: endpoint.len(),
                in_flight: endpoint.in_flight(),
                waiting: endpoint.waiting(),
                oldest: endpoint.oldest(),
                endpoint: id.clone(),
            })
            .collect()
    }

    /// Returns the present use of memory and slots.
    #[must_use]
    pub fn occupancy(&self) -> Occupancy {
        Occupancy {
            queues: self.queues,
            endpoints: self.endpoints.len(),
            in_flight: self.slots.taken(),
            in_flight_slow: self.slots.taken_slow(),
        }
    }

    /// Returns whether the machine drains and nothing is in flight any more: the process may end.
    #[must_use]
    pub fn is_drained(&self) -> bool {
        self.draining && self.slots.taken() == 0
    }

    fn change(&mut self, id: R::Endpoint, settings: EndpointSettings) {
        let now = self.clock.now();
        let rules = self.limits.rules;
        let is_known = self.endpoints.contains_key(&id);
        let endpoint = self
            .endpoints
            .entry(id.clone())
            .or_insert_with(|| Endpoint::new(rules));
        let before = endpoint.settings;
        endpoint.settings = settings;
        match settings.switch {
            Switch::Disabled(why) => endpoint.health.disable(why),
            Switch::On if before.switch != Switch::On || before.revision != settings.revision => {
                endpoint.health.renew(now);
            }
            Switch::On | Switch::NoAddress | Switch::Paused => {}
        }
        if let (false, Some(since)) = (is_known, settings.failing_since) {
            let since = self.clock.at_most_ahead(since, Duration::ZERO);
            endpoint.health.fails_since(since, settings.probed);
        }
        self.settle(&id);
    }

    fn drain(&mut self) {
        self.draining = true;
        let ids: Vec<_> = self.endpoints.keys().cloned().collect();
        for id in ids {
            self.settle(&id);
        }
    }

    fn ring_alarms(&mut self) {
        let now = self.clock.now();
        while let Some((at, id)) = self.alarms.first().cloned()
            && at <= now
        {
            if let Some(endpoint) = self.endpoints.get_mut(&id) {
                let overdue = endpoint.fire(now);
                for (key, number) in overdue {
                    let hold = endpoint.hold(key, now);
                    let queue = R::queue(&id, key);
                    let event = DispatchEvent::MessageWaits {
                        queue,
                        number,
                        held: hold,
                    };
                    self.effects.push(Effect::Publish(event));
                }
            }
            self.settle(&id);
        }
    }

    fn fill_slots(&mut self) {
        while let Some((id, slot)) = self.turns.next(&self.slots) {
            self.send(&id, slot);
            self.settle(&id);
        }
    }

    fn arm_timer(&mut self) {
        let Some((at, _)) = self.alarms.first() else {
            return;
        };
        let at = self.clock.wall(*at);
        // A timer that rings too early does no harm, and to move it with each message would cost more than its ringing.
        if self.armed.is_none_or(|armed| at < armed) {
            self.effects.push(Effect::ArmTimer { at });
            self.armed = Some(at);
        }
    }

    /// Brings everything kept outside an endpoint in line with what changed inside it.
    fn settle(&mut self, id: &R::Endpoint) {
        let now = self.clock.now();
        self.page_in(id);
        let Some(endpoint) = self.endpoints.get_mut(id) else {
            return;
        };
        let (offer, alarm) = if self.draining {
            (Offer::default(), None)
        } else {
            (endpoint.offer(now), endpoint.alarm(now))
        };
        self.turns.set(id, offer);
        if endpoint.alarm_set != alarm {
            if let Some(at) = endpoint.alarm_set {
                self.alarms.remove(&(at, id.clone()));
            }
            if let Some(at) = alarm {
                self.alarms.insert((at, id.clone()));
            }
            endpoint.alarm_set = alarm;
        }
    }

    /// The endpoint that a queue in memory belongs to.
    fn find(&self, queue: &R::Queue) -> Option<(R::Endpoint, R::Key)> {
        let key = R::key(queue);
        R::endpoints(&R::group(queue)).into_iter().find_map(|id| {
            self.endpoints.get(&id)?.queue(key)?;
            Some((id, key))
        })
    }
}

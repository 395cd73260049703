//! The way of one message through the machine: sent, come back, recorded, and the queue goes on.

use std::time::Duration;

use crate::Dispatch;
use crate::clock::Steady;
use crate::delivery_queue::{DeliveryQueue, Flight, OutNumber, Phase, QuestionId, QueueHead};
use crate::effect::{DispatchEvent, Effect};
use crate::endpoint::Switch;
use crate::event::Returned;
use crate::health::{AttemptReport, HealthChange};
use crate::reason::Reason;
use crate::record::{CancelReason, DeliveryState, LoggedAttempt, LoggedChange};
use crate::retry;
use crate::routing::Routing;
use crate::schedule::SlotClass;
use crate::verdict::{Case, Verdict, judge};

impl<R: Routing> Dispatch<R> {
    /// Sends from the endpoint in a slot of this class, if it still can.
    pub(super) fn send(&mut self, id: &R::Endpoint, slot: SlotClass) {
        let now = self.clock.now();
        let Some(endpoint) = self.endpoints.get_mut(id) else {
            return;
        };
        let Some((key, probe)) = endpoint.pick(slot, now) else {
            return;
        };
        let Some(queue) = endpoint.queue_mut(key) else {
            return;
        };
        queue.probes = queue.probes.saturating_add(u32::from(probe));
        let (number, attempt) = (queue.head.number, queue.head.next_attempt());
        let flight = Flight {
            attempt,
            slot,
            probe,
        };
        endpoint.set_phase(key, Phase::InFlight(flight), now);
        self.slots.take(slot);
        self.effects.push(Effect::Send {
            queue: R::queue(id, key),
            endpoint: id.clone(),
            number,
            attempt,
            slot,
        });
    }

    /// An attempt came back. One that the machine does not wait for changes nothing.
    pub(super) fn returned(&mut self, returned: Returned<R>) {
        let Some((id, key)) = self.find(&returned.queue) else {
            return;
        };
        let Some((mut queue, flight)) = self.flight(&id, key, &returned) else {
            return;
        };
        self.slots.release(flight.slot);
        let (verdict, change) = self.weigh(&id, key, &queue, flight, &returned);
        queue.head.tally = verdict.tally;
        self.record(&returned, verdict);
        self.announce(&id, change);
        if let DeliveryState::Dead { why, .. } = verdict.state {
            let last = Reason::of_outcome(returned.outcome.brief());
            self.effects
                .push(Effect::Publish(DispatchEvent::MessageDied {
                    queue: returned.queue.clone(),
                    number: returned.number,
                    reason: Reason::of_death(why, Some(last)),
                }));
        }
        self.go_on(&id, key, queue, &verdict, &returned);
        self.settle(&id);
    }

    /// The answer of the store to the question for the next head.
    pub(super) fn next_head(
        &mut self,
        queue: &R::Queue,
        question: QuestionId,
        head: Option<QueueHead>,
    ) {
        let Some((id, key)) = self.find(queue) else {
            return;
        };
        let Some(endpoint) = self.endpoints.get_mut(&id) else {
            return;
        };
        if endpoint.queue(key).map(|queue| queue.phase) != Some(Phase::Asking(question)) {
            return;
        }
        endpoint.remove(key);
        match head {
            Some(head) => {
                let queue = self.resident(head);
                self.put(&id, key, queue);
            }
            None => self.queues = self.queues.saturating_sub(1),
        }
        self.settle(&id);
    }

    /// A message before the head of the queue is queued again, or the queue has something to send at all.
    pub(super) fn replayed(&mut self, queue: &R::Queue, endpoint: &R::Endpoint, head: QueueHead) {
        let Some((id, key)) = self.find(queue) else {
            return self.queued(queue, endpoint, head);
        };
        match self.queue_in_flight(&id, key) {
            Some(queue) => queue.overtaken = true,
            None => self.ask(&id, key),
        }
        self.settle(&id);
    }

    /// Asks the store for the next head of a queue in memory; earlier questions no longer count.
    pub(super) fn ask(&mut self, id: &R::Endpoint, key: R::Key) {
        let now = self.clock.now();
        self.questions += 1;
        let question = QuestionId(self.questions);
        let queue = R::queue(id, key);
        self.effects.push(Effect::AskNext { queue, question });
        if let Some(endpoint) = self.endpoints.get_mut(id) {
            endpoint.set_phase(key, Phase::Asking(question), now);
        }
    }

    /// Nothing more is sent for the group. What is in flight may still arrive; if it does not, it is cancelled.
    pub(super) fn closed(&mut self, group: R::Group) {
        let mut except = Vec::new();
        for id in R::endpoints(&group) {
            for key in self.queues_of(&id, &group) {
                if let Some(queue) = self.queue_in_flight(&id, key) {
                    queue.doom = Some(CancelReason::Disconnected);
                    except.push((R::queue(&id, key), queue.head.number));
                } else {
                    self.drop_queue(&id, key);
                }
            }
            self.settle(&id);
        }
        self.effects.push(Effect::CancelGroup { group, except });
    }

    /// Cancels one message: at once, or when it comes back without success.
    pub(super) fn discard(&mut self, queue: R::Queue, number: OutNumber, why: CancelReason) {
        let place = self.find(&queue);
        if let Some((id, key)) = &place
            && let Some(doomed) = self.queue_in_flight(id, *key)
            && doomed.head.number == number
        {
            doomed.doom = Some(why);
            return;
        }
        let at = self.clock.wall_now();
        self.effects.push(Effect::Record {
            queue,
            number,
            entry: Box::new(LoggedChange {
                attempt: None,
                tally: None,
                state: DeliveryState::Cancelled { at, why },
            }),
        });
        let Some((id, key)) = place else { return };
        let queue = self.endpoints.get(&id).and_then(|there| there.queue(key));
        match queue.map(|queue| (queue.phase, queue.head.number)) {
            Some((Phase::Ready | Phase::Waiting { .. }, head)) if head == number => {
                self.ask(&id, key);
            }
            // The answer that is on its way may name the message that was just cancelled.
            Some((Phase::Asking(_), _)) => self.ask(&id, key),
            Some(_) | None => {}
        }
        self.settle(&id);
    }

    /// A queue for this head, due when its record says, or now if that is later than the longest wait there is.
    pub(super) fn resident(&self, head: QueueHead) -> DeliveryQueue {
        let (now, overdue) = (self.clock.now(), self.limits.overdue);
        let due = self.due(&head);
        let phase = if due > now {
            Phase::Waiting {
                until: due,
                why: None,
            }
        } else {
            Phase::Ready
        };
        DeliveryQueue {
            overdue_at: Some(self.clock.at_most_ahead(head.since.plus(overdue), overdue)),
            head,
            phase,
            doom: None,
            leaving: false,
            overtaken: false,
            probes: 0,
        }
    }

    pub(super) fn due(&self, head: &QueueHead) -> Steady {
        self.clock
            .unless_far_ahead(head.tally.due, retry::DELAY_MAX)
    }

    /// Takes the queue out of its endpoint if it waits for exactly this answer.
    fn flight(
        &mut self,
        id: &R::Endpoint,
        key: R::Key,
        returned: &Returned<R>,
    ) -> Option<(DeliveryQueue, Flight)> {
        let endpoint = self.endpoints.get_mut(id)?;
        let queue = endpoint.queue(key)?;
        let Phase::InFlight(flight) = queue.phase else {
            return None;
        };
        if queue.head.number != returned.number || flight.attempt != returned.attempt {
            return None;
        }
        Some((endpoint.remove(key)?, flight))
    }

    /// Applies the outcome to the endpoint's health, and returns the verdict on the message.
    fn weigh(
        &mut self,
        id: &R::Endpoint,
        key: R::Key,
        queue: &DeliveryQueue,
        flight: Flight,
        returned: &Returned<R>,
    ) -> (Verdict, Option<HealthChange>) {
        let (now, limits) = (self.clock.now(), self.limits);
        let report = AttemptReport {
            class: returned.outcome.class(),
            queue: key,
            probe: flight.probe,
            retry_after: returned.outcome.retry_after(),
            took: returned.trace.took(),
            jitter: returned.jitter,
        };
        let mut case = Case {
            class: report.class,
            status: returned.outcome.status(),
            tally: queue.head.tally,
            attempt: flight.attempt,
            doom: queue.doom,
            healthy: false,
            held: None,
            retry_after: report.retry_after,
            took: report.took,
            now: self.clock.wall_now(),
            jitter: returned.jitter,
        };
        let mut change = None;
        if let Some(endpoint) = self.endpoints.get_mut(id) {
            let was_well = endpoint.is_well(now);
            let max = endpoint.settings.in_flight_max;
            change = endpoint.health.observe(&report, now, max, limits.give_up);
            if let Some(HealthChange::Disabled(why)) = change {
                endpoint.settings.switch = Switch::Disabled(why);
            }
            case.held = endpoint.hold(key, now);
            // An attempt that the endpoint's own trouble may have spoilt is not the message's fault.
            case.healthy = !flight.probe && was_well && endpoint.is_well(now);
        }
        (judge(&case, limits.rules, &limits.budget), change)
    }

    fn record(&mut self, returned: &Returned<R>, verdict: Verdict) {
        let trace = returned.trace.clone();
        let attempt = LoggedAttempt {
            charged: verdict.charged,
            next: verdict.wait.map(|_| verdict.tally.due),
            ..LoggedAttempt::new(returned.attempt, &returned.outcome, trace)
        };
        self.effects.push(Effect::Record {
            queue: returned.queue.clone(),
            number: returned.number,
            entry: Box::new(LoggedChange {
                attempt: Some(attempt),
                tally: Some(verdict.tally),
                state: verdict.state,
            }),
        });
    }

    fn announce(&mut self, id: &R::Endpoint, change: Option<HealthChange>) {
        let endpoint = id.clone();
        let event = match change {
            None => return,
            Some(HealthChange::Opened) => DispatchEvent::EndpointOpened { endpoint },
            Some(HealthChange::Recovered) => DispatchEvent::EndpointRecovered { endpoint },
            Some(HealthChange::Disabled(why)) => DispatchEvent::EndpointDisabled { endpoint, why },
            Some(HealthChange::StillFails(probed)) => {
                DispatchEvent::EndpointStillFails { endpoint, probed }
            }
        };
        self.effects.push(Effect::Publish(event));
    }

    /// Puts the queue back where it belongs now, or lets it go.
    fn go_on(
        &mut self,
        id: &R::Endpoint,
        key: R::Key,
        mut queue: DeliveryQueue,
        verdict: &Verdict,
        returned: &Returned<R>,
    ) {
        queue.doom = None;
        if queue.leaving || self.draining {
            self.queues = self.queues.saturating_sub(1);
            if queue.leaving
                && let Some(other) = R::other(id)
            {
                self.expect_more(&other);
            }
            return;
        }
        queue.phase = self.pause_of(verdict.wait, returned);
        let overtaken = std::mem::take(&mut queue.overtaken);
        self.put(id, key, queue);
        if verdict.state.is_final() || overtaken {
            self.ask(id, key);
        }
    }

    fn pause_of(&self, wait: Option<Duration>, returned: &Returned<R>) -> Phase {
        match wait {
            Some(wait) => Phase::Waiting {
                until: self.clock.now().plus(wait),
                why: Some(returned.outcome.brief()),
            },
            None => Phase::Ready,
        }
    }

    fn put(&mut self, id: &R::Endpoint, key: R::Key, queue: DeliveryQueue) {
        if let Some(endpoint) = self.endpoints.get_mut(id) {
            endpoint.insert(key, queue);
        }
    }
}

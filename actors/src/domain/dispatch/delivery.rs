//! The way of one message through the machine: sent, come back, recorded, and the lane goes on.

use std::time::Duration;

use crate::domain::chat::channel::HookVersion;
use crate::domain::dispatch::Dispatch;
use crate::domain::dispatch::clock::Steady;
use crate::domain::dispatch::effect::{Effect, Tidings};
use crate::domain::dispatch::endpoint::{EndpointId, Switch, lane_id};
use crate::domain::dispatch::event::Returned;
use crate::domain::dispatch::health::{Change, Report};
use crate::domain::dispatch::lane::{
    Flight, Head, Lane, LaneId, LaneKey, OutNumber, Phase, Question,
};
use crate::domain::dispatch::reason::Reason;
use crate::domain::dispatch::record::{Attempt, CancelReason, DeliveryState, Entry};
use crate::domain::dispatch::retry;
use crate::domain::dispatch::schedule::SlotClass;
use crate::domain::dispatch::verdict::{Case, Verdict, judge};
use crate::domain::id::ScopeId;

impl Dispatch {
    /// Sends from the endpoint in a slot of this class, if it still can.
    pub(super) fn send(&mut self, id: &EndpointId, slot: SlotClass) {
        let now = self.clock.now();
        let Some(endpoint) = self.endpoints.get_mut(id) else {
            return;
        };
        let Some((key, probe)) = endpoint.pick(slot, now) else {
            return;
        };
        let Some(lane) = endpoint.lane_mut(key) else {
            return;
        };
        lane.probes = lane.probes.saturating_add(u32::from(probe));
        let (number, attempt) = (lane.head.number, lane.head.next_attempt());
        let flight = Flight {
            attempt,
            slot,
            probe,
        };
        endpoint.set_phase(key, Phase::InFlight(flight), now);
        self.slots.take(slot);
        self.effects.push(Effect::Send {
            lane: lane_id(id, key),
            version: id.version,
            number,
            attempt,
            slot,
        });
    }

    /// An attempt came back. One that the machine does not wait for changes nothing.
    pub(super) fn returned(&mut self, returned: Returned) {
        let Some((id, key)) = self.find(&returned.lane) else {
            return;
        };
        let Some((mut lane, flight)) = self.flight(&id, key, &returned) else {
            return;
        };
        self.slots.release(flight.slot);
        let (verdict, change) = self.weigh(&id, key, &lane, flight, &returned);
        lane.head.tally = verdict.tally;
        self.record(&returned, verdict);
        self.announce(&id, change);
        if let DeliveryState::Dead { why, .. } = verdict.state {
            let outcome = &returned.outcome;
            let last = Reason::of_outcome(outcome.class(), outcome.status(), outcome.failure());
            self.effects.push(Effect::Tell(Tidings::MessageDied {
                lane: returned.lane.clone(),
                number: returned.number,
                reason: Reason::of_death(why, Some(last)),
            }));
        }
        self.go_on(&id, key, lane, &verdict, &returned);
        self.settle(&id);
    }

    /// The answer of the store to the question for the next head.
    pub(super) fn next_head(&mut self, lane: &LaneId, question: Question, head: Option<Head>) {
        let Some((id, key)) = self.find(lane) else {
            return;
        };
        let Some(endpoint) = self.endpoints.get_mut(&id) else {
            return;
        };
        if endpoint.lane(key).map(|lane| lane.phase) != Some(Phase::Asking(question)) {
            return;
        }
        endpoint.remove(key);
        match head {
            Some(head) => {
                let lane = self.resident(head);
                self.put(&id, key, lane);
            }
            None => self.lanes = self.lanes.saturating_sub(1),
        }
        self.settle(&id);
    }

    /// A message before the head of the lane is queued again, or the lane has something to send at all.
    pub(super) fn replayed(&mut self, lane: &LaneId, version: HookVersion, head: Head) {
        let Some((id, key)) = self.find(lane) else {
            return self.queued(lane, version, head);
        };
        match self.lane_in_flight(&id, key) {
            Some(lane) => lane.overtaken = true,
            None => self.ask(&id, key),
        }
        self.settle(&id);
    }

    /// Asks the store for the next head of a lane in memory; earlier questions no longer count.
    pub(super) fn ask(&mut self, id: &EndpointId, key: LaneKey) {
        let now = self.clock.now();
        self.questions += 1;
        let question = Question(self.questions);
        let lane = lane_id(id, key);
        self.effects.push(Effect::AskNext { lane, question });
        if let Some(endpoint) = self.endpoints.get_mut(id) {
            endpoint.set_phase(key, Phase::Asking(question), now);
        }
    }

    /// Nothing more is sent for the scope. What is in flight may still arrive; if it does not, it is cancelled.
    pub(super) fn disconnected(&mut self, scope: ScopeId) {
        let mut except = Vec::new();
        for id in self.endpoints_of(&scope) {
            for key in self.lanes_of(&id, &scope) {
                if let Some(lane) = self.lane_in_flight(&id, key) {
                    lane.doom = Some(CancelReason::Disconnected);
                    except.push((key.conversation, lane.head.number));
                } else {
                    self.drop_lane(&id, key);
                }
            }
            self.settle(&id);
        }
        self.effects.push(Effect::CancelScope { scope, except });
    }

    /// Cancels one message: at once, or when it comes back without success.
    pub(super) fn discard(&mut self, lane: LaneId, number: OutNumber) {
        let found = self.find(&lane);
        if let Some((id, key)) = &found
            && let Some(doomed) = self.lane_in_flight(id, *key)
            && doomed.head.number == number
        {
            doomed.doom = Some(CancelReason::Discarded);
            return;
        }
        let why = CancelReason::Discarded;
        let at = self.clock.wall_now();
        self.effects.push(Effect::Record {
            lane,
            number,
            entry: Box::new(Entry {
                attempt: None,
                tally: None,
                state: DeliveryState::Cancelled { at, why },
            }),
        });
        let Some((id, key)) = found else { return };
        let lane = self.endpoints.get(&id).and_then(|there| there.lane(key));
        match lane.map(|lane| (lane.phase, lane.head.number)) {
            Some((Phase::Ready | Phase::Waiting { .. }, head)) if head == number => {
                self.ask(&id, key);
            }
            // The answer that is on its way may name the message that was just cancelled.
            Some((Phase::Asking(_), _)) => self.ask(&id, key),
            Some(_) | None => {}
        }
        self.settle(&id);
    }

    /// A lane for this head, due when its record says, or now if that is later than the longest wait there is.
    pub(super) fn resident(&self, head: Head) -> Lane {
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
        Lane {
            overdue_at: Some(self.clock.at_most_ahead(head.since.plus(overdue), overdue)),
            head,
            phase,
            doom: None,
            leaving: false,
            overtaken: false,
            probes: 0,
        }
    }

    pub(super) fn due(&self, head: &Head) -> Steady {
        self.clock
            .unless_far_ahead(head.tally.due, retry::DELAY_MAX)
    }

    /// Takes the lane out of its endpoint if it waits for exactly this answer.
    fn flight(
        &mut self,
        id: &EndpointId,
        key: LaneKey,
        returned: &Returned,
    ) -> Option<(Lane, Flight)> {
        let endpoint = self.endpoints.get_mut(id)?;
        let lane = endpoint.lane(key)?;
        let Phase::InFlight(flight) = lane.phase else {
            return None;
        };
        if lane.head.number != returned.number || flight.attempt != returned.attempt {
            return None;
        }
        Some((endpoint.remove(key)?, flight))
    }

    /// What the outcome means for the endpoint and for the message.
    fn weigh(
        &mut self,
        id: &EndpointId,
        key: LaneKey,
        lane: &Lane,
        flight: Flight,
        returned: &Returned,
    ) -> (Verdict, Option<Change>) {
        let (now, limits) = (self.clock.now(), self.limits);
        let report = Report {
            class: returned.outcome.class(),
            lane: key,
            probe: flight.probe,
            retry_after: returned.outcome.retry_after(),
            took: returned.trace.took(),
            jitter: returned.jitter,
        };
        let mut case = Case {
            class: report.class,
            tally: lane.head.tally,
            attempt: flight.attempt,
            doom: lane.doom,
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
            if let Some(Change::Disabled(why)) = change {
                endpoint.settings.switch = Switch::Disabled(why);
            }
            case.held = endpoint.hold(key, now);
            // An attempt that the endpoint's own trouble may have spoilt is not the message's fault.
            case.healthy = !flight.probe && was_well && endpoint.is_well(now);
        }
        (judge(&case, &limits.budget), change)
    }

    fn record(&mut self, returned: &Returned, verdict: Verdict) {
        let trace = returned.trace.clone();
        let attempt = Attempt {
            charged: verdict.charged,
            next: verdict.wait.map(|_| verdict.tally.due),
            ..Attempt::new(returned.attempt, &returned.outcome, trace)
        };
        self.effects.push(Effect::Record {
            lane: returned.lane.clone(),
            number: returned.number,
            entry: Box::new(Entry {
                attempt: Some(attempt),
                tally: Some(verdict.tally),
                state: verdict.state,
            }),
        });
    }

    fn announce(&mut self, id: &EndpointId, change: Option<Change>) {
        let endpoint = id.clone();
        let tidings = match change {
            None => return,
            Some(Change::Opened) => Tidings::EndpointOpened { endpoint },
            Some(Change::Recovered) => Tidings::EndpointRecovered { endpoint },
            Some(Change::Disabled(why)) => Tidings::EndpointDisabled { endpoint, why },
            Some(Change::StillFails(probed)) => Tidings::EndpointStillFails { endpoint, probed },
        };
        self.effects.push(Effect::Tell(tidings));
    }

    /// Puts the lane back where it belongs now, or lets it go.
    fn go_on(
        &mut self,
        id: &EndpointId,
        key: LaneKey,
        mut lane: Lane,
        verdict: &Verdict,
        returned: &Returned,
    ) {
        lane.doom = None;
        if lane.leaving || self.draining {
            self.lanes = self.lanes.saturating_sub(1);
            if lane.leaving {
                self.expect_more(&id.other_version());
            }
            return;
        }
        lane.phase = self.pause_of(verdict.wait, returned);
        let overtaken = std::mem::take(&mut lane.overtaken);
        self.put(id, key, lane);
        if verdict.state.is_final() || overtaken {
            self.ask(id, key);
        }
    }

    fn pause_of(&self, wait: Option<Duration>, returned: &Returned) -> Phase {
        match wait {
            Some(wait) => Phase::Waiting {
                until: self.clock.now().plus(wait),
                why: Some(returned.outcome.class()),
            },
            None => Phase::Ready,
        }
    }

    fn put(&mut self, id: &EndpointId, key: LaneKey, lane: Lane) {
        if let Some(endpoint) = self.endpoints.get_mut(id) {
            endpoint.insert(key, lane);
        }
    }
}

//! The shell and the receivers: they carry out the effects of the machine, and check them.

use std::time::Duration;

use super::{Flight, IN_FLIGHT_MAX, LIMITS, Mood, World};
use switchboard_domain::dispatch::delivery_queue::{OutNumber, QueueId};
use switchboard_domain::dispatch::effect::{DispatchEvent, Effect};
use switchboard_domain::dispatch::endpoint::{EndpointId, EndpointState, Switch};
use switchboard_domain::dispatch::event::{Event, Returned};
use switchboard_domain::dispatch::outcome::{AttemptFailure, Class, Outcome, ReceiverAnswer};
use switchboard_domain::dispatch::record::{
    AttemptTrace, CancelReason, DeliveryState, LoggedChange,
};
use switchboard_domain::dispatch::retry::Jitter;
use switchboard_domain::dispatch::schedule::SlotClass;
use switchboard_domain::hook_version::HookVersion;
use switchboard_domain::id::{ConversationId, ScopeId};

impl World {
    pub(super) fn feed(&mut self, event: Event) {
        let effects = self.step(event);
        self.perform(effects);
    }

    pub(super) fn step(&mut self, event: Event) -> Vec<Effect> {
        let now = self.wall();
        self.told_skew = self.skew;
        let effects = self.machine.step(event, now);
        let occupancy = self.machine.occupancy();
        assert!(
            occupancy.queues <= LIMITS().queues,
            "history {}: {occupancy:?}",
            self.history
        );
        effects
    }

    pub(super) fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send {
                    queue,
                    endpoint,
                    number,
                    attempt,
                    slot,
                } => self.sends(queue, endpoint, (number, attempt), slot),
                Effect::Record {
                    queue,
                    number,
                    entry,
                } => self.records(queue, number, &entry),
                Effect::AskNext { queue, question } => {
                    let head = self.head(&queue);
                    let event = Event::NextHead {
                        queue,
                        question,
                        head,
                    };
                    self.answers.push(super::Answer::Next(event));
                }
                Effect::PageIn { endpoint, room } => {
                    self.answers.push(super::Answer::Page(endpoint, room));
                }
                Effect::CancelGroup { group, except } => self.cancels(&group, &except),
                // The shell waits for as long as the wall clock says now.
                Effect::ArmTimer { at } => {
                    let wait = at.since(self.wall());
                    self.timer = Some(self.time + u64::try_from(wait.as_millis()).unwrap());
                }
                Effect::Publish(DispatchEvent::EndpointDisabled { endpoint, why }) => {
                    self.settings.get_mut(&endpoint).unwrap().switch = Switch::Disabled(why);
                }
                Effect::Publish(DispatchEvent::EndpointStillFails { endpoint, probed }) => {
                    self.settings.get_mut(&endpoint).unwrap().probed = probed;
                }
                Effect::Publish(_) => {}
            }
        }
    }

    fn sends(
        &mut self,
        queue: QueueId,
        endpoint: EndpointId,
        which: (OutNumber, u32),
        slot: SlotClass,
    ) {
        let (number, attempt) = which;
        self.check_send(&queue, &endpoint, number, attempt);
        let (outcome, received, took) = self.receives(&endpoint, queue.conversation);
        let message = self.message(&queue, number);
        message.sent = true;
        let began = self.wall();
        let jitter = Jitter(u32::try_from(self.random() >> 32).unwrap());
        let returned = Returned {
            queue,
            number,
            attempt,
            outcome,
            trace: AttemptTrace {
                began,
                address: None,
                answered_ms: None,
                took_ms: took,
                excerpt: String::new(),
            },
            jitter,
        };
        assert!(received || outcome.class() != Class::Delivered);
        self.flights.push(Flight {
            endpoint: endpoint.clone(),
            slot,
            back_at: self.time + u64::from(took),
            returned,
        });
        self.check_slots(&endpoint);
    }

    /// D2 and D3, and that only an endpoint that is on is used.
    fn check_send(
        &mut self,
        queue: &QueueId,
        endpoint: &EndpointId,
        number: OutNumber,
        attempt: u32,
    ) {
        let history = self.history;
        assert!(
            !self
                .flights
                .iter()
                .any(|flight| flight.returned.queue == *queue),
            "history {history}: two in flight in {queue:?}"
        );
        assert_eq!(
            self.settings[endpoint].switch,
            Switch::On,
            "history {history}"
        );
        let messages = &self.store[queue];
        for (_, before) in messages.range(..number) {
            assert!(
                before.record.state.is_final() || before.lost,
                "history {history}: {number:?} overtakes in {queue:?}"
            );
        }
        let message = &messages[&number];
        assert!(
            !message.record.state.is_final(),
            "history {history}: sent after the end"
        );
        assert!(
            !message.settled,
            "history {history}: sent twice without need"
        );
        assert!(
            !message.sent || attempt > 1,
            "history {history}: a repeat looks like a first"
        );
    }

    fn check_slots(&self, endpoint: &EndpointId) {
        let history = self.history;
        let slow = self
            .flights
            .iter()
            .filter(|flight| flight.slot == SlotClass::Slow);
        assert!(self.flights.len() <= LIMITS().slots, "history {history}");
        assert!(slow.count() <= LIMITS().slots_slow, "history {history}");
        let here = self
            .flights
            .iter()
            .filter(|flight| flight.endpoint == *endpoint)
            .count();
        assert!(
            here <= usize::from(IN_FLIGHT_MAX.max(4)),
            "history {history}"
        );
        if let EndpointState::Open { .. }
        | EndpointState::Failing {
            conversation: Some(_),
            ..
        } = self.machine.health(endpoint)
        {
            assert_eq!(
                here, 1,
                "history {history}: an open endpoint is probed once at a time"
            );
        }
    }

    /// Returns a receiver's reaction to a message: the outcome, whether it now has the message, and the duration.
    fn receives(
        &mut self,
        endpoint: &EndpointId,
        conversation: ConversationId,
    ) -> (Outcome, bool, u32) {
        let with_status = |status| Outcome::Answered(ReceiverAnswer::plain(status));
        let pause = |status, secs| {
            let retry_after = Some(Duration::from_secs(secs));
            Outcome::Answered(ReceiverAnswer {
                retry_after,
                ..ReceiverAnswer::plain(status)
            })
        };
        let lucky = self.below(2) == 0;
        match self.moods[endpoint] {
            Mood::Poisoned if conversation == ConversationId::from_bytes([1; 16]) => {
                (with_status(500), false, 20)
            }
            Mood::NotExpressible if endpoint.version == HookVersion::V1 && lucky => {
                (Outcome::Failed(AttemptFailure::NotExpressible), false, 0)
            }
            Mood::Well | Mood::Poisoned | Mood::NotExpressible => (with_status(200), true, 20),
            Mood::Fails => (with_status(500), false, 20),
            Mood::Hangs => (Outcome::Failed(AttemptFailure::TimedOut), true, 10_000),
            Mood::Flaky if lucky => (with_status(204), true, 1_500),
            Mood::Flaky => (Outcome::Failed(AttemptFailure::Unknown), true, 5),
            Mood::Refuses => (with_status(422), false, 20),
            Mood::Moved => (with_status(301), false, 20),
            Mood::TooMany => (pause(429, 7), false, 20),
            Mood::Away => (pause(503, 90), false, 20),
            Mood::Gone => (with_status(410), false, 20),
            Mood::Aborts => {
                let no_retry = true;
                let answer = ReceiverAnswer {
                    no_retry,
                    ..ReceiverAnswer::plain(400)
                };
                (Outcome::Answered(answer), false, 20)
            }
        }
    }

    fn records(&mut self, queue: QueueId, number: OutNumber, entry: &LoggedChange) {
        let message = self.message(&queue, number);
        let before = message.record.clone();
        message.record.apply(entry);
        self.unsynced.push((queue, number, before));
    }

    fn cancels(&mut self, scope: &ScopeId, except: &[(QueueId, OutNumber)]) {
        let at = self.wall();
        for (queue, messages) in self
            .store
            .iter_mut()
            .filter(|(queue, _)| queue.scope == *scope)
        {
            for (number, message) in messages {
                if !except.contains(&(queue.clone(), *number)) {
                    let why = CancelReason::Disconnected;
                    message.record.apply(&LoggedChange {
                        attempt: None,
                        tally: None,
                        state: DeliveryState::Cancelled { at, why },
                    });
                }
            }
        }
    }
}

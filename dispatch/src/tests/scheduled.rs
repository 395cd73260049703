//! Deliveries with names of their own and attempts by a table: the machine knows neither channels nor conversations.

use std::time::Duration;

use super::super::rules::{AttemptRules, AttemptSchedule};
use super::super::*;
use super::{DOWN, OK};
use crate::delivery_queue::QueueHead;
use crate::event::Returned;
use crate::outcome::{Outcome, ReceiverAnswer};
use crate::record::{AttemptTrace, DeliveryState, Tally};
use crate::retry::Jitter;
use switchboard_values::id::ConversationId;

const MINUTE: Duration = Duration::from_secs(60);
const WAITS: [Duration; 4] = [
    Duration::from_secs(5 * 60),
    Duration::from_secs(15 * 60),
    Duration::from_secs(15 * 60),
    Duration::from_secs(60 * 60),
];
const SCHEDULE: AttemptSchedule = AttemptSchedule {
    waits: &WAITS,
    attempts: 3,
    attempts_of_server: 5,
    bad_max: 100,
    bad_within: Duration::from_secs(2 * 3_600),
};

/// Letters: an endpoint is a letter, a queue a number of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letters;

impl Routing for Letters {
    type Endpoint = char;
    type Group = char;
    type Queue = (char, u32);
    type Key = u32;
    type Share = ();

    fn key(queue: &(char, u32)) -> u32 {
        queue.1
    }

    fn queue(endpoint: &char, key: u32) -> (char, u32) {
        (*endpoint, key)
    }

    fn share(_key: u32) {}

    fn group(queue: &(char, u32)) -> char {
        queue.0
    }

    fn endpoints(group: &char) -> Vec<char> {
        vec![*group]
    }

    fn is_of(_key: u32, _group: &char) -> bool {
        true
    }

    fn other(_endpoint: &char) -> Option<char> {
        None
    }

    fn conversation(_key: u32) -> Option<ConversationId> {
        None
    }
}

/// A machine with its time, which nothing but the test moves.
struct Clockwork {
    machine: Dispatch<Letters>,
    ms: u64,
    /// The attempts in flight: queue, number and attempt.
    sends: Vec<((char, u32), OutNumber, u32)>,
    states: Vec<((char, u32), DeliveryState)>,
    is_disabled: bool,
}

impl Clockwork {
    fn new() -> Self {
        let limits = DispatchLimits {
            rules: AttemptRules::Scheduled(SCHEDULE),
            ..DispatchLimits::default()
        };
        Self {
            machine: Dispatch::new(limits),
            ms: 1_000_000,
            sends: Vec::new(),
            states: Vec::new(),
            is_disabled: false,
        }
    }

    fn feed(&mut self, event: Event<Letters>) {
        for effect in self.machine.step(event, UnixMillis::new(self.ms)) {
            match effect {
                Effect::Send {
                    queue,
                    number,
                    attempt,
                    ..
                } => self.sends.push((queue, number, attempt)),
                Effect::Record { queue, entry, .. } => self.states.push((queue, entry.state)),
                Effect::AskNext { queue, question } => self.feed(Event::NextHead {
                    queue,
                    question,
                    head: None,
                }),
                Effect::PageIn { endpoint, .. } => self.feed(Event::Paged {
                    endpoint,
                    complete: true,
                }),
                Effect::Publish(DispatchEvent::EndpointDisabled { why, .. }) => {
                    assert_eq!(why, HoldReason::GivenUp);
                    self.is_disabled = true;
                }
                Effect::Publish(_) | Effect::ArmTimer { .. } | Effect::CancelGroup { .. } => {}
            }
        }
    }

    fn enqueue(&mut self, endpoint: char, key: u32) {
        self.feed(Event::MessageQueued {
            queue: (endpoint, key),
            endpoint,
            head: QueueHead {
                number: OutNumber(1),
                since: UnixMillis::new(self.ms),
                tally: Tally::default(),
                replay: false,
                inherited: false,
            },
        });
    }

    /// Answers all attempts in flight.
    fn answer(&mut self, outcome: Outcome) -> usize {
        let sends = std::mem::take(&mut self.sends);
        for (queue, number, attempt) in &sends {
            self.feed(Event::Returned(Box::new(Returned {
                queue: *queue,
                number: *number,
                attempt: *attempt,
                outcome,
                trace: AttemptTrace {
                    began: UnixMillis::new(self.ms),
                    address: None,
                    answered_ms: None,
                    took_ms: 5,
                    excerpt: String::new(),
                },
                jitter: Jitter(7),
            })));
        }
        sends.len()
    }

    /// Passes time in steps of a second until an attempt is made; returns the seconds, none after a day.
    fn seconds_to_attempt(&mut self) -> Option<u64> {
        (1..=86_400).find(|_| {
            self.ms += 1_000;
            self.feed(Event::Tick);
            !self.sends.is_empty()
        })
    }

    /// Fails every attempt of one delivery; returns the minutes before each.
    fn minutes_of_attempts(&mut self, outcome: Outcome) -> Vec<u64> {
        let mut minutes = vec![0];
        self.answer(outcome);
        while let Some(seconds) = self.seconds_to_attempt() {
            minutes.push(seconds / 60);
            self.answer(outcome);
        }
        minutes
    }
}

fn status(status: u16) -> Outcome {
    Outcome::Answered(ReceiverAnswer::plain(status))
}

#[test]
fn attempts_follow_the_schedule_of_their_last_status() {
    let table = [
        (status(404), vec![0, 5, 15]),
        (status(410), vec![0, 5, 15]),
        (status(301), vec![0, 5, 15]),
        (DOWN, vec![0, 5, 15]),
        (status(499), vec![0, 5, 15, 15, 60]),
        (status(503), vec![0, 5, 15, 15, 60]),
        (status(599), vec![0, 5, 15, 15, 60]),
        (status(600), vec![0, 5, 15]),
        (OK, vec![0]),
    ];
    for (outcome, minutes) in table {
        let mut t = Clockwork::new();
        t.enqueue('a', 1);
        assert_eq!(t.minutes_of_attempts(outcome), minutes, "{outcome:?}");
        let (_, state) = t.states.last().unwrap();
        assert!(state.is_final(), "{outcome:?}: {state:?}");
    }
}

#[test]
fn failures_of_one_delivery_hold_no_other() {
    let mut t = Clockwork::new();
    for key in 1..=40 {
        t.enqueue('a', key);
    }
    assert_eq!(
        t.sends.len(),
        32,
        "as many as the endpoint may have at once"
    );
    assert_eq!(t.answer(DOWN), 32);
    assert_eq!(t.sends.len(), 8, "the others do not wait for a probe");
    t.answer(OK);
    t.enqueue('b', 1);
    assert_eq!(t.answer(OK), 1, "nor does another endpoint");
}

#[test]
fn too_many_bad_answers_within_the_time_switch_an_endpoint_off() {
    let mut t = Clockwork::new();
    for key in 1..=100 {
        t.enqueue('a', key);
        t.answer(status(404));
    }
    assert!(!t.is_disabled, "100 are not more than 100");
    // One good answer among them does not forget the bad ones.
    t.enqueue('a', 101);
    t.answer(OK);
    assert!(!t.is_disabled);
    t.enqueue('a', 102);
    t.answer(status(500));
    assert!(t.is_disabled);
    t.enqueue('a', 103);
    assert_eq!(t.sends.len(), 0, "nothing is sent while it is off");
    assert_eq!(
        t.machine.health(&'a'),
        EndpointState::Disabled {
            why: HoldReason::GivenUp
        }
    );
    let settings = EndpointSettings {
        revision: 1,
        ..EndpointSettings::default()
    };
    let endpoint = 'a';
    t.feed(Event::EndpointChanged { endpoint, settings });
    assert!(!t.sends.is_empty(), "it is sent to again at once");
}

#[test]
fn bad_answers_over_a_longer_time_switch_nothing_off() {
    let mut t = Clockwork::new();
    for key in 1..=300 {
        t.enqueue('a', key);
        // Retries of earlier ones are answered well, so only the first attempts are bad.
        let sends = std::mem::take(&mut t.sends);
        let (first, retries): (Vec<_>, Vec<_>) =
            sends.into_iter().partition(|(queue, _, _)| queue.1 == key);
        t.sends = retries;
        t.answer(OK);
        t.sends = first;
        t.answer(status(404));
        t.ms += u64::try_from(MINUTE.as_millis()).unwrap() * 3 / 2;
        t.feed(Event::Tick);
    }
    assert!(!t.is_disabled);
}

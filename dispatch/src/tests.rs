//! The promises of the machine as scenarios: bounded memory, fair slots, three days of a dead receiver.

mod harness;
mod scheduled;

use std::time::Duration;

use super::*;
use crate::delivery_queue::{OutNumber, QueueHead, QueueId};
use crate::outcome::{AttemptFailure, Class, Outcome, ReceiverAnswer};
use crate::record::{CancelReason, DeathReason, DeliveryState, LoggedChange, Tally};
use crate::schedule::SlotClass;
use crate::tests::harness::{Harness, endpoint, queue};

const OK: Outcome = Outcome::Answered(ReceiverAnswer {
    status: 200,
    retry_after: None,
    no_retry: false,
});
const DOWN: Outcome = Outcome::Failed(AttemptFailure::Refused);

/// A million messages for a dead endpoint take no more memory than is configured.
#[test]
fn a_million_messages_for_a_dead_endpoint_use_bounded_memory() {
    let limits = DispatchLimits {
        queues: 10_000,
        queues_per_endpoint: 10_000,
        ..DispatchLimits::default()
    };
    let mut t = Harness::new(limits);
    // 100,000 queues; of the ten messages of each, the machine ever hears of the first.
    for number in 0..100_000 {
        let effects = t.enqueue(queue("dead", number), 1);
        assert!(effects.len() < 16);
        t.answer_all(|_| DOWN);
        assert!(t.machine.occupancy().queues <= limits.queues);
    }
    assert_eq!(t.machine.occupancy().queues, limits.queues);
    assert!(matches!(
        t.machine.health(&endpoint("dead")),
        EndpointState::Open { .. }
    ));
    // The full memory does not stop another endpoint.
    t.sends.clear();
    t.enqueue(queue("alive", 1), 1);
    assert_eq!(t.sends.len(), 1);
    assert_eq!(t.sends[0].queue, queue("alive", 1));
    assert!(t.machine.occupancy().queues <= limits.queues);
}

#[test]
fn a_three_day_outage_loses_no_message_and_sends_few_requests() {
    let mut t = Harness::new(DispatchLimits::default());
    for number in 0..20 {
        t.enqueue(queue("dead", number), 1);
    }
    let begin = t.ms;
    let mut sends = 0;
    while t.tidings_of_end().is_none() {
        sends += t.answer_all(|_| DOWN);
        t.ring();
    }
    let hours = (t.ms - begin) / 3_600_000;
    assert_eq!(hours, 72);
    assert!((1_000..1_600).contains(&sends), "{sends}");
    assert!(
        t.records
            .iter()
            .all(|(_, _, entry)| !entry.state.is_final())
    );
    let charged = t
        .records
        .iter()
        .filter_map(|(_, _, entry)| entry.tally)
        .map(|tally| tally.charged);
    assert!(charged.max().unwrap() <= 4);
    let why = HoldReason::GivenUp;
    assert_eq!(
        t.machine.head_status(&queue("dead", 3)),
        Some(HeadStatus::Held { why })
    );
    // Switched on again, everything leaves.
    t.switch("dead", Switch::On);
    t.run_until_quiet(|_| OK);
    let deliveries = t
        .records
        .iter()
        .filter(|(_, _, entry)| entry.state.is_final());
    assert_eq!(deliveries.count(), 20);
}

/// A message that is always refused dies after a few attempts, and its conversation goes on: after four of a refusal that
/// cannot change, after eight of others.
#[test]
fn a_refused_message_dies_after_few_attempts_and_frees_others() {
    for status in [400, 413, 422] {
        refused_until_dead(status, Class::Refused, 4, 36_000);
    }
    refused_until_dead(409, Class::Rejected, 8, 1_956_000);
}

fn refused_until_dead(status: u16, last: Class, attempts: usize, within_ms: u64) {
    let mut t = Harness::new(DispatchLimits::default());
    t.enqueue(queue("a", 1), 2);
    let begin = t.ms;
    let mut rejections = Vec::new();
    while t.deaths() == 0 {
        assert_eq!(t.sends[0].number, OutNumber(1));
        rejections.push(t.ms - begin);
        t.answer_all(|_| Outcome::Answered(ReceiverAnswer::plain(status)));
        if t.sends.is_empty() {
            t.ring();
        }
        t.ring_until_sent();
    }
    assert_eq!(rejections.len(), attempts, "{status}");
    assert!(*rejections.last().unwrap() <= within_ms, "{rejections:?}");
    assert_eq!(t.sends[0].number, OutNumber(2));
    let (_, _, entry) = t.records.last().unwrap();
    assert!(matches!(
        entry.state,
        DeliveryState::Dead { why: DeathReason::Attempts { last: class }, .. } if class == last
    ));
}

/// 404 for one conversation while others get through is the message's; where all get it, the address is wrong, and no
/// message is given up.
#[test]
fn a_message_dies_of_404_only_while_others_arrive() {
    for (others, deaths) in [(200, 1), (404, 0)] {
        let mut t = Harness::new(DispatchLimits::default());
        t.enqueue(queue("a", 1), 1);
        for conversation in 2..42 {
            t.enqueue(queue("a", conversation), 1);
            t.answer_all(|of| {
                let status = if *of == queue("a", 1) { 404 } else { others };
                Outcome::Answered(ReceiverAnswer::plain(status))
            });
            t.ring();
        }
        assert_eq!(t.deaths(), deaths, "others get {others}");
    }
}

#[test]
fn hanging_endpoints_leave_three_quarters_of_the_slots_free() {
    let mut t = Harness::new(DispatchLimits::default());
    for number in 0..400_u32 {
        t.enqueue(queue(&format!("hangs{}", number % 10), number), 3);
    }
    let hang = |_: &QueueId| Outcome::Failed(AttemptFailure::TimedOut);
    for _ in 0..4 {
        t.took_ms = 10_000;
        t.answer_all(hang);
        t.ring();
    }
    t.machine_ticks_after(600);
    t.sends.clear();
    for number in 0..400_u32 {
        t.enqueue(queue(&format!("well{}", number % 90), number), 1);
    }
    let occupancy = t.machine.occupancy();
    assert!(occupancy.in_flight_slow <= 64);
    let fast = t
        .sends
        .iter()
        .filter(|sent| sent.slot == SlotClass::Fast)
        .count();
    assert!(fast >= 192, "{fast} of {occupancy:?}");
}

/// A message that fails at the receiver does not keep its endpoint closed for other conversations.
#[test]
fn a_failing_message_does_not_keep_the_breaker_open_for_others() {
    let mut t = Harness::new(DispatchLimits::default());
    let poison = queue("a", 0);
    for number in 0..5 {
        t.enqueue(queue("a", number), 1);
    }
    // All fail until the breaker opens; from then on only the oldest message does.
    while !matches!(t.machine.health(&endpoint("a")), EndpointState::Open { .. }) {
        t.answer_all(|_| DOWN);
        t.ring();
    }
    t.run_until_quiet(|queue| if *queue == poison { DOWN } else { OK });
    let deliveries = t
        .records
        .iter()
        .filter(|(_, _, entry)| matches!(entry.state, DeliveryState::Delivered { .. }));
    assert_eq!(deliveries.count(), 4);
}

#[test]
fn a_message_that_always_fails_blocks_only_its_conversation() {
    let mut t = Harness::new(DispatchLimits::default());
    let poison = queue("a", 0);
    let fails = Outcome::Answered(ReceiverAnswer::plain(500));
    t.enqueue(poison.clone(), 2);
    while !t.holds_one_conversation() {
        t.answer_all(|_| fails);
        t.ring();
    }
    let mut others = 0;
    while t.deaths() == 0 {
        t.answer_all(|_| fails);
        if t.holds_one_conversation() {
            let why = HoldReason::Conversation;
            assert_eq!(
                t.machine.head_status(&poison),
                Some(HeadStatus::Held { why })
            );
        }
        // Whatever the poisoned conversation does, another one is sent in the moment in which it is written.
        others += 1;
        t.enqueue(queue("a", others), 1);
        assert_eq!(t.sends.last().unwrap().queue, queue("a", others));
        t.answer_all(|queue| if *queue == poison { fails } else { OK });
        t.ring();
    }
    // Its message is charged, since others arrive.
    let dead = |entry: &LoggedChange| matches!(entry.state, DeliveryState::Dead { .. });
    let died = t.records.iter().find(|(.., entry)| dead(entry)).unwrap();
    assert_eq!((&died.0, died.1), (&poison, OutNumber(1)));
    assert_eq!(died.2.tally.unwrap().charged, 8);
    let deliveries = t
        .records
        .iter()
        .filter(|(_, _, entry)| matches!(entry.state, DeliveryState::Delivered { .. }));
    assert_eq!(deliveries.count(), usize::try_from(others).unwrap());
    // The next one of the conversation goes out then.
    t.run_until_quiet(|_| OK);
    let (_, number, entry) = t.records.last().unwrap();
    assert_eq!(*number, OutNumber(2));
    assert!(matches!(entry.state, DeliveryState::Delivered { .. }));
}

#[test]
fn a_conversation_that_fails_alone_reports_its_next_attempt() {
    let mut t = Harness::new(DispatchLimits::default());
    t.enqueue(queue("a", 7), 1);
    while !t.holds_one_conversation() {
        t.ring();
        t.answer_all(|_| DOWN);
    }
    let EndpointState::Failing {
        conversation,
        next_probe: Some(at),
    } = t.machine.health(&endpoint("a"))
    else {
        panic!("{:?}", t.machine.health(&endpoint("a")));
    };
    assert_eq!(conversation, Some(queue("a", 7).conversation));
    assert!(at.get() <= t.ms + 6_000);
    // The receiver is down: the next conversation shows it, and is held with all that come.
    t.enqueue(queue("a", 8), 1);
    t.answer_all(|_| DOWN);
    t.enqueue(queue("a", 9), 1);
    assert!(t.sends.is_empty());
    let why = HoldReason::Failing;
    for number in 7..=9 {
        assert_eq!(
            t.machine.head_status(&queue("a", number)),
            Some(HeadStatus::Held { why })
        );
    }
}

/// An address that failed once before four days off is not given up after another failure.
#[test]
fn a_stop_of_four_days_counts_as_no_failure_time() {
    let mut t = Harness::new(DispatchLimits::default());
    t.restarted_after(Duration::from_secs(4 * 24 * 3_600), Duration::from_secs(60));
    for number in 0..20 {
        t.enqueue(queue("a", number), 1);
    }
    t.answer_all(|_| DOWN);
    assert_eq!(t.tidings_of_end(), None);
    t.run_until_quiet(|_| OK);
    assert_eq!(t.machine.health(&endpoint("a")), EndpointState::Healthy);
}

/// The head of a delivery queue from before the start is never sent as a first attempt.
#[test]
fn a_head_left_by_an_earlier_process_is_sent_as_a_retry() {
    let mut t = Harness::new(DispatchLimits::default());
    t.inherited = true;
    t.enqueue(queue("a", 1), 1);
    assert_eq!(t.sends[0].attempt, 2);
}

#[test]
fn a_clock_set_back_neither_loses_nor_repeats_a_retry() {
    let mut t = Harness::new(DispatchLimits::default());
    t.enqueue(queue("a", 1), 1);
    t.answer_all(|_| DOWN);
    let at = t.timer.unwrap();
    t.ms -= 3_600_000;
    t.tick();
    assert!(t.sends.is_empty());
    let again = t.timer.unwrap();
    assert!(again + 3_600_000 <= at + 1, "the timer follows the clock");
    t.ms = again;
    t.tick();
    assert_eq!(t.sends.len(), 1);
}

#[test]
fn a_retry_planned_with_a_clock_ahead_is_due_at_once() {
    let longest = u64::try_from(retry::DELAY_MAX.as_millis()).unwrap();
    for (wait, sent) in [(longest, 0), (longest + 1, 1), (10 * 365 * longest, 1)] {
        let mut t = Harness::new(DispatchLimits::default());
        let due = UnixMillis::new(t.ms + wait);
        t.feed(Event::MessageQueued {
            queue: queue("a", 1),
            endpoint: endpoint("a"),
            head: QueueHead {
                number: OutNumber(1),
                since: UnixMillis::new(t.ms),
                tally: Tally {
                    due,
                    ..Tally::default()
                },
                replay: false,
                inherited: true,
            },
        });
        assert_eq!(t.sends.len(), sent, "{wait} ms");
    }
}

/// A callback discarded in flight is cancelled only if it does not arrive.
#[test]
fn a_discard_in_flight_cancels_only_undelivered_callbacks() {
    for (outcome, arrives) in [(OK, true), (DOWN, false)] {
        let mut t = Harness::new(DispatchLimits::default());
        t.enqueue(queue("a", 1), 1);
        let discard = Event::Discard {
            queue: queue("a", 1),
            number: OutNumber(1),
            why: CancelReason::Withdrawn,
        };
        t.feed(discard);
        assert!(t.records.is_empty());
        t.answer_all(|_| outcome);
        let state = t.records[0].2.state;
        let at = UnixMillis::new(t.ms);
        let why = CancelReason::Withdrawn;
        let final_state = if arrives {
            DeliveryState::Delivered { at }
        } else {
            DeliveryState::Cancelled { at, why }
        };
        assert_eq!(state, final_state);
    }
}

#[test]
fn a_disconnected_scope_keeps_only_callbacks_in_flight() {
    let mut t = Harness::new(DispatchLimits::default());
    let group = queue("a", 1).scope;
    t.enqueue(queue("a", 1), 3);
    t.switch("a", Switch::NoAddress);
    t.enqueue(queue("a", 2), 1);
    let effects = t.feed(Event::GroupClosed {
        group: group.clone(),
    });
    let except = vec![(queue("a", 1), OutNumber(1))];
    assert!(effects.contains(&Effect::CancelGroup { group, except }));
    assert_eq!(t.machine.occupancy().queues, 1);
}

#[test]
fn draining_records_outcomes_and_sends_nothing_new() {
    let mut t = Harness::new(DispatchLimits::default());
    t.enqueue(queue("a", 1), 2);
    t.feed(Event::Draining);
    t.enqueue(queue("b", 1), 1);
    assert_eq!(t.sends.len(), 1);
    assert!(!t.machine.is_drained());
    t.answer_all(|_| OK);
    assert_eq!(t.records.len(), 1);
    assert!(t.sends.is_empty() && t.machine.is_drained());
}

#[test]
fn a_message_that_waits_for_30_seconds_is_reported_once() {
    for (switch, why) in [
        (Switch::NoAddress, HoldReason::NoAddress),
        (Switch::Paused, HoldReason::Paused),
    ] {
        let mut t = Harness::new(DispatchLimits::default());
        t.switch("a", switch);
        t.enqueue(queue("a", 1), 1);
        let begin = t.ms;
        t.ring();
        assert_eq!(Duration::from_millis(t.ms - begin), Duration::from_secs(30));
        let event = DispatchEvent::MessageWaits {
            queue: queue("a", 1),
            number: OutNumber(1),
            held: Some(why),
        };
        assert_eq!(t.published, [event]);
        assert_eq!(t.timer, None);
    }
}

#[test]
fn a_repeated_or_foreign_outcome_changes_nothing() {
    let mut t = Harness::new(DispatchLimits::default());
    t.enqueue(queue("a", 1), 1);
    let send = t.sends[0].clone();
    t.answer_all(|_| OK);
    assert_eq!(t.records.len(), 1);
    t.give_back(&send, OK);
    assert_eq!(t.records.len(), 1);
    assert_eq!(t.machine.occupancy().in_flight, 0);
}

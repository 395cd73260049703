use super::*;
use crate::callbacks::QueueKey;
use switchboard_values::id::{AccountId, ConversationId};
use switchboard_values::time::UnixMillis;

const MAX: u16 = 32;
const GIVE_UP: Duration = Duration::from_secs(72 * 3_600);

fn queue(number: u8) -> QueueKey {
    QueueKey {
        account: AccountId::from_bytes([1; 16]),
        conversation: ConversationId::from_bytes([number; 16]),
    }
}

/// An endpoint and the time, in milliseconds.
struct Patient {
    health: HealthState<QueueKey>,
    clock: crate::clock::DispatchClock,
    ms: u64,
}

impl Patient {
    fn new() -> Self {
        Self {
            health: HealthState::new(AttemptRules::Adaptive),
            clock: crate::clock::DispatchClock::default(),
            ms: 1_000_000,
        }
    }

    fn now(&mut self) -> Steady {
        self.clock.advance(UnixMillis::new(self.ms))
    }

    fn wait(&mut self, secs: u64) {
        self.ms += secs * 1_000;
    }

    /// One outcome from the queue with this number, as a probe if the gate says so.
    fn sees(&mut self, class: Class, number: u8) -> Option<HealthChange> {
        let now = self.now();
        let report = AttemptReport {
            class,
            queue: queue(number),
            probe: match self.health.allowance(now) {
                SendAllowance::Probe => true,
                SendAllowance::Others(held) => held != queue(number),
                SendAllowance::Open(_) | SendAllowance::Shut => false,
            },
            retry_after: None,
            took: Duration::from_millis(50),
            jitter: Jitter(1 << 31),
        };
        self.health.observe(&report, now, MAX, GIVE_UP)
    }

    /// Five failures, each of another queue: the breaker opens for all.
    fn breaks(&mut self) {
        let changes: Vec<_> = (1..=5)
            .filter_map(|queue| self.sees(Class::Failing, queue))
            .collect();
        assert_eq!(changes, [HealthChange::Opened]);
    }

    fn hold(&mut self, number: u8) -> Option<HoldReason> {
        let now = self.now();
        self.health.hold(queue(number), now)
    }

    fn allowance(&mut self) -> SendAllowance<QueueKey> {
        let now = self.now();
        self.health.allowance(now)
    }

    /// Waits until the gate opens by itself, and says how many seconds that took.
    fn wakes(&mut self) -> u64 {
        let now = self.now();
        let wait = self
            .health
            .wakes_at(now)
            .map_or(0, |at| at.since(now).as_secs());
        self.wait(wait);
        wait
    }
}

#[test]
fn five_failures_in_a_row_open_the_breaker_and_four_do_not() {
    let mut patient = Patient::new();
    for _ in 0..4 {
        assert_eq!(patient.sees(Class::Failing, 1), None);
    }
    assert_eq!(patient.sees(Class::Delivered, 1), None);
    for number in 1..=4 {
        assert_eq!(patient.sees(Class::Failing, number), None);
    }
    assert_eq!(patient.sees(Class::Failing, 1), Some(HealthChange::Opened));
    assert_eq!(patient.allowance(), SendAllowance::Shut);
    assert_eq!(patient.hold(9), Some(HoldReason::Failing));
}

/// A callback that was not sent is no evidence: it neither breaks an endpoint nor ends a probe.
#[test]
fn messages_without_a_form_change_no_health() {
    let mut patient = Patient::new();
    for number in 1..=9 {
        assert_eq!(patient.sees(Class::NotExpressible, number), None);
    }
    assert_eq!(patient.hold(1), None);
    assert!(!patient.health.is_failing() && patient.health.trouble_since().is_none());
    patient.breaks();
    patient.wakes();
    assert_eq!(patient.allowance(), SendAllowance::Probe);
    assert_eq!(patient.sees(Class::NotExpressible, 1), None);
    assert_eq!(patient.allowance(), SendAllowance::Probe);
    let recovered = Some(HealthChange::Recovered);
    assert_eq!(patient.sees(Class::Delivered, 2), recovered);
}

#[test]
fn failures_of_one_conversation_hold_only_that_conversation() {
    let mut patient = Patient::new();
    for _ in 0..4 {
        assert_eq!(patient.sees(Class::Failing, 1), None);
    }
    assert_eq!(patient.sees(Class::Failing, 1), Some(HealthChange::Opened));
    assert_eq!(patient.allowance(), SendAllowance::Others(queue(1)));
    assert_eq!(patient.hold(1), Some(HoldReason::Conversation));
    assert_eq!(patient.hold(2), None);
    // It is probed like an endpoint, and each queue that arrives meanwhile shows that the endpoint is well.
    assert_eq!(patient.wakes(), 5);
    assert_eq!(patient.allowance(), SendAllowance::Probe);
    assert_eq!(patient.sees(Class::Failing, 1), None);
    assert_eq!(patient.allowance(), SendAllowance::Others(queue(1)));
    assert_eq!(
        patient.sees(Class::Delivered, 2),
        Some(HealthChange::Recovered)
    );
    assert_eq!(patient.allowance(), SendAllowance::Open(1));
}

#[test]
fn failures_of_a_second_conversation_blame_the_endpoint() {
    let mut patient = Patient::new();
    for _ in 0..5 {
        patient.sees(Class::Failing, 1);
    }
    assert_eq!(patient.sees(Class::Failing, 2), None);
    assert_eq!(patient.allowance(), SendAllowance::Shut);
    assert_eq!(patient.hold(1), Some(HoldReason::Failing));
    assert_eq!(patient.hold(3), Some(HoldReason::Failing));
    // That was its first probe.
    assert_eq!(patient.wakes(), 10);
}

#[test]
fn an_open_breaker_holds_healthy_conversations_as_well() {
    let mut patient = Patient::new();
    for _ in 0..5 {
        patient.sees(Class::Failing, 1);
    }
    assert_eq!(patient.sees(Class::TooMany, 2), None);
    assert_eq!(patient.allowance(), SendAllowance::Shut);
    assert_eq!(patient.hold(1), Some(HoldReason::Conversation));
    assert_eq!(patient.hold(2), Some(HoldReason::PauseAsked));
}

#[test]
fn half_of_twenty_outcomes_of_a_minute_open_the_breaker() {
    let mut patient = Patient::new();
    for _ in 0..9 {
        assert_eq!(patient.sees(Class::Delivered, 1), None);
        assert_eq!(patient.sees(Class::Failing, 2), None);
    }
    assert_eq!(patient.sees(Class::Delivered, 1), None);
    assert_eq!(patient.sees(Class::Failing, 2), Some(HealthChange::Opened));
}

#[test]
fn failures_of_more_than_a_minute_ago_no_longer_count() {
    let mut patient = Patient::new();
    for _ in 0..40 {
        assert_eq!(patient.sees(Class::Delivered, 1), None);
        patient.wait(4);
        assert_eq!(patient.sees(Class::Failing, 2), None);
        patient.wait(4);
    }
}

#[test]
fn three_address_errors_in_a_row_open_the_breaker() {
    let mut patient = Patient::new();
    assert_eq!(patient.sees(Class::Misconfigured, 1), None);
    assert_eq!(patient.sees(Class::Misconfigured, 1), None);
    assert_eq!(patient.sees(Class::Failing, 1), None);
    assert_eq!(patient.sees(Class::Misconfigured, 1), None);
    // The fifth failure in a row, of whatever kind.
    assert_eq!(
        patient.sees(Class::Misconfigured, 1),
        Some(HealthChange::Opened)
    );

    let mut patient = Patient::new();
    assert_eq!(patient.sees(Class::Misconfigured, 1), None);
    assert_eq!(patient.sees(Class::Misconfigured, 2), None);
    assert_eq!(
        patient.sees(Class::Misconfigured, 3),
        Some(HealthChange::Opened)
    );
}

#[test]
fn probes_grow_rare_and_a_success_resumes_slowly() {
    let mut patient = Patient::new();
    patient.breaks();
    let waits: Vec<_> = (0..8)
        .map(|_| {
            let pause = patient.wakes();
            assert_eq!(patient.allowance(), SendAllowance::Probe);
            patient.sees(Class::Failing, 1);
            pause
        })
        .collect();
    assert_eq!(waits, [5, 10, 20, 40, 60, 120, 210, 210]);
    patient.wakes();
    assert_eq!(
        patient.sees(Class::Delivered, 1),
        Some(HealthChange::Recovered)
    );
    let allowances: Vec<_> = (0..64)
        .map(|_| {
            let gate = patient.allowance();
            patient.sees(Class::Delivered, 1);
            gate
        })
        .collect();
    let steps = [1, 2, 4, 8, 16, 32].map(SendAllowance::Open);
    let mut distinct = allowances;
    distinct.dedup();
    assert_eq!(distinct, steps);
    assert_eq!(patient.health.slow_start(), None);
}

/// An outcome of an attempt from before the breaker opened delays no probe.
#[test]
fn a_late_outcome_does_not_delay_the_half_open_probe() {
    let mut patient = Patient::new();
    patient.breaks();
    let due = patient.health.probing();
    (0..20).for_each(|_| {
        patient.sees(Class::Failing, 2);
    });
    assert_eq!(patient.health.probing(), due);
}

#[test]
fn a_pause_is_not_a_failure_and_ends_by_itself() {
    let mut patient = Patient::new();
    let waits: Vec<_> = (0..10)
        .map(|_| {
            assert_eq!(patient.sees(Class::TooMany, 1), None);
            assert_eq!(patient.allowance(), SendAllowance::Shut);
            patient.wakes()
        })
        .collect();
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    assert_eq!(patient.allowance(), SendAllowance::Open(1));
}

#[test]
fn refusals_of_one_conversation_do_not_blame_the_endpoint() {
    let mut patient = Patient::new();
    for _ in 0..100 {
        assert_eq!(patient.sees(Class::Refused, 1), None);
    }
    assert!(matches!(patient.allowance(), SendAllowance::Open(_)));
}

#[test]
fn refusals_of_all_conversations_open_the_breaker() {
    let mut patient = Patient::new();
    let changes: Vec<_> = (1..=6)
        .filter_map(|queue| patient.sees(Class::Refused, queue))
        .collect();
    assert_eq!(changes, [HealthChange::Opened]);
}

#[test]
fn a_refused_probe_proves_that_the_endpoint_answers() {
    let mut patient = Patient::new();
    patient.breaks();
    patient.wakes();
    assert_eq!(
        patient.sees(Class::Refused, 2),
        Some(HealthChange::Recovered)
    );
    assert_eq!(patient.allowance(), SendAllowance::Open(1));
}

/// After 410 there is no probe until the endpoint is renewed, and then there is one at once.
#[test]
fn a_gone_endpoint_is_probed_only_after_its_renewal() {
    let mut patient = Patient::new();
    let disabled = Some(HealthChange::Disabled(HoldReason::Gone));
    assert_eq!(patient.sees(Class::Gone, 1), disabled);
    patient.wait(1_000_000);
    assert_eq!(patient.allowance(), SendAllowance::Shut);
    assert_eq!(patient.sees(Class::Delivered, 1), None);
    assert_eq!(patient.allowance(), SendAllowance::Shut);
    let now = patient.now();
    patient.health.renew(now);
    assert_eq!(patient.allowance(), SendAllowance::Probe);
    assert_eq!(
        patient.sees(Class::Delivered, 1),
        Some(HealthChange::Recovered)
    );
}

#[test]
fn three_days_without_a_success_end_the_probes() {
    let mut patient = Patient::new();
    let begin = patient.ms;
    let mut probes = 0;
    let end = loop {
        match patient.sees(Class::Failing, 1) {
            Some(HealthChange::Disabled(why)) => break why,
            Some(HealthChange::Opened | HealthChange::Recovered | HealthChange::StillFails(_))
            | None => probes += 1,
        }
        patient.wakes();
    };
    assert_eq!(end, HoldReason::GivenUp);
    let hours = (patient.ms - begin) / 3_600_000;
    assert_eq!(hours, 72);
    assert!((1_200..1_300).contains(&probes), "{probes}");
}

#[test]
fn days_without_an_attempt_do_not_count_as_probing() {
    let days = 24 * 3_600;
    for jumps in [
        &[4 * days][..],
        &[3_650 * days],
        &[4 * days, 4 * days, 4 * days],
    ] {
        let mut patient = Patient::new();
        patient.breaks();
        for jump in jumps {
            patient.wait(*jump);
            assert_eq!(patient.sees(Class::Failing, 1), None);
            assert_eq!(patient.hold(1), Some(HoldReason::Failing));
        }
        // The clock goes back to the true time: it is probed as before.
        patient.ms = 1_001_000;
        assert!(patient.wakes() <= 60);
        assert_eq!(patient.allowance(), SendAllowance::Probe);
        assert_eq!(
            patient.sees(Class::Delivered, 2),
            Some(HealthChange::Recovered)
        );
    }
}

/// The time that an earlier process probed counts, and the time between the processes does not.
#[test]
fn probing_time_of_an_earlier_process_counts_but_not_downtime() {
    for (hours, given_up) in [(71, true), (1, false)] {
        let mut patient = Patient::new();
        let long_ago = patient.now();
        patient.wait(10 * 24 * 3_600);
        let probed = Duration::from_secs(hours * 3_600);
        patient.health.fails_since(long_ago, probed);
        patient.breaks();
        let mut changes = Vec::new();
        for _ in 0..40 {
            patient.wakes();
            changes.extend(patient.sees(Class::Failing, 1));
        }
        let is_over = changes.contains(&HealthChange::Disabled(HoldReason::GivenUp));
        assert_eq!(is_over, given_up, "{changes:?}");
    }
}

#[test]
fn each_hour_of_probing_is_reported_once() {
    let mut patient = Patient::new();
    patient.breaks();
    let begin = patient.ms;
    let mut hours = Vec::new();
    while hours.len() < 5 {
        patient.wakes();
        if let Some(HealthChange::StillFails(probed)) = patient.sees(Class::Failing, 1) {
            assert_eq!(u128::from(patient.ms - begin), probed.as_millis());
            hours.push(probed.as_secs() / 3_600);
        }
    }
    assert_eq!(hours, [1, 2, 3, 4, 5]);
}

#[test]
fn a_hanging_endpoint_is_slow_after_its_first_time_out() {
    let mut patient = Patient::new();
    patient.health.measure(Duration::ZERO);
    patient.health.measure(Duration::from_secs(10));
    assert!(patient.health.latency() > Duration::from_secs(1));
}

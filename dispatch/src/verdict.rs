//! The consequence of an attempt's outcome for its message: delivered, waiting, held, dead or cancelled.

use std::time::Duration;

use crate::outcome::{Charge, Class};
use crate::record::{CancelReason, DeathReason, DeliveryState, HoldReason, Tally};
use crate::retry::{self, Jitter};
use crate::rules::{AttemptRules, AttemptSchedule};
use switchboard_values::time::UnixMillis;

/// The budget of a message before it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Charged attempts; at least 1.
    pub attempts: u32,
    /// Attempts that the receiver refused in a way that cannot change; at least 1.
    pub refusals: u32,
    /// Time spent on its own attempts and retries while its endpoint was healthy.
    pub age: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            attempts: 8,
            refusals: 4,
            age: Duration::from_secs(24 * 3_600),
        }
    }
}

impl Budget {
    /// Returns whether this tally leaves no attempt.
    fn is_used(&self, tally: &Tally) -> bool {
        tally.charged >= self.attempts || tally.refused >= self.refusals
    }
}

/// Everything that decides about a message after an attempt.
pub(super) struct Case {
    pub(super) class: Class,
    /// The HTTP status of the answer; `None` without an answer.
    pub(super) status: Option<u16>,
    pub(super) tally: Tally,
    pub(super) attempt: u32,
    pub(super) doom: Option<CancelReason>,
    /// True when the endpoint was healthy when the attempt was sent and when it ended.
    pub(super) healthy: bool,
    /// The endpoint's present reason to hold its messages.
    pub(super) held: Option<HoldReason>,
    pub(super) retry_after: Option<Duration>,
    pub(super) took: Duration,
    pub(super) now: UnixMillis,
    pub(super) jitter: Jitter,
}

/// The decision about a message after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) state: DeliveryState,
    pub(super) tally: Tally,
    pub(super) charged: bool,
    /// The wait before the next attempt, when it is the message's own.
    pub(super) wait: Option<Duration>,
}

/// Judges the case.
pub(super) fn judge(case: &Case, rules: AttemptRules, budget: &Budget) -> Verdict {
    match rules {
        AttemptRules::Adaptive => judge_adaptively(case, budget),
        AttemptRules::Scheduled(schedule) => judge_by(&schedule, case),
    }
}

/// Judges the case by a table of waits, whatever the endpoint's health. Each attempt counts.
fn judge_by(schedule: &AttemptSchedule, case: &Case) -> Verdict {
    let at = case.now;
    let mut tally = Tally {
        made: case.tally.made.max(case.attempt),
        charged: case.tally.charged.saturating_add(1),
        due: UnixMillis::ZERO,
        ..case.tally
    };
    let last = case.class;
    let pause = match (case.class, case.doom) {
        (Class::Delivered | Class::NotExpressible, _) | (_, Some(_)) => None,
        (_, None) => schedule.wait(tally.charged, case.status),
    };
    let state = match (case.class, case.doom, pause) {
        (Class::Delivered, _, _) => DeliveryState::Delivered { at },
        (_, Some(why), _) => DeliveryState::Cancelled { at, why },
        (Class::NotExpressible, None, _) => DeliveryState::Dead {
            at,
            why: DeathReason::NotExpressible,
        },
        (_, None, Some(pause)) => {
            tally.due = at.plus(pause);
            DeliveryState::Waiting {
                until: tally.due,
                why: last,
            }
        }
        (_, None, None) => DeliveryState::Dead {
            at,
            why: DeathReason::Attempts { last },
        },
    };
    Verdict {
        state,
        tally,
        charged: true,
        wait: pause,
    }
}

/// Judges the case by the endpoint's health and the budget of a message.
fn judge_adaptively(case: &Case, budget: &Budget) -> Verdict {
    let (charge, _) = case.class.rule();
    let charged = charge == Charge::WhileHealthy && case.healthy;
    let tally = Tally {
        made: case.tally.made.max(case.attempt),
        charged: case.tally.charged.saturating_add(u32::from(charged)),
        refused: (case.tally.refused).saturating_add(u32::from(charged && case.class.is_lasting())),
        due: UnixMillis::ZERO,
        ..case.tally
    };
    let at = case.now;
    let over = |state| Verdict {
        state,
        tally,
        charged,
        wait: None,
    };
    let last = case.class;
    match (case.class, case.doom) {
        (Class::Delivered, _) => over(DeliveryState::Delivered { at }),
        (_, Some(why)) => over(DeliveryState::Cancelled { at, why }),
        (Class::Aborted, None) => over(DeliveryState::Dead {
            at,
            why: DeathReason::Aborted,
        }),
        (Class::NotExpressible, None) => over(DeliveryState::Dead {
            at,
            why: DeathReason::NotExpressible,
        }),
        (_, None) if charged && budget.is_used(&tally) => over(DeliveryState::Dead {
            at,
            why: DeathReason::Attempts { last },
        }),
        (_, None) => match case.held {
            Some(why) => over(DeliveryState::Held { why }),
            None => wait(case, tally, charged, budget),
        },
    }
}

/// The message waits for its own next attempt, unless that would make it too old.
fn wait(case: &Case, mut tally: Tally, charged: bool, budget: &Budget) -> Verdict {
    let failures = if charged { tally.charged } else { tally.made };
    let wait = retry::delay(failures, case.retry_after, case.jitter);
    let elapsed_ms = u64::try_from((case.took + wait).as_millis()).unwrap_or(u64::MAX);
    tally.spent_ms = tally.spent_ms.saturating_add(elapsed_ms);
    let last = case.class;
    if case.healthy && Duration::from_millis(tally.spent_ms) > budget.age {
        let why = DeathReason::Age { last };
        return Verdict {
            state: DeliveryState::Dead { at: case.now, why },
            tally,
            charged,
            wait: None,
        };
    }
    tally.due = case.now.plus(wait);
    Verdict {
        state: DeliveryState::Waiting {
            until: tally.due,
            why: last,
        },
        tally,
        charged,
        wait: Some(wait),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixMillis = UnixMillis::from_secs(1_000_000);

    fn case(class: Class) -> Case {
        Case {
            class,
            status: None,
            tally: Tally::default(),
            attempt: 1,
            doom: None,
            healthy: true,
            held: None,
            retry_after: None,
            took: Duration::from_millis(100),
            now: NOW,
            jitter: Jitter(u32::MAX),
        }
    }

    fn judged(case: &Case) -> Verdict {
        judge(case, AttemptRules::Adaptive, &Budget::default())
    }

    #[test]
    fn only_failures_of_a_healthy_endpoint_cost_an_attempt() {
        let table = [
            (Class::Delivered, false),
            (Class::Failing, true),
            (Class::TooMany, false),
            (Class::Away, false),
            (Class::Misconfigured, false),
            (Class::Gone, false),
            (Class::NotFound, true),
            (Class::Refused, true),
            (Class::Rejected, true),
            (Class::Aborted, false),
            (Class::NotExpressible, false),
        ];
        for (class, charged) in table {
            assert_eq!(judged(&case(class)).charged, charged, "{class:?}");
            let ill = Case {
                healthy: false,
                ..case(class)
            };
            assert!(!judged(&ill).charged, "{class:?}");
        }
    }

    #[test]
    fn the_eighth_charged_attempt_is_the_last() {
        let mut tally = Tally::default();
        let mut waits = Vec::new();
        for attempt in 1.. {
            let verdict = judged(&Case {
                tally,
                attempt,
                ..case(Class::Failing)
            });
            tally = verdict.tally;
            match verdict.wait {
                Some(wait) => waits.push(wait.as_millis().div_ceil(1_000)),
                None => break,
            }
        }
        assert_eq!(waits, [1, 5, 30, 120, 300, 600, 900]);
        assert_eq!((tally.made, tally.charged), (8, 8));
    }

    /// A refusal that cannot change ends a message within a minute, and what waits behind it is sent.
    #[test]
    fn the_fourth_lasting_refusal_is_the_last() {
        for class in [Class::Refused, Class::NotFound] {
            let mut tally = Tally::default();
            let mut waits = Vec::new();
            for attempt in 1.. {
                let verdict = judged(&Case {
                    tally,
                    attempt,
                    ..case(class)
                });
                tally = verdict.tally;
                match verdict.wait {
                    Some(wait) => waits.push(wait.as_millis().div_ceil(1_000)),
                    None => break,
                }
            }
            assert_eq!(waits, [1, 5, 30], "{class:?}");
            assert_eq!((tally.made, tally.charged, tally.refused), (4, 4, 4));
        }
    }

    /// Failures that can pass do not use up the attempts of refusals.
    #[test]
    fn a_refusal_after_failures_is_tried_again() {
        let tally = Tally {
            made: 6,
            charged: 6,
            ..Tally::default()
        };
        let verdict = judged(&Case {
            tally,
            attempt: 7,
            ..case(Class::Refused)
        });
        assert!(verdict.wait.is_some(), "{verdict:?}");
        assert_eq!((verdict.tally.charged, verdict.tally.refused), (7, 1));
    }

    #[test]
    fn uncharged_attempts_end_after_a_day_of_active_time() {
        let mut tally = Tally::default();
        let mut own = Duration::ZERO;
        for attempt in 1.. {
            let verdict = judged(&Case {
                tally,
                attempt,
                ..case(Class::Misconfigured)
            });
            tally = verdict.tally;
            let Some(wait) = verdict.wait else {
                let last = Class::Misconfigured;
                let why = DeathReason::Age { last };
                assert_eq!(verdict.state, DeliveryState::Dead { at: NOW, why });
                break;
            };
            own += wait;
        }
        let hours = own.as_secs() / 3_600;
        assert!((23..=24).contains(&hours), "{hours}");
        assert_eq!(tally.charged, 0);
    }

    /// It ends whether its endpoint is well or not: no endpoint can mend it.
    #[test]
    fn a_message_without_a_form_ends_at_once() {
        for held in [None, Some(HoldReason::Failing)] {
            let verdict = judged(&Case {
                held,
                healthy: held.is_none(),
                ..case(Class::NotExpressible)
            });
            let why = DeathReason::NotExpressible;
            assert_eq!(verdict.state, DeliveryState::Dead { at: NOW, why });
        }
    }

    #[test]
    fn a_held_delivery_does_not_age() {
        let verdict = judged(&Case {
            healthy: false,
            held: Some(HoldReason::Failing),
            took: Duration::from_secs(100 * 3_600),
            ..case(Class::Failing)
        });
        let why = HoldReason::Failing;
        assert_eq!(verdict.state, DeliveryState::Held { why });
        assert_eq!((verdict.tally.charged, verdict.tally.spent_ms), (0, 0));
    }

    #[test]
    fn a_doomed_message_that_arrives_counts_as_delivered() {
        let doom = Some(CancelReason::Discarded);
        let arrived = judged(&Case {
            doom,
            ..case(Class::Delivered)
        });
        assert_eq!(arrived.state, DeliveryState::Delivered { at: NOW });
        let failed = judged(&Case {
            doom,
            ..case(Class::Failing)
        });
        let why = CancelReason::Discarded;
        assert_eq!(failed.state, DeliveryState::Cancelled { at: NOW, why });
    }
}

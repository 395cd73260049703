//! The health of an endpoint: its breaker, its pauses and how many requests it is sent at once.
//!
//! The breaker opens after five failures in a row, when half of at least twenty outcomes of a minute failed,
//! or when three in a row say that the address itself is wrong. An open endpoint is probed with one message
//! at a time. One success closes it, into a slow start of 1, 2, 4, 8 … requests at once.
//!
//! When all failures since the last success are of one queue, the fault may be in its message. The breaker then
//! holds that queue alone: the next message of any other queue is the probe, at once. If that fails as well, the fault is
//! the endpoint's.
//!
//! An endpoint is given up after a time of probing, which is the sum of the waits that were planned: a clock that jumps
//! ahead and a process that does not run add nothing to it.

mod queries;
mod scheduled;
mod window;

use std::collections::VecDeque;
use std::time::Duration;

use crate::clock::Steady;
use crate::health::window::Window;
use crate::outcome::{Class, HealthSignal};
use crate::record::HoldReason;
use crate::retry::{self, Jitter};
use crate::rules::AttemptRules;

const FAILURES_TO_OPEN: u32 = 5;
const MISCONFIGURATIONS_TO_OPEN: u32 = 3;
/// The number of concurrent requests to an endpoint that was never tried.
const ALLOWED_AT_FIRST: u16 = 4;
/// An endpoint that does nothing but ask for pauses is given up only after this many in a row.
const PAUSES_TO_GIVE_UP: u32 = 60;

/// The report of an attempt.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttemptReport<K> {
    pub(super) class: Class,
    pub(super) queue: K,
    /// True when the attempt was the probe of an open endpoint.
    pub(super) probe: bool,
    pub(super) retry_after: Option<Duration>,
    pub(super) took: Duration,
    pub(super) jitter: Jitter,
}

/// A change for the better or the worse that people are notified of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HealthChange {
    Opened,
    Recovered,
    Disabled(HoldReason),
    /// It has been probed in vain for another hour; the whole time.
    StillFails(Duration),
}

/// The extent of the requests that may be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendAllowance<K> {
    /// This many at once.
    Open(u16),
    /// One, to see whether the endpoint is back.
    Probe,
    /// One of another queue than this, to see whether only this one fails.
    Others(K),
    /// Nothing.
    Shut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breaker<K> {
    Closed,
    Open {
        until: Steady,
        probes: u32,
        /// The only queue that failed, as far as is known: no other is held.
        only: Option<K>,
    },
    Disabled(HoldReason),
}

/// The known state of an endpoint's health.
#[derive(Clone, Debug)]
pub(super) struct HealthState<K> {
    rules: AttemptRules,
    breaker: Breaker<K>,
    failures: u32,
    misconfigurations: u32,
    /// The queue of the first failure since the last success, and whether another queue failed too.
    suspect: Option<(K, bool)>,
    window: Window,
    /// The times of the last bad answers, as far back as the schedule counts them.
    bad: VecDeque<Steady>,
    allowed: u16,
    /// Successes since `allowed` last changed.
    streak: u16,
    recovering: bool,
    paused_until: Option<Steady>,
    pauses: u32,
    trouble_since: Option<Steady>,
    /// The time of probing in vain so far.
    probed: Duration,
    /// The time at which the last attempt ended, and the planned delay of the next one.
    planned: Option<(Steady, Duration)>,
    /// Moving average of the time an answer takes, in milliseconds.
    latency_ms: Option<u64>,
}

impl<K: Copy + Ord> HealthState<K> {
    pub(super) fn new(rules: AttemptRules) -> Self {
        Self {
            rules,
            breaker: Breaker::Closed,
            failures: 0,
            misconfigurations: 0,
            suspect: None,
            window: Window::default(),
            bad: VecDeque::new(),
            allowed: match rules {
                AttemptRules::Adaptive => ALLOWED_AT_FIRST,
                AttemptRules::Scheduled(_) => u16::MAX,
            },
            streak: 0,
            recovering: false,
            paused_until: None,
            pauses: 0,
            trouble_since: None,
            probed: Duration::ZERO,
            planned: None,
            latency_ms: None,
        }
    }

    /// An endpoint that was disabled before the restart stays so.
    pub(super) fn disable(&mut self, why: HoldReason) {
        self.breaker = Breaker::Disabled(why);
    }

    /// The endpoint was changed or switched on again: earlier observations no longer count. An endpoint whose breaker
    /// was not closed is probed at once.
    pub(super) fn renew(&mut self, now: Steady) {
        let breaker = match (self.breaker, self.rules) {
            (Breaker::Closed, _) | (_, AttemptRules::Scheduled(_)) => Breaker::Closed,
            (Breaker::Open { .. } | Breaker::Disabled(_), AttemptRules::Adaptive) => {
                Breaker::Open {
                    until: now,
                    probes: 0,
                    only: None,
                }
            }
        };
        *self = Self {
            breaker,
            ..Self::new(self.rules)
        };
    }

    /// An earlier process knew since when the endpoint does not succeed, and for how long it was probed in vain.
    pub(super) fn fails_since(&mut self, since: Steady, probed: Duration) {
        self.trouble_since = Some(since);
        self.probed = probed;
    }

    /// Takes in what came of an attempt. `allowed_max`: how many requests at once at most; `give_up`: after how
    /// long a time of probing without a success it is left alone.
    pub(super) fn observe(
        &mut self,
        report: &AttemptReport<K>,
        now: Steady,
        allowed_max: u16,
        give_up: Duration,
    ) -> Option<HealthChange> {
        let (_, signal) = report.class.rule();
        if signal == HealthSignal::NoContact {
            return None;
        }
        self.measure(report.took);
        if let AttemptRules::Scheduled(schedule) = self.rules {
            return self.count(signal, now, schedule);
        }
        let hours = whole_hours(self.probed);
        if signal != HealthSignal::Success {
            self.trouble_since.get_or_insert(now);
            self.count_probing(now);
        }
        let change = self.judge(signal, report, now, allowed_max, give_up);
        let wait = self.wakes_at(now).map(|at| (now, at.since(now)));
        self.planned = wait;
        let another = whole_hours(self.probed) > hours;
        change.or(another.then_some(HealthChange::StillFails(self.probed)))
    }

    fn judge(
        &mut self,
        signal: HealthSignal,
        report: &AttemptReport<K>,
        now: Steady,
        allowed_max: u16,
        give_up: Duration,
    ) -> Option<HealthChange> {
        match signal {
            HealthSignal::Success => self.succeeded(now, allowed_max),
            HealthSignal::Failure => self.failed(report, now, give_up),
            HealthSignal::Misconfiguration => {
                self.misconfigurations = self.misconfigurations.saturating_add(1);
                self.failed(report, now, give_up)
            }
            HealthSignal::FailurePause => {
                self.pause(report, now);
                self.failed(report, now, give_up)
            }
            HealthSignal::Pause => {
                self.misconfigurations = 0;
                self.pause(report, now);
                if self.pauses >= PAUSES_TO_GIVE_UP && self.probed >= give_up {
                    return self.end(HoldReason::GivenUp);
                }
                self.probe_again(report, now)
            }
            HealthSignal::Gone => self.end(HoldReason::Gone),
            HealthSignal::Alive => self.answered(report, now, give_up),
            HealthSignal::NoContact => None,
        }
    }

    fn measure(&mut self, took: Duration) {
        let took = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let average = self.latency_ms.unwrap_or(took);
        // An eighth of the new value: a receiver that hangs is noticed after its first time-out.
        self.latency_ms = Some((average.saturating_mul(7)).saturating_add(took) / 8);
    }

    fn succeeded(&mut self, now: Steady, allowed_max: u16) -> Option<HealthChange> {
        self.window.add(now, true);
        self.failures = 0;
        self.misconfigurations = 0;
        self.suspect = None;
        self.pauses = 0;
        self.trouble_since = None;
        self.probed = Duration::ZERO;
        match self.breaker {
            Breaker::Closed => {
                self.grow(allowed_max);
                None
            }
            Breaker::Open { .. } => Some(self.close()),
            // Only an operator undoes this; what was in flight may still arrive.
            Breaker::Disabled(_) => None,
        }
    }

    fn failed(
        &mut self,
        report: &AttemptReport<K>,
        now: Steady,
        give_up: Duration,
    ) -> Option<HealthChange> {
        self.window.add(now, false);
        self.blame(report.queue);
        self.failures = self.failures.saturating_add(1);
        if HealthSignal::Misconfiguration != report.class.rule().1 {
            self.misconfigurations = 0;
        }
        match self.breaker {
            Breaker::Closed if self.is_too_much(now) => Some(self.open(now, report.jitter)),
            Breaker::Closed => {
                self.shrink();
                None
            }
            Breaker::Open { .. } if self.probed >= give_up => self.end(HoldReason::GivenUp),
            Breaker::Open { .. } => {
                self.widen();
                self.probe_again(report, now)
            }
            Breaker::Disabled(_) => None,
        }
    }

    /// The receiver lives but does not take this message. That says something about the endpoint only when it
    /// takes the messages of no other queue either.
    fn answered(
        &mut self,
        report: &AttemptReport<K>,
        now: Steady,
        give_up: Duration,
    ) -> Option<HealthChange> {
        match self.breaker {
            Breaker::Open { .. } if report.probe => Some(self.close()),
            Breaker::Closed if self.others_fail(report.queue) => self.failed(report, now, give_up),
            Breaker::Closed | Breaker::Open { .. } | Breaker::Disabled(_) => {
                self.blame(report.queue);
                None
            }
        }
    }

    fn blame(&mut self, queue: K) {
        let mixed = self.others_fail(queue);
        let first = self.suspect.map_or(queue, |(first, _)| first);
        self.suspect = Some((first, mixed));
    }

    fn others_fail(&self, queue: K) -> bool {
        self.suspect
            .is_some_and(|(first, mixed)| mixed || first != queue)
    }

    fn is_too_much(&self, now: Steady) -> bool {
        self.failures >= FAILURES_TO_OPEN
            || self.misconfigurations >= MISCONFIGURATIONS_TO_OPEN
            || self.window.mostly_failed(now)
    }

    /// Counts the time since the last attempt as a time of probing, as far as it was planned.
    fn count_probing(&mut self, now: Steady) {
        if let Some((since, wait)) = self.planned {
            self.probed = self.probed.saturating_add(now.since(since).min(wait));
        }
    }

    fn open(&mut self, now: Steady, jitter: Jitter) -> HealthChange {
        self.recovering = false;
        self.breaker = Breaker::Open {
            until: now.plus(retry::probe_delay(0, jitter)),
            probes: 0,
            only: self.sole_suspect(),
        };
        HealthChange::Opened
    }

    /// The only queue that failed since the last success; none when there are more.
    fn sole_suspect(&self) -> Option<K> {
        self.suspect
            .and_then(|(queue, mixed)| (!mixed).then_some(queue))
    }

    /// Another queue failed as well: all are held from now on.
    fn widen(&mut self) {
        let sole = self.sole_suspect();
        if let Breaker::Open { only, .. } = &mut self.breaker {
            *only = only.filter(|_| sole.is_some());
        }
    }

    /// The next probe comes later; what was still in flight when the breaker opened changes nothing.
    fn probe_again(&mut self, report: &AttemptReport<K>, now: Steady) -> Option<HealthChange> {
        if let Breaker::Open { until, probes, .. } = &mut self.breaker
            && report.probe
        {
            *probes = probes.saturating_add(1);
            *until = now.plus(retry::probe_delay(*probes, report.jitter));
        }
        None
    }

    fn close(&mut self) -> HealthChange {
        self.breaker = Breaker::Closed;
        self.window = Window::default();
        self.probed = Duration::ZERO;
        self.allowed = 1;
        self.streak = 0;
        self.recovering = true;
        HealthChange::Recovered
    }

    fn end(&mut self, why: HoldReason) -> Option<HealthChange> {
        if matches!(self.breaker, Breaker::Disabled(_)) {
            return None;
        }
        self.recovering = false;
        self.breaker = Breaker::Disabled(why);
        Some(HealthChange::Disabled(why))
    }

    fn pause(&mut self, report: &AttemptReport<K>, now: Steady) {
        self.pauses = self.pauses.saturating_add(1);
        let until = now.plus(retry::pause(self.pauses, report.retry_after));
        self.paused_until = self.paused_until.max(Some(until));
        self.shrink();
    }

    /// Doubles what is sent at once after as many successes as are sent at once now.
    fn grow(&mut self, allowed_max: u16) {
        self.streak = self.streak.saturating_add(1);
        if self.streak >= self.allowed {
            self.allowed = self.allowed.saturating_mul(2).min(allowed_max.max(1));
            self.streak = 0;
        }
        if self.allowed >= allowed_max {
            self.recovering = false;
        }
    }

    fn shrink(&mut self) {
        self.allowed = (self.allowed / 2).max(1);
        self.streak = 0;
    }
}

fn whole_hours(time: Duration) -> u64 {
    time.as_secs() / 3_600
}

#[cfg(test)]
mod tests;

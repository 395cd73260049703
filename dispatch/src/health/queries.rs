//! The consequences of an endpoint's health for its callbacks, and its view for people.

use std::time::Duration;

use crate::clock::Steady;
use crate::health::{Breaker, HealthState, SendAllowance};
use crate::record::HoldReason;

impl<K: Copy + Ord> HealthState<K> {
    pub(crate) fn allowance(&self, now: Steady) -> SendAllowance<K> {
        if self.paused(now) {
            return SendAllowance::Shut;
        }
        match self.breaker {
            Breaker::Closed => SendAllowance::Open(self.allowed),
            Breaker::Open { until, .. } if until <= now => SendAllowance::Probe,
            Breaker::Open {
                only: Some(queue), ..
            } => SendAllowance::Others(queue),
            Breaker::Open { .. } | Breaker::Disabled(_) => SendAllowance::Shut,
        }
    }

    /// Returns the reason to hold the messages of the queue; none while the endpoint takes them.
    pub(crate) fn hold(&self, queue: K, now: Steady) -> Option<HoldReason> {
        match self.breaker {
            Breaker::Open { only: None, .. } => Some(HoldReason::Failing),
            Breaker::Open {
                only: Some(only), ..
            } if only == queue => Some(HoldReason::Conversation),
            Breaker::Disabled(why) => Some(why),
            Breaker::Closed | Breaker::Open { .. } => {
                self.paused(now).then_some(HoldReason::PauseAsked)
            }
        }
    }

    /// Returns the reason to hold the messages of all queues; none while the endpoint takes those of any.
    pub(crate) fn hold_of_all(&self, now: Steady) -> Option<HoldReason> {
        match self.breaker {
            Breaker::Open { only: None, .. } => Some(HoldReason::Failing),
            Breaker::Disabled(why) => Some(why),
            Breaker::Closed | Breaker::Open { .. } => {
                self.paused(now).then_some(HoldReason::PauseAsked)
            }
        }
    }

    /// Returns whether an outcome is no evidence against its message, because the endpoint is not healthy or its health
    /// is unknown.
    pub(crate) fn is_suspect(&self, now: Steady) -> bool {
        self.breaker != Breaker::Closed || self.paused(now)
    }

    /// Returns the time at which the gate may open by itself; none when only an outcome or an operator opens it.
    pub(crate) fn wakes_at(&self, now: Steady) -> Option<Steady> {
        let probe_at = match self.breaker {
            Breaker::Closed => now,
            Breaker::Open { until, .. } => until,
            Breaker::Disabled(_) => return None,
        };
        let at = self
            .paused_until
            .map_or(probe_at, |until| until.max(probe_at));
        (at > now).then_some(at)
    }

    /// Returns the time from which the endpoint has not succeeded.
    pub(crate) fn trouble_since(&self) -> Option<Steady> {
        self.trouble_since
    }

    /// Returns the time of the next probe, the number of failed probes, and the queue when it alone is held; none
    /// unless the breaker is open.
    pub(crate) fn probing(&self) -> Option<(Steady, u32, Option<K>)> {
        match self.breaker {
            Breaker::Open {
                until,
                probes,
                only,
            } => Some((until, probes, only)),
            Breaker::Closed | Breaker::Disabled(_) => None,
        }
    }

    pub(crate) fn paused_until(&self, now: Steady) -> Option<Steady> {
        self.paused_until.filter(|until| *until > now)
    }

    /// Returns whether the last attempts failed.
    pub(crate) fn is_failing(&self) -> bool {
        self.failures > 0
    }

    /// Returns the number of concurrent requests during recovery; none when the endpoint is not recovering.
    pub(crate) fn slow_start(&self) -> Option<u16> {
        self.recovering.then_some(self.allowed)
    }

    pub(crate) fn latency(&self) -> Duration {
        Duration::from_millis(self.latency_ms.unwrap_or(0))
    }

    pub(super) fn paused(&self, now: Steady) -> bool {
        self.paused_until(now).is_some()
    }
}

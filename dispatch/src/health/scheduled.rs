//! The health of an endpoint whose deliveries follow a schedule.

use crate::clock::Steady;
use crate::health::{HealthChange, HealthState};
use crate::outcome::HealthSignal;
use crate::record::HoldReason;
use crate::rules::AttemptSchedule;

impl<K: Copy + Ord> HealthState<K> {
    /// Counts an answer by a schedule: nothing is probed, and too many bad ones switch the endpoint off.
    pub(super) fn count(
        &mut self,
        signal: HealthSignal,
        now: Steady,
        schedule: AttemptSchedule,
    ) -> Option<HealthChange> {
        if signal == HealthSignal::Success {
            self.failures = 0;
            self.trouble_since = None;
            return None;
        }
        self.failures = self.failures.saturating_add(1);
        self.trouble_since.get_or_insert(now);
        self.bad.push_back(now);
        while self.bad.len() > schedule.bad_max.saturating_add(1) {
            self.bad.pop_front();
        }
        let first = *self.bad.front()?;
        let is_too_much =
            self.bad.len() > schedule.bad_max && now.since(first) <= schedule.bad_within;
        if is_too_much {
            self.end(HoldReason::GivenUp)
        } else {
            None
        }
    }
}

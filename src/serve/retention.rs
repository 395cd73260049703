//! Once a day, what is older than it is kept is ordered to be erased.

use std::time::Duration;

use switchboard_actors::System;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::erasures::{RetentionRule, Target};
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::relay::settings::RelaySettings;

use crate::config::retention::{Retention, relay_rules_at};

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// Orders erasures at the hour of the day until it is aborted; within that hour also at once, since the service may have
/// been down when it began.
pub(super) async fn keep(system: System, retention: Retention, relays: Vec<RelaySettings>) {
    let mut done_on = None;
    loop {
        let now = system.now();
        let (day, wait) = next(now, retention.hour);
        if wait.is_zero() && done_on != Some(day) {
            let mut rules = retention.rules_at(now);
            rules.extend(relay_rules_at(&relays, now));
            match order(&system, rules).await {
                Ok(()) => done_on = Some(day),
                Err(error) => tracing::warn!(%error, "old messages are not erased now"),
            }
        }
        // The clock of the machine may be set meanwhile, so no sleep is longer than a minute.
        tokio::time::sleep(wait.clamp(Duration::from_secs(1), Duration::from_secs(60))).await;
    }
}

/// Orders the erasure, if there is anything to erase: the service ends its round for that.
async fn order(system: &System, rules: Vec<RetentionRule>) -> Result<(), UnavailableError> {
    if rules.is_empty() || was_ordered_today(system).await? {
        return Ok(());
    }
    let target = Target::Messages { rules };
    let tally = system.preview_erasure(target.clone()).await?;
    if tally.is_empty() {
        return Ok(());
    }
    match system.create_erasure(By::Service, target).await {
        Ok(_) => Ok(()),
        Err(CommandError::Rejected(rejection)) => {
            tracing::warn!(%rejection, "old messages are not erased now");
            Ok(())
        }
        Err(CommandError::Unavailable(unavailable)) => Err(unavailable),
    }
}

/// Returns whether an erasure of old messages was ordered in the last twelve hours: one that failed is not repeated the
/// same day.
async fn was_ordered_today(system: &System) -> Result<bool, UnavailableError> {
    let since = system.now().get().saturating_sub(DAY / 2);
    let erasures = system.erasures().await?;
    Ok(erasures.iter().any(|erasure| {
        matches!(erasure.target, Target::Messages { .. }) && erasure.ordered_at.get() > since
    }))
}

/// The day, and how long it is until the hour of it; zero within that hour.
fn next(now: UnixMillis, hour: u64) -> (u64, Duration) {
    let (day, within) = (now.get() / DAY, now.get() % DAY);
    let begins = hour.saturating_mul(HOUR);
    let wait = if within < begins {
        begins.saturating_sub(within)
    } else if within < begins.saturating_add(HOUR) {
        0
    } else {
        DAY.saturating_sub(within).saturating_add(begins)
    };
    (day, Duration::from_millis(wait))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hour_of_the_day_is_waited_for() {
        let at = |hour: u64, minute: u64| UnixMillis::new(5 * DAY + hour * HOUR + minute * 60_000);
        let minutes = |now, hour| next(now, hour).1.as_secs() / 60;
        assert_eq!(minutes(at(1, 30), 3), 90);
        assert_eq!((minutes(at(3, 0), 3), minutes(at(3, 59), 3)), (0, 0));
        assert_eq!(minutes(at(4, 0), 3), 23 * 60);
        assert_eq!(minutes(at(23, 30), 23), 0);
        assert_eq!(minutes(at(23, 30), 0), 30);
        assert_eq!(next(at(3, 0), 3).0, 5);
    }
}

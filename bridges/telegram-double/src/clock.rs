//! The clock of the double: it runs, or it is held, and a test moves it.

use std::time::{SystemTime, UNIX_EPOCH};

/// A moment by the clock of the double, in milliseconds since 1970.
pub type Moment = i64;

/// A clock that runs with the system's, ahead of it by what was advanced, or stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    ahead: i64,
    held_at: Option<Moment>,
}

/// The moment by the clock of the system.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the clock of the system"
)]
fn system() -> Moment {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
    let millis = elapsed.map(|it| it.as_millis()).unwrap_or_default();
    Moment::try_from(millis).unwrap_or(Moment::MAX / 4)
}

impl Clock {
    /// A clock that runs with the system's.
    pub(crate) fn running() -> Self {
        Self {
            ahead: 0,
            held_at: None,
        }
    }

    /// Returns the present moment.
    pub(crate) fn now(&self) -> Moment {
        self.held_at
            .unwrap_or_else(|| system().saturating_add(self.ahead))
    }

    /// Returns whether it stands still.
    pub(crate) fn is_held(&self) -> bool {
        self.held_at.is_some()
    }

    /// Stops it.
    pub(crate) fn hold(&mut self) {
        self.held_at = Some(self.now());
    }

    /// Lets it run on from where it is.
    pub(crate) fn run(&mut self) {
        self.ahead = self.now().saturating_sub(system());
        self.held_at = None;
    }

    /// Moves it forward.
    pub(crate) fn advance(&mut self, millis: i64) {
        match &mut self.held_at {
            Some(moment) => *moment = moment.saturating_add(millis),
            None => self.ahead = self.ahead.saturating_add(millis),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn a_held_clock_moves_only_when_it_is_advanced() {
        let mut clock = Clock::running();
        clock.hold();
        let before = clock.now();
        assert_eq!(clock.now(), before);
        clock.advance(3_600_000);
        assert_eq!(clock.now(), before + 3_600_000);
        assert!(clock.is_held());
        clock.run();
        let after = clock.now();
        assert!(after >= before + 3_600_000, "{after} and {before}");
    }
}

//! The policy for restarts: the time from which the service may begin again by itself, to rebuild a damaged index.

use std::time::Duration;

use tokio::time::Instant;

use crate::serve::options::ServeOptions;

/// An index that is damaged again so soon is on a disk that spoils it, or its damage is not one that goes away: the
/// service then stays up with what can be read.
const PAUSE: Duration = Duration::from_secs(3_600);

/// The policy, with the last restart.
#[derive(Debug)]
pub(super) struct RestartPolicy {
    /// There is something on disk to begin again from.
    stored: bool,
    last: Option<Instant>,
}

impl RestartPolicy {
    pub(super) fn new(options: &ServeOptions) -> Self {
        Self {
            stored: !options.ephemeral,
            last: None,
        }
    }

    /// Returns the time from which a restart is allowed; `None` when it never is.
    pub(super) fn allowed_from(&self) -> Option<Instant> {
        let from = self.last.map_or_else(Instant::now, |last| last + PAUSE);
        self.stored.then_some(from)
    }

    /// Notes that the service begins again.
    pub(super) fn note_restart(&mut self) {
        self.last = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serving begins again at most once in an hour, and never without stored data.
    #[tokio::test(start_paused = true)]
    async fn the_service_restarts_once_an_hour_and_never_if_ephemeral() {
        let options = |ephemeral| ServeOptions {
            ephemeral,
            ..ServeOptions::default()
        };
        let mut restarts = RestartPolicy::new(&options(false));
        assert_eq!(restarts.allowed_from(), Some(Instant::now()));
        restarts.note_restart();
        assert_eq!(restarts.allowed_from(), Some(Instant::now() + PAUSE));
        assert_eq!(RestartPolicy::new(&options(true)).allowed_from(), None);
    }
}

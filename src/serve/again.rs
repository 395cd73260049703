//! The time from which the service may begin again by itself, to rebuild a damaged index.

use std::time::Duration;

use tokio::time::Instant;

use crate::serve::options::ServeOptions;

/// An index that is damaged again so soon is on a disk that spoils it, or its damage is not one that goes away: the
/// service then stays up with what can be read.
const PAUSE: Duration = Duration::from_secs(3_600);

/// The last time it began again.
#[derive(Debug)]
pub(super) struct Again {
    /// There is something on disk to begin again from.
    stored: bool,
    last: Option<Instant>,
}

impl Again {
    pub(super) fn new(options: &ServeOptions) -> Self {
        Self {
            stored: !options.ephemeral,
            last: None,
        }
    }

    /// From when on it may begin again; `None`: never.
    pub(super) fn from(&self) -> Option<Instant> {
        let from = self.last.map_or_else(Instant::now, |last| last + PAUSE);
        self.stored.then_some(from)
    }

    /// It begins again.
    pub(super) fn now(&mut self) {
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
        let mut again = Again::new(&options(false));
        assert_eq!(again.from(), Some(Instant::now()));
        again.now();
        assert_eq!(again.from(), Some(Instant::now() + PAUSE));
        assert_eq!(Again::new(&options(true)).from(), None);
    }
}

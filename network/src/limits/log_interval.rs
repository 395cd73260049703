//! Lines of the log that clients could cause again and again: one a minute, with the number of events behind it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The time between two lines.
const EVERY: Duration = Duration::from_secs(60);

/// Lets one line through each minute.
#[derive(Debug, Default)]
pub struct LogInterval(Mutex<Events>);

#[derive(Debug, Default)]
struct Events {
    line: Option<Instant>,
    /// Events since that line.
    silent: u64,
}

impl LogInterval {
    /// Counts an event. Returns the number of events since the last line, this one included, when a line is due.
    pub fn event(&self) -> Option<u64> {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = events.silent.saturating_add(1);
        let now = Instant::now();
        if events.line.is_some_and(|line| now < line + EVERY) {
            events.silent = count;
            return None;
        }
        *events = Events {
            line: Some(now),
            silent: 0,
        };
        Some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_line_a_minute_has_the_number_of_events() {
        let interval = LogInterval::default();
        assert_eq!(interval.event(), Some(1));
        assert_eq!([(); 41].map(|()| interval.event()), [None; 41]);
        tokio::time::advance(EVERY).await;
        assert_eq!(interval.event(), Some(42));
        assert_eq!(interval.event(), None);
    }
}

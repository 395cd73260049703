//! Requests at a steady pace, whether earlier ones have been answered or not: how long they take when the service is not at
//! its limit.
//!
//! They fall due in small groups, every quarter of a millisecond, and each is timed from the moment it was due. So one that
//! could not be sent because all connections waited has that waiting in its time.

use std::cell::{Cell, OnceCell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use hdrhistogram::Histogram;
use tokio::sync::Semaphore;

use crate::client::{Connection, Measured, on_each};
use crate::requests::Requests;
use crate::statistics::{exact, histogram, micros_of, whole};

/// The interval at which requests fall due.
const TICK: Duration = Duration::from_micros(250);

/// The pace at which requests fall due.
#[derive(Clone, Copy, Debug)]
struct Pace {
    per_tick: f64,
    ticks: u32,
}

impl Pace {
    fn new(per_second: f64, time: Duration) -> Self {
        let ticks = whole(time.as_secs_f64() / TICK.as_secs_f64());
        Self {
            per_tick: per_second * TICK.as_secs_f64(),
            ticks: u32::try_from(ticks).unwrap_or(u32::MAX),
        }
    }

    /// The number of requests that are due after so many ticks.
    fn due_after(self, ticks: u32) -> u64 {
        whole(self.per_tick * f64::from(ticks))
    }

    /// The time from the beginning until the request with this number, from 0, is due.
    fn due(self, number: usize) -> Duration {
        let number = exact(u64::try_from(number).unwrap_or(u64::MAX));
        let ticks = ((number + 1.0) / self.per_tick).ceil();
        TICK.saturating_mul(u32::try_from(whole(ticks)).unwrap_or(u32::MAX))
    }

    fn count(self) -> u64 {
        self.due_after(self.ticks)
    }
}

/// The number of requests that a round needs.
#[must_use]
pub fn count(per_second: f64, time: Duration) -> u64 {
    Pace::new(per_second, time).count()
}

/// Sends so many requests a second over these connections for a while. Every answer must be a 200.
///
/// # Errors
/// When one is not.
pub async fn round(
    address: SocketAddr,
    connections: usize,
    requests: Requests,
    per_second: f64,
    time: Duration,
) -> Result<Measured> {
    let shared = Rc::new(Shared {
        requests,
        pace: Pace::new(per_second, time),
        connections,
        due: Arc::new(Semaphore::new(0)),
        begun: OnceCell::new(),
        next: Cell::new(0),
        latencies: RefCell::new(histogram()?),
    });
    let elapsed = on_each(address, connections, |_number, connection| {
        work(connection, Rc::clone(&shared))
    })
    .await?;
    let latencies = shared.latencies.borrow().clone();
    Ok(Measured {
        requests: latencies.len(),
        elapsed,
        latencies,
    })
}

struct Shared {
    requests: Requests,
    pace: Pace,
    connections: usize,
    /// A permit for each request that is due.
    due: Arc<Semaphore>,
    begun: OnceCell<Instant>,
    next: Cell<usize>,
    latencies: RefCell<Histogram<u64>>,
}

async fn work(mut connection: Connection, shared: Rc<Shared>) -> Result<()> {
    // The first connection that starts also starts the clock; all are connected by then.
    let start = *shared
        .begun
        .get_or_init(|| start(shared.pace, &shared.due, shared.connections));
    loop {
        shared.due.acquire().await?.forget();
        let number = shared.next.replace(shared.next.get() + 1);
        let Some(request) = shared.requests.get(number) else {
            return Ok(());
        };
        connection.expect(request, 200).await?;
        let latency = start.elapsed().saturating_sub(shared.pace.due(number));
        let micros = micros_of(latency).max(1);
        shared.latencies.borrow_mut().record(micros)?;
    }
}

/// Gives the permits, from a thread that can sleep for less than a millisecond; at the end one more to each connection, by
/// which it learns that there are no more requests.
fn start(pace: Pace, due: &Arc<Semaphore>, connections: usize) -> Instant {
    let (due, begun) = (Arc::clone(due), Instant::now());
    thread::spawn(move || {
        let mut permits = 0;
        for tick in 1..=pace.ticks {
            let at = begun + TICK.saturating_mul(tick);
            thread::sleep(at.saturating_duration_since(Instant::now()));
            let more = pace.due_after(tick) - permits;
            permits += more;
            due.add_permits(usize::try_from(more).unwrap_or(usize::MAX));
        }
        due.add_permits(connections);
    });
    begun
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_due_at_the_requested_rate() {
        let pace = Pace::new(1_000.0, Duration::from_secs(2));
        assert_eq!(pace.count(), 2_000);
        assert_eq!(pace.due_after(4), 1);
        assert_eq!(pace.due(0), Duration::from_millis(1));
        assert_eq!(pace.due(999), Duration::from_secs(1));
        // Several a tick are due together.
        let pace = Pace::new(8_000.0, Duration::from_secs(1));
        assert_eq!(
            [0, 1, 2].map(|number| pace.due(number)),
            [TICK, TICK, TICK * 2]
        );
    }
}

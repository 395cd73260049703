//! From the answer of an account user to the callback at the integration.
//!
//! Each of the connections has one answer on its way at a time: it is written, stored and acknowledged, and the next one is
//! written when the callback of this one has come. So as many are in flight as there are connections, and no queue grows.

use std::cell::{Cell, OnceCell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hdrhistogram::Histogram;

use crate::client::{Connection, Measured, on_each};
use crate::requests;
use crate::sink::{self, Sink};
use crate::statistics::histogram;

/// The longest wait for one callback.
const PATIENCE: Duration = Duration::from_secs(60);

/// The figures of one round.
#[derive(Debug)]
pub struct Replied {
    /// From the writing of an answer to the first byte of its callback.
    pub measured: Measured,
    /// From the acknowledgement of an answer to the first byte of its callback, in microseconds.
    pub after_accept: Histogram<u64>,
}

/// Writes answers to these conversations in turn until the time is up, and waits for the last callbacks.
///
/// # Errors
/// When an answer is refused, or a callback does not come.
pub async fn round(
    address: SocketAddr,
    connections: usize,
    paths: Rc<[String]>,
    sink: Rc<Sink>,
    time: Duration,
) -> Result<Replied> {
    let shared = Rc::new(Shared {
        paths,
        sink,
        next: Cell::new(0),
        time,
        until: OnceCell::new(),
        ways: RefCell::new(histogram()?),
        after_accept: RefCell::new(histogram()?),
    });
    let elapsed = on_each(address, connections, |number, connection| {
        work(number, connection, Rc::clone(&shared))
    })
    .await?;
    let latencies = shared.ways.borrow().clone();
    let after_accept = shared.after_accept.borrow().clone();
    Ok(Replied {
        measured: Measured {
            requests: latencies.len(),
            elapsed,
            latencies,
        },
        after_accept,
    })
}

struct Shared {
    paths: Rc<[String]>,
    sink: Rc<Sink>,
    next: Cell<usize>,
    time: Duration,
    /// Set by the first connection that starts; all are connected by then.
    until: OnceCell<Instant>,
    ways: RefCell<Histogram<u64>>,
    after_accept: RefCell<Histogram<u64>>,
}

async fn work(waiter: usize, mut connection: Connection, shared: Rc<Shared>) -> Result<()> {
    let end = || Instant::now() + shared.time;
    let until = *shared.until.get_or_init(end);
    while Instant::now() < until {
        let next = shared.next.replace(shared.next.get() + 1);
        let place = next.checked_rem(shared.paths.len());
        let path = place
            .and_then(|place| shared.paths.get(place))
            .context("there is no conversation to answer in")?;
        let time_of_write = sink::now();
        let request = requests::reply(path, &sink::text(Some(waiter)));
        connection.expect(&request, 201).await?;
        let time_of_acceptance = sink::now();
        let came = shared.sink.came(waiter, PATIENCE).await?;
        let way = came.saturating_sub(time_of_write).max(1);
        shared.ways.borrow_mut().record(way)?;
        // Some are there before their acknowledgement was read.
        let after_accept = came.saturating_sub(time_of_acceptance).max(1);
        shared.after_accept.borrow_mut().record(after_accept)?;
    }
    Ok(())
}

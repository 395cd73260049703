//! The comparison for callbacks: the same HTTP client, which only sends a body of the same length.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::future::try_join_all;
use rustls::crypto::{CryptoProvider, ring};
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use crate::client::Measured;
use crate::machine::cpu_time_of_thread;
use crate::statistics::{histogram, micros_of};

/// The length of a callback.
const BODY_BYTES: usize = 900;

/// The figures of one round.
#[derive(Debug)]
pub struct Bare {
    /// The requests.
    pub measured: Measured,
    /// The processor time of the client, which has a thread of its own.
    pub cpu: Duration,
}

/// Posts to the receiver from a thread of its own until the time is up, with so many requests in progress.
///
/// # Errors
/// When the receiver does not answer.
pub async fn round(address: SocketAddr, at_once: usize, time: Duration) -> Result<Bare> {
    let (done, bare) = oneshot::channel();
    let client = move || {
        // The benchmark may have been interrupted during the round.
        done.send(alone(address, at_once, time)).unwrap_or_default();
    };
    thread::Builder::new()
        .name("bare".to_owned())
        .spawn(client)?;
    bare.await?
}

/// A round on the calling thread, which does nothing else.
fn alone(address: SocketAddr, at_once: usize, time: Duration) -> Result<Bare> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let figures = runtime.block_on(requests(address, at_once, time))?;
    Ok(Bare {
        measured: figures,
        cpu: cpu_time_of_thread()?,
    })
}

async fn requests(address: SocketAddr, at_once: usize, time: Duration) -> Result<Measured> {
    if CryptoProvider::get_default().is_none() {
        // Another thread may install a provider at the same time; that one serves as well.
        ring::default_provider()
            .install_default()
            .unwrap_or_default();
    }
    let client = reqwest::Client::builder()
        .no_proxy()
        .http1_only()
        .pool_max_idle_per_host(at_once)
        .build()?;
    let (url, body) = (format!("http://{address}/bare"), "x".repeat(BODY_BYTES));
    let latencies = RefCell::new(histogram()?);
    let requests = Cell::new(0);
    let start = Instant::now();
    let send = async || -> Result<()> {
        let mut request_start = Instant::now();
        while request_start < start + time {
            let request = client
                .post(&url)
                .header("Content-Type", "application/json")
                .header("X-Signature", "0123456789012345678901234567890123456789");
            let answer = request.body(body.clone()).send().await?;
            answer.error_for_status()?.bytes().await?;
            let request_end = Instant::now();
            latencies
                .borrow_mut()
                .record(micros_of(request_end - request_start))?;
            requests.set(requests.get() + 1);
            request_start = request_end;
        }
        Ok(())
    };
    try_join_all((0..at_once).map(|_| send())).await?;
    let elapsed = start.elapsed();
    Ok(Measured {
        requests: requests.get(),
        elapsed,
        latencies: latencies.into_inner(),
    })
}

//! The comparison for callbacks: the same HTTP client, which only sends a body of the same length.

use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::future::try_join_all;
use rustls::crypto::{CryptoProvider, ring};

use crate::client::Measured;
use crate::statistics::{histogram, micros_of};

/// The length of a callback.
const BODY_BYTES: usize = 900;

/// Posts to the receiver until the time is up, with so many requests in progress.
///
/// # Errors
/// When the receiver does not answer.
pub async fn round(address: SocketAddr, at_once: usize, time: Duration) -> Result<Measured> {
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
    let begun = Instant::now();
    let send = async || -> Result<()> {
        let mut sent = Instant::now();
        while sent < begun + time {
            let request = client
                .post(&url)
                .header("Content-Type", "application/json")
                .header("X-Signature", "0123456789012345678901234567890123456789");
            let answer = request.body(body.clone()).send().await?;
            answer.error_for_status()?.bytes().await?;
            let answered = Instant::now();
            latencies.borrow_mut().record(micros_of(answered - sent))?;
            requests.set(requests.get() + 1);
            sent = answered;
        }
        Ok(())
    };
    try_join_all((0..at_once).map(|_| send())).await?;
    let elapsed = begun.elapsed();
    Ok(Measured {
        requests: requests.get(),
        elapsed,
        latencies: latencies.into_inner(),
    })
}

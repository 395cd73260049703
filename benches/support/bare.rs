//! What callbacks are compared with.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;

/// The same HTTP client, told to do nothing but send a body of the same length.
pub(crate) async fn bare_loop(address: SocketAddr, at_once: usize, count: u64) -> Duration {
    rustls::crypto::ring::default_provider()
        .install_default()
        .unwrap_or_default();
    let client = reqwest::Client::builder()
        .no_proxy()
        .http1_only()
        .pool_max_idle_per_host(at_once)
        .build()
        .expect("a client can be made");
    let (url, body) = (format!("http://{}/bare", address), "x".repeat(900));
    let next = std::cell::Cell::new(0);
    let begun = Instant::now();
    let send = async || {
        while next.get() < count {
            next.set(next.get() + 1);
            let request = client
                .post(&url)
                .header("Content-Type", "application/json")
                .header("X-Signature", "0123456789012345678901234567890123456789");
            let answer = request.body(body.clone()).send().await;
            let answer = answer.expect("the receiver answers");
            answer.bytes().await.expect("the answer ends");
        }
    };
    join_all((0..at_once).map(|_| send())).await;
    begun.elapsed()
}

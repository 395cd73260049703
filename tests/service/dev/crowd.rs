//! Strangers who hold connections to the proxy.

use std::time::{Duration, Instant};

use tokio::net::TcpStream;

use super::started;
use super::tunnel::Tunnel;
use crate::support::in_time;

#[tokio::test]
async fn idle_strangers_keep_no_tunnel_out() {
    let server = started().await;
    let url = server.ready()["proxy"]["url"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap();
    // Less than strangers have for their heads.
    in_time(Duration::from_secs(4), async || {
        let mut strangers = Vec::new();
        for _ in 0..260 {
            strangers.push(TcpStream::connect(address).await.unwrap());
        }
        let start = Instant::now();
        Tunnel::open(&server, "amojo.amocrm.ru").await.unwrap();
        start.elapsed()
    })
    .await;
}

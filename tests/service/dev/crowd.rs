//! Strangers who hold connections to the proxy.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::started;
use super::tunnel::Tunnel;

#[tokio::test]
async fn idle_strangers_keep_no_tunnel_out() {
    let server = started().await;
    let url = server.ready()["proxy"]["url"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap();
    let mut tunnels = Vec::new();
    for _ in 0..260 {
        tunnels.push(TcpStream::connect(address).await.unwrap());
    }
    let attempt = Tunnel::open(&server, "amojo.amocrm.ru");
    let tunnel = timeout(Duration::from_secs(4), attempt).await;
    tunnel.expect("strangers make room").unwrap();
}

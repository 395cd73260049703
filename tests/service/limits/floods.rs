//! Floods of strangers: each pool that they can reach is full, and others are answered as usual.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::limits::crowd::{open_from, room_for};
use crate::limits::others;
use crate::support::answer::CHAT;
use crate::support::client::{Client, scope};
use crate::support::eventually;
use crate::support::server::{ACCOUNT, CHANNEL, Server, Setup};

/// The time that an answer may take beside a flood.
const SOON: Duration = Duration::from_secs(1);

/// Heads of requests whose bodies do not come, by strangers: what they reach without credentials, and what they do not.
fn unfinished(client: &Client, number: usize, forwarded: &str) -> String {
    let chat = format!("{CHAT}{}", scope(CHANNEL, ACCOUNT));
    let target = match number % 4 {
        0 => "/inbox/v1/session",
        1 => "/oauth2/access_token",
        2 => chat.as_str(),
        _ => "/inbox/v1/media",
    };
    format!(
        "POST {target} HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {forwarded}\r\nContent-Type: application/json\r\n\
         X-Signature: {}\r\nContent-Length: 100\r\n\r\n{{",
        client.host(),
        "0".repeat(40)
    )
}

async fn metric(client: &Client, series: &str) -> u64 {
    let page = client.request("GET", "/metrics").send().await.is(200);
    let line = page.body.lines().find_map(|line| line.strip_prefix(series));
    let value = line.unwrap_or_else(|| panic!("there is no {series}"));
    value.trim().parse().unwrap()
}

fn count(server: &Server, words: &str) -> usize {
    server.log().matches(words).count()
}

/// A service that gives up no body for its time, however long this machine takes for a crowd: only for its place.
fn patient() -> Setup {
    Setup::default().setting("limits", "request_body_seconds = 3600")
}

/// One stranger behind the proxy of all others.
#[tokio::test]
async fn unfinished_bodies_behind_a_proxy_stop_no_other_client() {
    const SIZES: [usize; 4] = [256, 300, 1_030, 2_000];
    let Some(_room) = room_for(SIZES[3]).await else {
        return;
    };
    let setup = patient().setting("server", "trusted_proxies = [\"127.0.0.0/8\"]");
    let server = setup.start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut crowd = Vec::new();
    for size in SIZES {
        while crowd.len() < size {
            let mut socket = client.open().await;
            let text = unfinished(client, crowd.len(), "203.0.113.66");
            socket.write_all(text.as_bytes()).await.unwrap();
            crowd.push(socket);
        }
        others::are_served(client, &format!("beside {size}")).await;
    }
    let given_up = "switchboard_pool_given_up_total{pool=\"bodies_unproven\"}";
    assert!(metric(client, given_up).await >= 1_000);
    assert_eq!(count(&server, "unfinished bodies"), 1, "{}", server.log());
}

/// As many addresses as the pool has shares, and as many again.
#[tokio::test]
async fn unfinished_bodies_of_many_addresses_stop_no_other_client() {
    const ADDRESSES: u8 = 8;
    const EACH: usize = 256;
    let Some(_room) = room_for(EACH * usize::from(ADDRESSES)).await else {
        return;
    };
    let server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut crowd = Vec::new();
    for address in 0..ADDRESSES {
        for number in 0..EACH {
            let address = Ipv4Addr::new(127, 0, 1, address);
            let mut socket = open_from(address, client).await;
            let text = unfinished(client, number, "203.0.113.66");
            socket.write_all(text.as_bytes()).await.unwrap();
            crowd.push(socket);
        }
        others::are_served(client, &format!("beside {address}")).await;
    }
}

/// The bytes that a connection of a crowd sends.
#[derive(Clone, Copy)]
enum Crowd {
    /// The first byte of a head.
    Heads,
    /// A whole request, and reads its answer; then nothing.
    Idle,
    /// Requests of which it does not read the answers.
    Unread,
}

impl Crowd {
    async fn open(self, client: &Client, address: Ipv4Addr) -> TcpStream {
        let mut socket = open_from(address, client).await;
        let request =
            |path: &str| format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", client.host());
        let bytes = match self {
            Self::Heads => "G".to_owned(),
            Self::Idle => request("/healthz"),
            Self::Unread => request("/openapi.json").repeat(8),
        };
        // The connection may be one too many already.
        socket.write_all(bytes.as_bytes()).await.ok();
        if let Self::Idle = self {
            socket.read_buf(&mut Vec::new()).await.ok();
        }
        socket
    }
}

/// Opens so many connections from these addresses by turns. Meanwhile and afterwards another client is answered soon.
async fn flood(client: &Client, crowd: Crowd, connections: usize, addresses: u8) {
    let mut open = Vec::new();
    for number in 0..connections {
        let address = u8::try_from(number % usize::from(addresses)).unwrap();
        open.push(crowd.open(client, Ipv4Addr::new(127, 0, 2, address)).await);
        if number % 20 == 0 {
            is_answered(client).await;
        }
    }
    for _ in 0..20 {
        is_answered(client).await;
    }
}

/// Each time on a new connection. It is tried again when it took long: the machine may be busy with something else.
async fn is_answered(client: &Client) {
    eventually("another client is answered soon", async || {
        let start = Instant::now();
        let request = format!(
            "GET /healthz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            client.host()
        );
        let text = client.raw(request.as_bytes()).await;
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        (start.elapsed() < SOON).then_some(())
    })
    .await;
}

/// The service with few descriptors, which it may not get more of.
#[tokio::test]
async fn one_address_cannot_use_up_few_descriptors() {
    let Some(_room) = room_for(2_000).await else {
        return;
    };
    let limited = "ulimit -n 1024; exec \"$0\" \"$@\"";
    let server = Setup::default().under(&["sh", "-c", limited]).start().await;
    flood(server.client(), Crowd::Heads, 2_000, 1).await;
    assert!(
        count(&server, "Too many open files") <= 1,
        "{}",
        server.log()
    );
    assert_eq!(
        count(&server, "to make room for others"),
        1,
        "{}",
        server.log()
    );
}

#[tokio::test]
async fn few_addresses_cannot_hold_all_connections() {
    // The defaults in small.
    let setup = Setup::default()
        .setting("limits", "connections_max = 200")
        .setting("limits", "connections_per_address_max = 41");
    let server = setup.start().await;
    // It is made with the first request.
    let document = server.client().request("GET", "/openapi.json").send();
    document.await.is(200);
    for crowd in [Crowd::Heads, Crowd::Idle, Crowd::Unread] {
        flood(server.client(), crowd, 260, 6).await;
    }
    let metric_before = metric(
        server.client(),
        "switchboard_pool_given_up_total{pool=\"connections\"}",
    );
    assert!(metric_before.await > 100);
    assert_eq!(
        count(&server, "to make room for others"),
        1,
        "{}",
        server.log()
    );
}

/// The usual limit of a shell is not the service's.
#[tokio::test]
async fn the_soft_limit_of_descriptors_is_raised() {
    let limited = "ulimit -Sn 200; exec \"$0\" \"$@\"";
    for setup in [Setup::default(), Setup::default().with_worlds()] {
        let server = setup.under(&["sh", "-c", limited]).start().await;
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).unwrap();
        let line = limits
            .lines()
            .find(|line| line.starts_with("Max open files"));
        let words: Vec<_> = line.unwrap().split_whitespace().collect();
        assert_eq!(words[3], words[4], "soft and hard");
        assert_ne!(words[3], "200");
    }
}

/// Strangers from a few addresses try passwords all the time.
#[tokio::test]
async fn a_flood_of_sign_ins_delays_no_other_sign_in_for_long() {
    const WAITING: &str = "switchboard_pool_in_use{pool=\"sign_ins\"}";
    const GIVEN_UP: &str = "switchboard_pool_given_up_total{pool=\"sign_ins\"}";
    let server = Setup::default()
        .setting("server", "trusted_proxies = [\"127.0.0.0/8\"]")
        .start()
        .await;
    let client = server.client();
    let send_sign_in = async |email: String, password: &str, from: String| {
        let body = json!({ "email": email, "password": password, "account_id": ACCOUNT });
        let request = client
            .request("POST", "/inbox/v1/session")
            .header("Content-Type", "application/json")
            .header("X-Forwarded-For", &from)
            .body(body.to_string());
        request.send().await
    };
    let sign_in = &send_sign_in;
    let strangers = join_all((0..250).map(|number| async move {
        for attempt in 0.. {
            let (email, from) = (
                format!("{attempt}-{number}@example.com"),
                format!("203.0.113.{}", number % 6),
            );
            let answer = sign_in(email, "Wr0ng-one", from).await;
            assert!(matches!(answer.status, 401 | 503), "{answer:?}");
            // The test is about places, not about the processor.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }));
    let other = async {
        eventually("the pool is full", async || {
            (metric(client, GIVEN_UP).await > 0).then_some(())
        })
        .await;
        let from = "198.51.100.7".to_owned();
        let signed_in = sign_in("ada@example.com".to_owned(), "Secr3tive", from);
        signed_in.await.is(201);
        metric(client, WAITING).await
    };
    tokio::select! {
        left = other => assert!(left > 32, "it has waited for all of them: {left} are left"),
        _ = strangers => unreachable!("strangers go on"),
    }
}

//! Limits of one client and of all clients together: a request beyond a limit is refused at once, and other clients do
//! not notice.

mod arrival;
pub(crate) mod crowd;
mod floods;
mod others;
mod unfinished;
mod unread;

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::answer::Answer;
use crate::support::client::{Client, message, parsed, scope, signature};
use crate::support::eventually;
use crate::support::server::{
    ACCOUNT, CHANNEL, OTHER_ACCOUNT, OTHER_CHANNEL, OTHER_SECRET, OTHER_TOKEN, Server, Setup,
};

/// Less than those who hold something up are given, and far more than an answer takes that nothing holds up.
const SOON: Duration = Duration::from_secs(3);

/// Asks again when it took long: the machine may be busy with something else.
async fn is_served(client: &Client) {
    eventually("it is served soon", async || {
        let start = Instant::now();
        client.get("/api/v4/account").await.is(200);
        (start.elapsed() < SOON).then_some(())
    })
    .await;
}

fn retry_after(answer: &Answer) -> u64 {
    answer.header("retry-after").parse().unwrap()
}

#[tokio::test]
async fn a_head_of_more_than_16_kib_is_431_and_ends_the_connection() {
    let server = Server::start().await;
    let client = server.client();
    for (method, target) in [("GET", "/api/v4/account"), ("POST", "/v2/origin/custom/x")] {
        for (length, status) in [(20_000, 431), (100_000, 431)] {
            let long = "a".repeat(length);
            let head = format!(
                "{method} {target} HTTP/1.1\r\nHost: {}\r\nX-A: {long}\r\n\r\n",
                client.host()
            );
            let text = client.raw(head.as_bytes()).await;
            parsed(method, target, &text).is(status);
        }
    }
}

/// Returns a figure of the system about the memory of the service, in MiB.
fn memory_mib(server: &Server, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with(name));
    let kib = line.unwrap().split_whitespace().nth(1).unwrap();
    kib.parse::<u64>().unwrap() / 1024
}

/// A connection whose request was answered.
async fn idle(client: &Client) -> TcpStream {
    let mut socket = client.open().await;
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", client.host());
    // It may be one too many already.
    socket.write_all(request.as_bytes()).await.ok();
    socket.read_buf(&mut Vec::new()).await.ok();
    socket
}

/// Connections of one address beyond the limit get an answer that says so, and are closed.
#[tokio::test]
async fn connections_beyond_the_limit_of_an_address_get_an_answer() {
    let server = Setup::default()
        .setting("limits", "connections_per_address_max = 8")
        .start()
        .await;
    let client = server.client();
    let ask = || async {
        let head = format!(
            "GET /api/v4/account HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            client.host()
        );
        client.raw(head.as_bytes()).await
    };
    let answer_text = eventually("one more is refused", async || {
        let _idle = join_all((0..8).map(|_| idle(client))).await;
        let text = ask().await;
        text.starts_with("HTTP/1.1 429").then_some(text)
    })
    .await;
    let answer = parsed("GET", "/api/v4/account", &answer_text);
    assert!(retry_after(&answer) > 0);
    assert_eq!(answer.header("connection"), "close");
    eventually("others come in again", async || {
        let head = format!(
            "GET /api/v4/account HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            client.host()
        );
        let text = client.raw(head.as_bytes()).await;
        text.starts_with("HTTP/1.1 401").then_some(())
    })
    .await;
}

/// Signs wrongly until the service answers that the client has to wait.
async fn sign_wrongly(client: &Client, forwarded: bool) -> (usize, Answer) {
    for number in 0..2_000 {
        let scope = scope(CHANNEL, ACCOUNT);
        let mut request = client.signed("POST", &scope, message("m", "c").to_string());
        request = request.header("X-Signature", &"0".repeat(40));
        if forwarded {
            let address = format!("203.0.113.{}", number % 250);
            request = request.header("X-Forwarded-For", &address);
        }
        let answer = request.send().await;
        if answer.status == 429 {
            return (number, answer);
        }
        assert_eq!(answer.is(403).error_type(), "ORIGIN_INVALID_SIGNATURE");
    }
    panic!("2000 wrong signatures were all looked at");
}

#[tokio::test]
async fn after_many_wrong_signatures_only_their_address_is_throttled() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let (number, answer) = sign_wrongly(client, false).await;
    assert!(number >= 100, "after {number}");
    assert_eq!(answer.error_type(), "TOO_MANY_REQUESTS");
    assert!(retry_after(&answer) > 0);
    // A right signature is still accepted, and another channel is not affected.
    client.sent(&message("m", "c")).await;
    let other = scope(OTHER_CHANNEL, OTHER_ACCOUNT);
    let body = message("m", "c").to_string();
    client.signed("POST", &other, body).send().await.is(403);
}

#[tokio::test]
async fn an_untrusted_forwarded_address_is_ignored() {
    let server = Server::start().await;
    sign_wrongly(server.client(), true).await;
}

/// Asks many times at once, and again, until something is refused; gives how much was not, and a refusal. One after the
/// other, a slow machine would never be too fast.
async fn until_refused(ask: impl AsyncFn(usize) -> Answer) -> (usize, Answer) {
    const AT_ONCE: usize = 50;
    let mut count = 0;
    for round in 0..20 {
        let asking = (0..AT_ONCE).map(|number| ask(round * AT_ONCE + number));
        let answers = join_all(asking).await;
        count += answers.iter().filter(|it| it.status == 200).count();
        if let Some(refusal) = answers.into_iter().find(|it| it.status != 200) {
            return (count, refusal);
        }
    }
    panic!("{count} were taken and none refused");
}

#[tokio::test]
async fn a_channel_beyond_its_rate_limit_gets_retry_after() {
    let server = Setup::default()
        .setting("limits", "channel_requests_per_second = 5")
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    let (taken, refused) = until_refused(async |number| {
        let id = format!("m{number}");
        client.send(&message(&id, "c")).await
    })
    .await;
    assert!(taken >= 9, "only {taken}");
    let refusal = refused.is(429);
    assert_eq!(refusal.error_type(), "TOO_MANY_REQUESTS");
    let wait = format!("retry after {} s", retry_after(&refusal));
    assert!(refusal.body.contains(&wait), "{refusal:?}");
    // Others do not notice.
    let body = json!({ "account_id": OTHER_ACCOUNT }).to_string();
    let connect = client
        .signed("POST", &format!("{OTHER_CHANNEL}/connect"), body.clone())
        .header("X-Signature", &signature(OTHER_SECRET, body.as_bytes()));
    connect.send().await.is(200);
    is_served(client).await;
    // A refusal is never half an accept, and later there is room.
    eventually("there is room again", async || {
        let answer = client.send(&message("later", "c")).await;
        (answer.status == 200).then_some(())
    })
    .await;
    let conversations = client.conversations().await;
    assert_eq!(conversations[0]["messages"], taken + 1);
}

#[tokio::test]
async fn a_user_beyond_the_rate_limit_gets_retry_after() {
    let server = Setup::default()
        .setting("limits", "user_requests_per_second = 5")
        .start()
        .await;
    let client = server.client();
    let (taken, refused) = until_refused(async |_| client.get("/api/v4/account").await).await;
    assert!(taken >= 10, "only {taken}");
    let refusal = refused.is(429);
    let wait = format!("retry after {} s", retry_after(&refusal));
    assert!(refusal.body.contains(&wait), "{refusal:?}");
    client.get_as(OTHER_TOKEN, "/api/v4/account").await.is(200);
    eventually("there is room again", async || {
        (client.get("/api/v4/account").await.status == 200).then_some(())
    })
    .await;
}

/// The connections follow the descriptors that there are, so that a crowd does not take those of the rest.
#[tokio::test]
async fn a_service_with_few_descriptors_keeps_some_free() {
    let limited = "ulimit -n 90; exec \"$0\" \"$@\"";
    let server = Setup::default().under(&["sh", "-c", limited]).start().await;
    let client = server.client();
    client.connect("v2").await;
    let _crowd = join_all((0..150).map(|_| client.open())).await;
    let scope = scope(CHANNEL, ACCOUNT);
    for number in 0..20 {
        let body = message(&format!("m{number}"), "c").to_string();
        client.signed("POST", &scope, body).send().await.is(200);
    }
    let open = std::fs::read_dir(format!("/proc/{}/fd", server.pid()))
        .unwrap()
        .count();
    assert!(open < 88, "{open}");
}

/// The time that so many of a hundred took at most, of times that are sorted.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    times[(times.len() - 1) * percent / 100]
}

/// Posts one after the other until this moment; gives the times of what was accepted, and how much was refused.
async fn post_until(
    client: &Client,
    name: String,
    round: usize,
    end: Instant,
) -> (Vec<Duration>, usize) {
    let (mut accepted, mut refused) = (Vec::new(), 0);
    while Instant::now() < end {
        let id = format!("{round}-{}", accepted.len() + refused);
        let start = Instant::now();
        let answer = client.send(&message(&id, &name)).await;
        if answer.status == 200 {
            accepted.push(start.elapsed());
        } else {
            assert!(matches!(answer.status, 429 | 503), "{answer:?}");
            assert!(retry_after(&answer) > 0);
            refused += 1;
        }
    }
    (accepted, refused)
}

/// Sends messages from many clients at once for a while, and returns their outcomes.
async fn load(client: &Client, kind: &str, round: usize, count: usize) -> (Vec<Duration>, usize) {
    let end = Instant::now() + Duration::from_secs(1);
    let posting =
        (0..count).map(|number| post_until(client, format!("{kind}{number}"), round, end));
    let (mut times, mut refused) = (Vec::new(), 0);
    for (accepted, count) in join_all(posting).await {
        times.extend(accepted);
        refused += count;
    }
    times.sort_unstable();
    (times, refused)
}

#[tokio::test]
async fn at_double_load_the_service_refuses_at_once_and_stays_fast() {
    let server = Setup::default()
        .setting("limits", "requests_in_flight_max = 16")
        .setting("limits", "channel_requests_per_second = 0")
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    let median = |times: &[Duration]| percentile(times, 50);
    let mut successes = 1;
    for round in 1.. {
        let (alone, none) = load(client, "a", round, 12).await;
        assert_eq!(none, 0, "within what it can do nothing is refused");
        let (crowded, refused) = load(client, "b", round, 64).await;
        println!(
            "alone {} at {:?}, crowded {} at {:?} and {refused} refused",
            alone.len(),
            median(&alone),
            crowded.len(),
            median(&crowded)
        );
        assert!(refused > 0, "nothing was refused");
        assert!(!crowded.is_empty(), "nothing was accepted");
        successes += alone.len() + crowded.len();
        // The same machine carries four times as many clients meanwhile, and whatever else runs on it; when that was too
        // much, again.
        let most = median(&alone) * 12 + Duration::from_millis(200);
        if median(&crowded) < most && percentile(&crowded, 99) < SOON {
            break;
        }
        assert!(round < 10, "it never kept its time");
    }
    // As soon as it is over, everything is as it was.
    is_served(client).await;
    client.sent(&message("afterwards", "c")).await;
    // What was accepted is there, and nothing of what was refused.
    let conversations = client.conversations().await;
    let counts = conversations.iter().map(|it| it["messages"].as_u64());
    let total: u64 = counts.map(Option::unwrap).sum();
    assert_eq!(total, u64::try_from(successes).unwrap());
}

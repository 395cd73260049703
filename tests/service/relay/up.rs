//! What a bridge sends up reaches the counterpart as it is, and no other host.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use switchboard_worlds::sink::{Behaviour, Reply, Sink};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{scope, setup};
use crate::support::server::Server;

/// A service whose relay has this way up.
async fn with_upstream(counterpart: &Sink) -> Server {
    let origin = format!("http://{}", counterpart.address());
    let lines = format!("upstream = \"{origin}\"\nupstream_hosts = [\"{origin}\"]\n");
    setup("http://127.0.0.1:9/in", &lines).start().await
}

#[tokio::test]
async fn a_post_goes_up_byte_by_byte_and_its_answer_comes_back_so() {
    let reply = Reply::new(201)
        .header("X-Request-Id", "of-the-counterpart")
        .header("Content-Type", "application/json");
    let body = "{ \"new_message\" : {\"msgid\":\"\u{fffd}\"} }";
    let reply = Reply {
        body: body.into(),
        ..reply
    };
    let counterpart = Sink::start(Behaviour::Answer(reply)).await.unwrap();
    let server = with_upstream(&counterpart).await;
    let path = format!("/v2/origin/custom/{}?x=%2F..&y=", scope());
    let sent = b"{\"event_type\" : \"new_message\", \"x\":\"\xff\"}";
    let headers = [
        ("Date", "Thu, 01 Oct 2020 15:11:21 +0000"),
        ("Content-Type", "application/json"),
        ("Content-MD5", "d41d8cd98f00b204e9800998ecf8427e"),
        ("X-Signature", "cd7ee9b6e1a3d37f1a9b9e4a2a3f6ac4b4b1e0d1"),
        ("X-Strange", "a,  b;c"),
    ];
    let mut request = Client::new().post(format!("{}{path}", server.url()));
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let answer = request.body(sent.to_vec()).send().await.unwrap();
    assert_eq!(answer.status(), 201);
    assert_eq!(answer.headers()["x-request-id"], "of-the-counterpart");
    assert_eq!(answer.headers().get("cache-control"), None);
    assert_eq!(answer.text().await.unwrap(), body);
    let request = counterpart.requests(1).await.unwrap().remove(0);
    assert_eq!(
        (request.method.as_str(), request.target.as_str()),
        ("POST", path.as_str())
    );
    assert_eq!(request.body, sent.as_slice());
    for (name, value) in headers {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
    assert_eq!(
        request.header("host"),
        Some(counterpart.address().to_string().as_str())
    );
}

#[tokio::test]
async fn the_account_side_goes_to_hosts_of_the_list_with_its_token() {
    let counterpart = Sink::start(Behaviour::status(204)).await.unwrap();
    let server = with_upstream(&counterpart).await;
    let host = counterpart.address();
    for (method, path) in [
        (Method::GET, "/api/v4/leads?limit=1"),
        (Method::PATCH, "/api/v4/leads"),
    ] {
        let url = format!("{}/relay/to/{host}{path}", server.url());
        let request = Client::new()
            .request(method, url)
            .bearer_auth("secret-token");
        assert_eq!(request.send().await.unwrap().status(), 204);
    }
    let requests = counterpart.requests(2).await.unwrap();
    let targets = requests.iter().map(|it| it.target.as_str());
    assert_eq!(
        targets.collect::<Vec<_>>(),
        ["/api/v4/leads?limit=1", "/api/v4/leads"]
    );
    assert!(
        requests
            .iter()
            .all(|it| it.header("authorization") == Some("Bearer secret-token"))
    );
    assert!(!server.log().contains("secret-token"));
}

/// Sends these bytes over a connection of its own, and returns the answer's head.
async fn raw(server: &Server, request: &str) -> String {
    let address = server.url().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn the_relay_is_no_open_proxy() {
    let counterpart = Sink::start(Behaviour::status(200)).await.unwrap();
    let other = Sink::start(Behaviour::status(200)).await.unwrap();
    let server = with_upstream(&counterpart).await;
    let own = server.url().strip_prefix("http://").unwrap().to_owned();
    let scope = scope();
    let stranger = other.address();
    for (target, host) in [
        (format!("/relay/to/{stranger}/"), own.as_str()),
        (
            "/relay/to/169.254.169.254/latest/meta-data".to_owned(),
            &own,
        ),
        ("/relay/to/localhost:1/".to_owned(), &own),
        ("/relay/to//".to_owned(), &own),
        (
            format!("/relay/to/{}@{stranger}/", counterpart.address()),
            &own,
        ),
        (
            format!("/relay/to/{}%2f{stranger}/", counterpart.address()),
            &own,
        ),
        ("/relay/to/evil.test/".to_owned(), &own),
        (format!("http://{stranger}/v2/origin/custom/{scope}"), &own),
        (
            format!("http://169.254.169.254/v2/origin/custom/{scope}"),
            &own,
        ),
        (format!("/v2/origin/custom/{scope}"), "evil.example.com"),
        (format!("/v2/origin/custom/{scope}"), "169.254.169.254"),
    ] {
        let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let answer = raw(&server, &head).await;
        assert!(
            answer.starts_with("HTTP/1.1 421 "),
            "{target} {host}: {answer}"
        );
    }
    // Another channel is one of this service, and is none here.
    let head = format!(
        "POST /v2/origin/custom/other HTTP/1.1\r\nHost: {own}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    let answer = raw(&server, &head).await;
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    assert_eq!(
        (counterpart.ledger().connections, other.ledger().connections),
        (0, 0)
    );
}

#[tokio::test]
async fn pages_and_silence_of_the_counterpart_count_apart() {
    let bare = Reply::new(403).header("Content-Type", "text/html; charset=utf-8");
    let page = Reply {
        body: "<html>blocked</html>".into(),
        ..bare
    };
    let counterpart = Sink::start(Behaviour::status(200)).await.unwrap();
    counterpart.script([Behaviour::Answer(page), Behaviour::Reset("".into())]);
    let server = with_upstream(&counterpart).await;
    let url = format!("{}/v2/origin/custom/{}", server.url(), scope());
    let post = async || Client::new().post(&url).body("{}").send().await.unwrap();
    let blocked = post().await;
    assert_eq!(
        (
            blocked.status().as_u16(),
            blocked.text().await.unwrap().as_str()
        ),
        (403, "<html>blocked</html>")
    );
    let lost = post().await;
    assert_eq!(lost.status(), 503);
    assert!(lost.headers().contains_key("retry-after"));
    // The bridge repeats with the same bytes, and the counterpart decides by the msgid.
    assert_eq!(post().await.status(), 200);
    let bodies: BTreeSet<_> = counterpart
        .ledger()
        .requests
        .iter()
        .map(|it| it.body.clone())
        .collect();
    assert_eq!(bodies.len(), 1);
    let scrape = Client::new()
        .get(format!("{}/metrics", server.url()))
        .send()
        .await
        .unwrap();
    let metrics = scrape.text().await.unwrap();
    for (outcome, count) in [("answered", 1), ("page", 1), ("failed", 1), ("refused", 0)] {
        let line = format!("switchboard_relay_upward_total{{outcome=\"{outcome}\"}} {count}\n");
        assert!(metrics.contains(&line), "{line} {metrics}");
    }
}

#[tokio::test]
async fn a_burst_goes_up_at_the_pace_of_the_operator() {
    let counterpart = Sink::start(Behaviour::status(200)).await.unwrap();
    let origin = format!("http://{}", counterpart.address());
    let lines = format!("upstream = \"{origin}\"\nupstream_per_second = 4\n");
    let server = setup("http://127.0.0.1:9/in", &lines).start().await;
    let url = format!("{}/v2/origin/custom/{}", server.url(), scope());
    let client = Client::new();
    let began = Instant::now();
    let requests = (0..100).map(|number| client.post(&url).body(format!("{{\"n\":{number}}}")));
    let mut count: u32 = 0;
    for answer in join_all(requests.map(RequestBuilder::send)).await {
        let answer = answer.unwrap();
        if answer.status() == 200 {
            count += 1;
            continue;
        }
        assert_eq!(answer.status(), 503);
        assert!(answer.headers().contains_key("retry-after"));
        let text = answer.text().await.unwrap();
        let problem: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(problem["reason"], "pace");
    }
    assert!(began.elapsed() >= Duration::from_millis(250) * (count - 1));
    let arrivals = counterpart.ledger().requests.len();
    assert_eq!(u32::try_from(arrivals), Ok(count));
    // A burst waits for five seconds at most.
    assert!((2..100).contains(&count), "{count}");
}

/// Prints what the relay adds to a request.
#[tokio::test]
async fn the_way_up_adds_little_time() {
    let counterpart = Sink::start(Behaviour::status(200)).await.unwrap();
    let server = with_upstream(&counterpart).await;
    let through = format!("{}/v2/origin/custom/{}", server.url(), scope());
    let straight = counterpart.url(&format!("/v2/origin/custom/{}", scope()));
    let mut medians = Vec::new();
    for url in [&straight, &through, &straight, &through] {
        let client = Client::new();
        let mut times = Vec::new();
        for _ in 0..300 {
            let began = Instant::now();
            let answer = client
                .post(url)
                .body("{\"event_type\":\"new_message\"}")
                .send()
                .await
                .unwrap();
            assert_eq!(answer.status(), 200);
            answer.bytes().await.unwrap();
            times.push(began.elapsed());
        }
        times.sort_unstable();
        medians.push(times[times.len() / 2]);
    }
    let added = medians[1]
        .min(medians[3])
        .saturating_sub(medians[0].min(medians[2]));
    println!("medians {medians:?}: the relay adds {added:?}");
    // A busy machine that builds without optimisation: the figure of a release is in docs/relay.md.
    assert!(added < Duration::from_millis(50), "{added:?}");
}

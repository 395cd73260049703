//! One test for each thing that a receiver may do to us.

use super::*;

#[tokio::test]
async fn a_request_carries_signed_bytes_and_documented_headers() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let callback = attempt(&sink.url("/v2/f90ba33d_1?x=1"), PATIENT);
    let exchange = client().attempt(callback.clone()).await;
    assert_eq!(exchange.remote, Some(sink.address()));
    assert!(exchange.head.unwrap() <= exchange.duration);
    let answer = answer(exchange);
    assert_eq!((answer.status, answer.wish), (200, Wish::Unspoken));
    assert_eq!(answer.excerpt, BodyExcerpt::new(b"", BodyEnd::Complete));

    let request = sink.requests(1).await.unwrap().remove(0);
    assert_eq!(request.method, "POST");
    assert_eq!(request.target, "/v2/f90ba33d_1?x=1");
    assert_eq!(request.body, callback.body);
    let version = concat!("switchboard/", env!("CARGO_PKG_VERSION"));
    for (name, value) in [
        ("Content-Type", "application/json"),
        ("X-Signature", SIGNATURE),
        ("webhook-id", "8b2c5f4e-0000-4000-8000-000000000001"),
        ("webhook-timestamp", "1700000000"),
        ("X-Delivery-Attempt", "3"),
        ("User-Agent", version),
        ("Content-Length", "27"),
    ] {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
    for absent in ["Accept-Encoding", "Cookie", "Referer", "Transfer-Encoding"] {
        assert_eq!(request.header(absent), None, "{absent}");
    }
    let as_documented = |(name, _): &(String, String)| name == "X-Signature";
    assert!(request.headers.iter().any(as_documented));
}

#[tokio::test]
async fn any_status_is_an_answer() {
    for status in [201, 204, 301, 400, 410, 429, 500, 503, 999] {
        let answer = answer(meet(Behaviour::status(status), PATIENT).await);
        assert_eq!(answer.status, status);
    }
}

#[tokio::test]
async fn no_retry_and_retry_after_of_the_receiver_are_passed_on() {
    let reply = Reply::new(503).header("Retry-After", "120");
    let unavailable = answer(meet(Behaviour::Answer(reply), PATIENT).await);
    assert_eq!(unavailable.retry_after.as_deref(), Some("120"));
    assert_eq!(unavailable.wish, Wish::Unspoken);
    for (name, value) in [("webhook-delivery", "abort-message"), ("X-No-Retry", "1")] {
        let reply = Reply::new(400).header(name, value);
        let exchange = answer(meet(Behaviour::Answer(reply), PATIENT).await);
        assert_eq!(exchange.wish, Wish::NoMoreAttempts, "{name}");
    }
    let reply = Reply::new(429).header("Retry-After", &"9".repeat(65));
    let nonsense = answer(meet(Behaviour::Answer(reply), PATIENT).await);
    assert_eq!(nonsense.retry_after, None);
}

#[tokio::test]
async fn the_excerpt_is_short_and_harmless() {
    let body = format!("no\r\n\u{1b}[2J{}", "é".repeat(3_000));
    let reply = Reply::new(500).body(body);
    let excerpt = answer(meet(Behaviour::Answer(reply), PATIENT).await).excerpt;
    assert!(excerpt.text.starts_with("no\\r\\n\\u001b[2Jéé"));
    assert!(excerpt.text.len() <= EXCERPT_MAX);
    assert_eq!(excerpt.end, BodyEnd::Complete);
}

#[tokio::test]
async fn a_head_that_trickles_is_a_time_out() {
    let behaviour = Behaviour::slow_head(Duration::from_millis(20));
    let exchange = meet(behaviour, BRIEF).await;
    assert!(exchange.duration >= BRIEF);
    assert_eq!(exchange.head, None);
    assert_eq!(failure(exchange).kind, FailureKind::Timeout);
}

#[tokio::test]
async fn a_body_that_trickles_does_not_undo_the_status() {
    // The head must arrive within the time-out, the body never does.
    let timeout = Duration::from_secs(5);
    let exchange = meet(
        Behaviour::slow_body(202, Duration::from_millis(20)),
        timeout,
    )
    .await;
    assert!(exchange.duration >= timeout);
    let answer = answer(exchange);
    assert_eq!(answer.status, 202);
    assert_eq!(answer.excerpt.end, BodyEnd::TooSlow);
    assert!(answer.excerpt.text.starts_with('z'));
}

#[tokio::test]
async fn a_body_without_end_is_dropped_with_its_connection() {
    let sink = Sink::start(Behaviour::endless_body(200)).await.unwrap();
    let exchange = client().attempt(attempt(&sink.url("/"), PATIENT)).await;
    let answer = answer(exchange);
    assert_eq!((answer.status, answer.excerpt.end), (200, BodyEnd::TooLong));
    assert_eq!(answer.excerpt.text.len(), EXCERPT_MAX);
    sink.until(|ledger| ledger.ended == 1).await.unwrap();
}

#[tokio::test]
async fn a_body_longer_than_is_read_is_dropped_with_its_connection() {
    let reply = Reply::new(200).body(vec![b'z'; 4 << 20]);
    let sink = Sink::start(Behaviour::Answer(reply)).await.unwrap();
    let exchange = client().attempt(attempt(&sink.url("/"), PATIENT)).await;
    assert_eq!(answer(exchange).excerpt.end, BodyEnd::TooLong);
    sink.until(|ledger| ledger.ended == 1).await.unwrap();
}

#[tokio::test]
async fn a_reset_before_the_head_is_complete_is_a_reset() {
    for sent in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX-A: b\r\n"] {
        let exchange = meet(Behaviour::Reset(Bytes::from(sent)), PATIENT).await;
        assert_eq!(failure(exchange).kind, FailureKind::Reset, "{sent:?}");
    }
}

#[tokio::test]
async fn a_close_before_the_head_is_complete_is_a_reset() {
    for sent in ["", "HTTP/1.1 200 OK\r\n"] {
        let exchange = meet(Behaviour::Raw(Bytes::from(sent)), PATIENT).await;
        assert_eq!(failure(exchange).kind, FailureKind::Reset, "{sent:?}");
    }
}

#[tokio::test]
async fn a_body_shorter_than_declared_does_not_undo_the_status() {
    for sent in [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
    ] {
        let answer = answer(meet(Behaviour::Raw(Bytes::from(sent)), PATIENT).await);
        assert_eq!((answer.status, answer.excerpt.end), (200, BodyEnd::Broken));
        assert_eq!(answer.excerpt.text, "abc");
    }
}

#[tokio::test]
async fn a_mebibyte_of_headers_is_refused() {
    let exchange = meet(Behaviour::header_flood(1 << 20), PATIENT).await;
    assert_eq!(failure(exchange).kind, FailureKind::HeadTooLarge);
}

#[tokio::test]
async fn headers_beyond_the_limit_are_refused() {
    let head = format!("HTTP/1.1 200 OK\r\n{}\r\n", "A: b\r\n".repeat(10_000));
    let exchange = meet(Behaviour::Raw(Bytes::from(head)), PATIENT).await;
    assert_eq!(failure(exchange).kind, FailureKind::HeadTooLarge);
}

/// Applications behind several proxies answer with more headers than most clients read.
#[tokio::test]
async fn hundreds_of_headers_are_read() {
    for count in [99, 101, 500, 998] {
        let headers = "X-Trace: 0123456789abcdef0123456789abcdef\r\n".repeat(count);
        let head = format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: 0\r\n\r\n");
        let answer = answer(meet(Behaviour::Raw(Bytes::from(head)), PATIENT).await);
        assert_eq!(answer.status, 200, "{count}");
    }
}

#[tokio::test]
async fn a_compressed_body_is_not_decoded() {
    // The beginning of what gzip makes of 8 MiB of zeros.
    let bomb = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xec\xc1\x01\x01";
    let reply = Reply::new(200)
        .header("Content-Encoding", "gzip")
        .body([bomb.as_slice(), &[0; 8_000]].concat());
    let excerpt = answer(meet(Behaviour::Answer(reply), PATIENT).await).excerpt;
    assert!(excerpt.text.starts_with("\\u001f\u{fffd}\\u0008\\u0000"));
    assert_eq!(excerpt.end, BodyEnd::Complete);
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_never_followed() {
    let target = Sink::start(Behaviour::status(200)).await.unwrap();
    for status in [301, 302, 303, 307, 308] {
        let reply = Reply::new(status).header("Location", &target.url("/inside"));
        let answer = answer(meet(Behaviour::Answer(reply), PATIENT).await);
        assert_eq!(answer.status, status);
    }
    let answer = answer(meet(Behaviour::redirect("file:///etc/passwd"), PATIENT).await);
    assert_eq!(answer.status, 302);
    assert_eq!(target.ledger().connections, 0);
}

#[tokio::test]
async fn a_response_that_is_not_http_is_a_protocol_failure() {
    for sent in [
        "garbage\r\n\r\n",
        "<html>hello</html>\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
    ] {
        let exchange = meet(Behaviour::Raw(Bytes::from(sent)), PATIENT).await;
        assert_eq!(failure(exchange).kind, FailureKind::Protocol, "{sent:?}");
    }
}

#[tokio::test]
async fn preliminary_answers_without_end_are_a_time_out() {
    let behaviour = Behaviour::Drip {
        first: Bytes::new(),
        chunk: Bytes::from_static(b"HTTP/1.1 100 Continue\r\n\r\n"),
        interval: Duration::from_millis(5),
    };
    let exchange = meet(behaviour, BRIEF).await;
    assert_eq!(failure(exchange).kind, FailureKind::Timeout);
}

#[tokio::test]
async fn a_receiver_that_accepts_and_hangs_is_a_time_out() {
    let sink = Sink::start(Behaviour::Hang).await.unwrap();
    sink.script([Behaviour::status(200)]);
    let client = client();
    // The connection is there when the time begins: however slow the machine is, none of it is spent on that.
    let first = client.attempt(attempt(&sink.url("/hook"), PATIENT)).await;
    assert_eq!(answer(first).status, 200);
    let hung = client.attempt(attempt(&sink.url("/hook"), BRIEF)).await;
    let failure = failure(hung);
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert_eq!(failure.detail, "no complete answer within the time-out");
}

#[tokio::test]
async fn the_connection_of_an_attempt_that_timed_out_is_closed() {
    let slow = Behaviour::slow_head(Duration::from_millis(5));
    let sink = Sink::start(slow).await.unwrap();
    let exchange = client().attempt(attempt(&sink.url("/"), BRIEF)).await;
    assert_eq!(failure(exchange).kind, FailureKind::Timeout);
    sink.until(|ledger| ledger.ended == 1).await.unwrap();
}

#[tokio::test]
async fn a_refused_connection_is_reported_as_such() {
    // Bound and not listening: the port is ours and refuses.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}/", socket.local_addr().unwrap());
    let failure = failure(client().attempt(attempt(&url, PATIENT)).await);
    assert_eq!(failure.kind, FailureKind::Connect);
    assert!(failure.detail.contains("refused"), "{failure}");
}

#[tokio::test]
async fn requests_follow_each_other_on_one_connection() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let client = client();
    for _ in 0..5 {
        let exchange = client.attempt(attempt(&sink.url("/"), PATIENT)).await;
        assert_eq!(answer(exchange).status, 200);
    }
    let ledger = sink.ledger();
    assert_eq!((ledger.count, ledger.connections), (5, 1));
}

#[tokio::test]
async fn a_connection_that_waits_too_long_is_closed() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let settings = ClientSettings {
        idle_timeout: BRIEF,
        ..ClientSettings::default()
    };
    let client = client_with(&Names::new(), &settings);
    for count in 1..=2 {
        let exchange = client.attempt(attempt(&sink.url("/"), PATIENT)).await;
        assert_eq!(answer(exchange).status, 200);
        sink.until(|ledger| ledger.ended == count).await.unwrap();
    }
}

#[tokio::test]
async fn a_connection_closed_between_requests_costs_nothing() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    sink.script([Behaviour::AnswerAndClose(Reply::new(200))]);
    let client = client();
    let first = client.attempt(attempt(&sink.url("/1"), PATIENT)).await;
    assert_eq!(answer(first).status, 200);
    sink.until(|ledger| ledger.ended == 1).await.unwrap();
    let second = client.attempt(attempt(&sink.url("/2"), PATIENT)).await;
    assert_eq!(answer(second).status, 200);
    let requests = sink.requests(2).await.unwrap();
    let targets: Vec<&str> = requests.iter().map(|it| it.target.as_str()).collect();
    assert_eq!(targets, ["/1", "/2"]);
}

#[tokio::test]
async fn a_reused_connection_that_breaks_is_not_retried() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    sink.script([Behaviour::status(200), Behaviour::Reset(Bytes::new())]);
    let client = client();
    let first = client.attempt(attempt(&sink.url("/1"), PATIENT)).await;
    assert_eq!(answer(first).status, 200);
    let second = client.attempt(attempt(&sink.url("/2"), PATIENT)).await;
    assert_eq!(failure(second).kind, FailureKind::Reset);
    let ledger = sink.ledger();
    assert_eq!((ledger.count, ledger.connections), (2, 1));
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_is_invalid_and_not_sent() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let mut injected = attempt(&sink.url("/"), PATIENT);
    injected.envelope = Envelope::Form {
        request_id: "1\r\nX-Injected: yes".to_owned(),
    };
    let exchange = client().attempt(injected).await;
    assert_eq!(failure(exchange).kind, FailureKind::Invalid);
    assert_eq!(sink.ledger().connections, 0);
}

/// A connection on which pieces were written is not used for the next request.
#[tokio::test]
async fn a_request_in_pieces_has_a_connection_of_its_own() {
    let sink = Sink::start(Behaviour::status(200)).await.unwrap();
    let client = client();
    let plain = attempt(&sink.url("/hook"), PATIENT);
    let paced = OutboundCallback {
        pace: Some(pieces()),
        ..plain.clone()
    };
    for callback in [plain.clone(), paced.clone(), paced, plain] {
        assert_eq!(answer(client.attempt(callback).await).status, 200);
    }
    let ledger = sink.ledger();
    assert_eq!(ledger.connections, 3);
    let bodies: std::collections::BTreeSet<_> = ledger
        .requests
        .iter()
        .map(|request| &request.body)
        .collect();
    assert_eq!((ledger.requests.len(), bodies.len()), (4, 1));
}

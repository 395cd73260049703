//! What is taken arrives with its bytes and headers, once, in the order of its conversation, whatever becomes of the bridge or of
//! the service.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures_util::future::join_all;
use switchboard_worlds::sink::{Behaviour, Sink};
use tokio::sync::Mutex;

use super::{Counterpart, SECRET, message_body, message_id, relaying_to, scope, setup};
use crate::support::client::signature;
use crate::support::eventually;
use crate::support::random::{Random, times};
use crate::support::receiver::Receiver;

#[tokio::test]
async fn a_hook_reaches_the_bridge_with_its_bytes_and_headers() {
    let bridge = Receiver::start().await;
    let server = relaying_to(&bridge).await;
    let counterpart = Counterpart::to(&server);
    // Duplicate keys, escapes and numbers that no reader keeps as they are.
    let body = br#"{ "time":1, "message":{"conversation":{"id":"c"}, "message":{"id":"\u006d-1","id":"m-1","n":1.10e+2} },"x":"\u0000" }"#;
    let answer = counterpart
        .sends_signed(body, &signature(SECRET, body))
        .await;
    assert_eq!(answer.status(), 200);
    let request = bridge.requests(1).await.remove(0);
    assert_eq!(request.method, "POST");
    assert_eq!(request.target, format!("/in/{}", scope()));
    assert_eq!(request.body, body.as_slice());
    let right = signature(SECRET, body);
    for (name, value) in [
        ("x-signature", right.as_str()),
        ("content-type", "application/json"),
        ("user-agent", "amoCRM/1.0"),
        ("webhook-id", "m-1"),
        ("x-delivery-attempt", "1"),
    ] {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
    let received = request.header("x-relay-received").unwrap();
    assert!(received.ends_with('Z'), "{received}");
    // What the bridge gets is what the counterpart signed: nothing depends on the relay.
    assert_eq!(request.header("x-relay-unverified"), None);
}

#[tokio::test]
async fn a_repeat_of_a_message_is_answered_and_not_passed_on() {
    let bridge = Receiver::start().await;
    let server = relaying_to(&bridge).await;
    let counterpart = Counterpart::to(&server);
    for _ in 0..3 {
        counterpart.writes("c", "m-1").await;
    }
    counterpart.writes("c", "m-2").await;
    let requests = bridge.requests(2).await;
    let ids = requests.iter().map(|it| message_id(&it.body));
    assert_eq!(ids.collect::<Vec<_>>(), ["m-1", "m-2"]);
}

#[tokio::test]
async fn a_conversation_that_fails_holds_itself_alone() {
    let failures = Arc::new(Mutex::new(2));
    let failing = Arc::clone(&failures);
    let bridge = Sink::judging(move |request| {
        let is_first = message_id(&request.body) == "a-1";
        let mut left = failing.try_lock().unwrap();
        if is_first && *left > 0 {
            *left -= 1;
            return Behaviour::status(500);
        }
        Behaviour::status(200)
    })
    .await
    .unwrap();
    let server = setup(&bridge.url("/in/:scope_id"), "").start().await;
    let counterpart = Counterpart::to(&server);
    for (conversation, message) in [("a", "a-1"), ("a", "a-2"), ("b", "b-1"), ("b", "b-2")] {
        counterpart.writes(conversation, message).await;
    }
    let requests = bridge.requests(6).await.unwrap();
    let ids: Vec<_> = requests.iter().map(|it| message_id(&it.body)).collect();
    let place = |id: &str| ids.iter().rposition(|known| known == id).unwrap();
    assert!(place("b-2") < place("a-1"), "{ids:?}");
    assert!(place("a-1") < place("a-2"), "{ids:?}");
    assert_eq!(ids.iter().filter(|id| *id == "a-1").count(), 3);
}

/// Bodies of a fuzzer leave as they came.
#[tokio::test]
async fn bytes_of_every_kind_leave_as_they_came() {
    let bridge = Receiver::start().await;
    let server = relaying_to(&bridge).await;
    let counterpart = Counterpart::to(&server);
    let mut random = Random::of_this_run();
    let mut bodies = BTreeSet::new();
    while bodies.len() < 400 {
        bodies.insert(strange_body(&mut random));
    }
    for body in &bodies {
        assert_eq!(counterpart.sends(body).await, 200);
    }
    let requests = bridge.requests(bodies.len()).await;
    let arrived: BTreeSet<_> = requests.iter().map(|it| it.body.to_vec()).collect();
    assert_eq!(arrived, bodies);
    for request in &requests {
        let right = signature(SECRET, &request.body);
        assert_eq!(request.header("x-signature"), Some(right.as_str()));
    }
}

/// A body with escapes, duplicate keys, large numbers, blanks and bytes that are no text.
fn strange_body(random: &mut Random) -> Vec<u8> {
    const PIECES: [&[u8]; 16] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b":",
        b",",
        b"\\u00e9",
        b"\\\"",
        b"1e400",
        b"-0.0",
        b"123456789012345678901234567890",
        b"\xff\xfe",
        b"\"id\":\"c\"",
        b"\r\n\t ",
        b"\0",
    ];
    let count = 1 + random.below(60);
    let pieces = (0..count).map(|_| {
        let place = usize::try_from(random.below(16)).unwrap();
        PIECES[place]
    });
    pieces.collect::<Vec<_>>().concat()
}

/// `KILLS=50` for more kills.
#[tokio::test]
async fn kills_while_the_bridge_is_down_lose_no_hook() {
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let bridge = Sink::judging(move |_| {
        let is_down = down.load(Ordering::Relaxed);
        Behaviour::status(if is_down { 503 } else { 200 })
    })
    .await
    .unwrap();
    let mut server = setup(&bridge.url("/in/:scope_id"), "")
        .setting("store", "checkpoint_records = 300")
        .start()
        .await;
    let mut random = Random::of_this_run();
    let kills = times("KILLS", 6);
    let mut acknowledged = BTreeSet::new();
    for kill in 0..kills {
        let counterpart = Counterpart::to(&server);
        let count = AtomicU64::new(0);
        let most = 50 + random.below(300);
        let writing = join_all((0..8).map(|writer| write(&counterpart, writer, kill, &count)));
        let killing = async {
            eventually("hooks are taken", async || {
                (count.load(Ordering::Relaxed) >= most).then_some(())
            })
            .await;
            server.kill_9();
        };
        let (messages, ()) = tokio::join!(writing, killing);
        acknowledged.extend(messages.into_iter().flatten());
        server.restart().await;
    }
    is_down.store(false, Ordering::Relaxed);
    // A start probes the bridge at once.
    server.kill_9();
    server.restart().await;
    eventually("each hook arrives", async || {
        let requests = bridge.ledger().requests;
        let arrived: BTreeSet<_> = requests.iter().map(|it| message_id(&it.body)).collect();
        acknowledged.is_subset(&arrived).then_some(())
    })
    .await;
    println!("{} hooks survived {kills} kills", acknowledged.len());
}

/// Writes messages of one conversation until the service is gone; returns those that it took.
pub(crate) async fn write(
    counterpart: &Counterpart,
    writer: u32,
    kill: u64,
    count: &AtomicU64,
) -> Vec<String> {
    let mut messages = Vec::new();
    for number in 0.. {
        let message = format!("{writer}-{kill}-{number}");
        let body = message_body(&format!("c-{writer}"), &message);
        let right = signature(SECRET, body.as_bytes());
        let request = counterpart.client.post(&counterpart.address);
        let sending = request.header("X-Signature", right).body(body).send();
        match sending.await {
            Ok(answer) if answer.status() == 200 => messages.push(message),
            Ok(_) | Err(_) => break,
        }
        count.fetch_add(1, Ordering::Relaxed);
    }
    messages
}

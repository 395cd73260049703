//! Targets that no program should send: each gets an answer and an entry in the journal, and the world goes on.

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::started;
use super::world::World;
use crate::support::client::{Client, rest};

/// The answer to a request for this target, as it came.
pub(crate) async fn sent(world: &World<'_>, target: &[u8]) -> String {
    exchanged(world, b"GET", target).await
}

async fn exchanged(world: &World<'_>, method: &[u8], target: &[u8]) -> String {
    let address = world.url().strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    let host = format!(" HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let request = [method, b" ", target, host.as_bytes()].concat();
    socket.write_all(&request).await.unwrap();
    rest(&mut socket).await
}

fn status(answer: &str) -> u16 {
    let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok());
    status.unwrap_or_else(|| panic!("no answer: {answer:?}"))
}

#[tokio::test]
async fn every_target_is_answered_and_noted() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let long = format!("/{}", "x".repeat(65_535));
    let targets: [(&[u8], &[u16]); 15] = [
        ("/café".as_bytes(), &[400]),
        ("/v2/origin/custom/é".as_bytes(), &[400]),
        ("/a?b=é".as_bytes(), &[400]),
        ("/a?b=\u{2028}".as_bytes(), &[400]),
        (b"/\xff\xfe", &[400]),
        (b"/\x01", &[400]),
        (b"nothing", &[400, 404, 421]),
        (b"*", &[400, 404]),
        (b"//", &[400, 404]),
        (b"/%ff%00?%", &[400, 404]),
        (b"http://127.0.0.1:1/api/v4/account", &[401]),
        (b"http://[", &[400]),
        (b"/inbox/v1/%65vents", &[401, 404]),
        (&long.as_bytes()[..10_000], &[414]),
        (long.as_bytes(), &[414, 431]),
    ];
    for (target, statuses) in targets {
        let label = String::from_utf8_lossy(&target[..target.len().min(40)]).into_owned();
        let answer = sent(&world, target).await;
        assert!(statuses.contains(&status(&answer)), "{label}: {answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(
            body.starts_with('{'),
            "{label}: a refusal has a reason: {answer}"
        );
    }
    for method in ["BREW", "connect", "OPTIONS", "CONNECT"] {
        let answer = exchanged(&world, method.as_bytes(), b"/api/v4/account").await;
        assert!(status(&answer) >= 200, "{method}: {answer}");
    }
    // A stream that the world would never end, under another name of it.
    let client = Client::undescribed(world.url());
    let stream = client.get_as(&world.token(), "/inbox/v1/%65vents").await;
    assert_eq!(stream.status, 404, "{stream:?}");
    let journal = world.text("/journal?form=text").await;
    let entries = journal
        .lines()
        .filter(|line| line.contains("  request "))
        .count();
    assert_eq!(entries, targets.len() + 5, "{journal}");
    assert!(journal.contains("GET /café → 400"), "{journal}");
    assert!(journal.contains("/a?b=") || journal.contains("GET /a → 400"));
    let longest = journal.lines().map(str::len).max().unwrap();
    assert!(longest < 4_096, "{longest}");
    assert_eq!(world.post("m-1").await.status, 200);
    world.say("bo", "Are you there?").await;
}

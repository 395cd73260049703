//! What is wrong is refused with its reason, and disturbs nothing.

use reqwest::{Client, Method};
use switchboard_worlds::sink::{Behaviour, Reply};

use super::{ACCOUNT, Counterpart, SECRET, message_body, message_id, relaying_to, scope, setup};
use crate::support::client::signature;
use crate::support::receiver::Receiver;
use crate::support::server::Server;

async fn reason(
    server: &Server,
    method: Method,
    path: &str,
    body: &[u8],
    signature: &str,
) -> String {
    let request = Client::new()
        .request(method, format!("{}{path}", server.url()))
        .header("X-Signature", signature);
    let answer = request.body(body.to_vec()).send().await.unwrap();
    let status = answer.status().as_u16();
    let text = answer.text().await.unwrap();
    let refusal: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(!refusal["detail"].as_str().unwrap().is_empty());
    format!("{status} {}", refusal["reason"].as_str().unwrap())
}

#[tokio::test]
async fn each_wrong_hook_is_refused_with_its_reason() {
    let bridge = Receiver::start().await;
    let server = setup(&bridge.webhook("in"), "body_kib = 1").start().await;
    let body = message_body("c", "m").into_bytes();
    let right = signature(SECRET, &body);
    let path = format!("/relay/shop/{}", scope());
    let long = vec![b'x'; 2_000];
    let (post, get) = (Method::POST, Method::GET);
    for (method, path, body, signature, expected) in [
        (&post, path.as_str(), &body, "0".repeat(40), "401 signature"),
        (
            &post,
            &path,
            &body,
            right.replace('0', "1"),
            "401 signature",
        ),
        (&post, &path, &body, String::new(), "401 signature"),
        (&post, &path, &long, right.clone(), "413 too_large"),
        (&get, &path, &body, right.clone(), "405 method"),
        (&post, "/relay/shop", &body, right.clone(), "404 unknown"),
        (&post, "/relay/other", &body, right.clone(), "404 unknown"),
        (&post, "/relay/shop/x", &body, right.clone(), "404 unknown"),
        (
            &post,
            &format!("/relay/shop/other_{ACCOUNT}"),
            &body,
            right.clone(),
            "404 unknown",
        ),
        (
            &post,
            &format!("{path}/more"),
            &body,
            right.clone(),
            "404 unknown",
        ),
    ] {
        let refusal = reason(&server, method.clone(), path, body, &signature).await;
        assert_eq!(refusal, expected, "{method} {path}");
    }
    let counterpart = Counterpart::to(&server);
    counterpart.writes("c", "m-2").await;
    let requests = bridge.requests(1).await;
    assert_eq!(message_id(&requests[0].body), "m-2");
}

/// A bridge that redirects, hangs, resets or answers garbage gets the hook again, and no other address gets it.
#[tokio::test]
async fn a_bridge_that_misbehaves_gets_the_hook_again() {
    let elsewhere = Receiver::start().await;
    let bridge = Receiver::start().await;
    let server = setup(&bridge.webhook("in"), "timeout_seconds = 1")
        .start()
        .await;
    let away = elsewhere.webhook("stolen");
    let behaviours = [
        Behaviour::Answer(Reply::new(500)),
        Behaviour::Reset("".into()),
        Behaviour::Raw("garbage\r\n\r\n".into()),
        Behaviour::redirect(&away),
        Behaviour::Hang,
    ];
    let count = behaviours.len();
    let counterpart = Counterpart::to(&server);
    counterpart.writes("c", "m").await;
    bridge.requests(1).await;
    bridge.script(behaviours);
    for number in 0..count {
        // Each has a conversation of its own, so that none waits for another.
        counterpart
            .writes(&format!("c-{number}"), &format!("m-{number}"))
            .await;
    }
    crate::support::eventually("each arrives", async || {
        let request = server.client().operate("GET", "/admin/v1/relays");
        let relays = request.send().await.is(200).json;
        let count = relays["relays"][0]["targets"][0]["delivered"].as_u64();
        (count == Some(6)).then_some(())
    })
    .await;
    assert_eq!(elsewhere.connections(), 0);
}

/// `WRONG=60000` for a minute of them at 1,000 a second.
#[tokio::test]
async fn wrong_signatures_delay_no_hook_and_fill_no_disk() {
    let bridge = Receiver::start().await;
    let server = relaying_to(&bridge).await;
    let counterpart = Counterpart::to(&server);
    counterpart.writes("c", "m-0").await;
    let before = data_bytes(&server);
    let count = crate::support::random::times("WRONG", 2_000);
    let began = std::time::Instant::now();
    let attack = async {
        for _ in 0..count / 20 {
            let wrong = (0..20).map(|_| counterpart.sends_signed(b"{}", "00"));
            for answer in futures_util::future::join_all(wrong).await {
                assert_eq!(answer.status(), 401);
            }
        }
    };
    let work = async {
        let mut slowest = std::time::Duration::ZERO;
        for number in 1..=50 {
            let began = std::time::Instant::now();
            counterpart.writes("c", &format!("m-{number}")).await;
            slowest = slowest.max(began.elapsed());
        }
        slowest
    };
    let ((), slowest) = tokio::join!(attack, work);
    let rate = count * 1_000 / u64::try_from(began.elapsed().as_millis()).unwrap().max(1);
    assert_eq!(bridge.requests(51).await.len(), 51);
    let grown = data_bytes(&server).saturating_sub(before);
    println!(
        "{count} wrong signatures at {rate}/s; the slowest right hook took {slowest:?}; the data grew by {grown} bytes"
    );
    assert!(grown < 1 << 20, "{grown}");
}

fn data_bytes(server: &Server) -> u64 {
    let journal = server.directory().join("data/journal");
    let files = std::fs::read_dir(journal).into_iter().flatten().flatten();
    files
        .map(|file| file.metadata().map_or(0, |it| it.len()))
        .sum()
}

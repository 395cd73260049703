//! The counterpart waits for no bridge: one may be dead and another slow.

use std::time::{Duration, Instant};

use reqwest::Client;
use switchboard_worlds::sink::{Behaviour, Sink};
use tokio::time::{MissedTickBehavior, interval};

use super::message_body;
use crate::support::client::signature;
use crate::support::random::times;
use crate::support::receiver::Receiver;
use crate::support::server::Setup;

const ACCOUNT: &str = super::ACCOUNT;

fn relay(channel: &str, bridge: &str) -> String {
    format!(
        "[[relay]]\nchannel = \"{channel}\"\nsecret = \"{}\"\nfrom = \"/relay/{channel}\"\nto = \"{bridge}\"\n",
        super::SECRET
    )
}

/// `SECONDS=60` for a minute at 500 hooks a second.
#[tokio::test]
async fn answers_do_not_wait_for_a_dead_and_a_slow_bridge() {
    let well = Receiver::start().await;
    let slow = Sink::start(Behaviour::Hang).await.unwrap();
    let server = Setup::default()
        .lines(&relay("well", &well.webhook("in")))
        .lines(&relay("slow", &slow.url("/in")))
        .lines(&relay("dead", "http://127.0.0.1:9/in"))
        .start()
        .await;
    let client = Client::new();
    let count = 500 * times("SECONDS", 3);
    let mut ticks = interval(Duration::from_millis(2));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut posts = Vec::new();
    for number in 0..count {
        ticks.tick().await;
        let channel = ["well", "slow", "dead"][usize::try_from(number % 3).unwrap()];
        let url = format!("{}/relay/{channel}/{channel}_{ACCOUNT}", server.url());
        let body = message_body(&format!("c-{}", number % 100), &format!("m-{number}"));
        let right = signature(super::SECRET, body.as_bytes());
        let request = client.post(url).header("X-Signature", right).body(body);
        posts.push(tokio::spawn(async move {
            let began = Instant::now();
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), 200);
            began.elapsed()
        }));
    }
    let mut times = Vec::new();
    for post in posts {
        times.push(post.await.unwrap());
    }
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{count} hooks at 500/s: p50 {:?}, p99 {:?}, slowest {:?}",
        at(50),
        at(99),
        at(100)
    );
    // The counterpart waits for five seconds.
    assert!(at(100) < Duration::from_secs(5));
    let healthy = usize::try_from(count.div_ceil(3)).unwrap();
    assert_eq!(well.requests(healthy).await.len(), healthy);
}

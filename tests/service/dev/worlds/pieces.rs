//! Callbacks that arrive in pieces, as the socket of a receiver sees them, and faults that strike only sometimes.

use std::time::Instant;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::started;
use super::world::World;
use crate::support::receiver::Receiver;
use crate::support::rounds::Rounds;
use crate::support::server::Server;

/// A receiver that counts what it reads.
struct Probe {
    listener: TcpListener,
}

/// A request as it arrived.
struct Arrived {
    text: String,
    pieces: usize,
}

impl Probe {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await;
        Self {
            listener: listener.unwrap(),
        }
    }

    fn webhook(&self) -> String {
        format!("http://{}/hook", self.listener.local_addr().unwrap())
    }

    /// Takes one request and answers 200, or reads until the sender gives up.
    async fn takes(&self) -> Arrived {
        let (mut socket, _) = self.listener.accept().await.unwrap();
        let (mut all, mut pieces) = (Vec::new(), 0);
        let mut piece = vec![0; 65_536];
        let mut rounds = Rounds::default();
        loop {
            rounds.note();
            let length = socket.read(&mut piece).await.unwrap_or_default();
            if length == 0 {
                break;
            }
            pieces += 1;
            all.extend(&piece[..length]);
            if is_whole(&all) {
                let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                socket.write_all(answer).await.unwrap();
                break;
            }
        }
        Arrived {
            text: String::from_utf8(all).unwrap(),
            pieces,
        }
    }
}

fn is_whole(request: &[u8]) -> bool {
    let text = std::str::from_utf8(request).unwrap_or_default();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let lines = head.lines().map(str::to_ascii_lowercase);
    let mut lengths = lines.filter_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    lengths.next_back() == Some(body.len())
}

/// A world with a question and a fault for the reply.
async fn asked<'s>(server: &'s Server, probe: &Probe, fault: Value) -> World<'s> {
    let world = World::make(server, json!({ "webhook": probe.webhook() })).await;
    world.fault(fault).await;
    world.say("bo", "Have you any tulips?").await;
    world.reply("ada", "bo", "Red ones: ü 🌷").await;
    world
}

#[tokio::test]
async fn a_callback_arrives_in_pieces() {
    let (server, probe) = (started().await, Probe::start().await);
    for (fault, least) in [
        (json!({ "on": "callbacks", "do": "split" }), 0.05),
        (
            json!({ "on": "callbacks", "do": "drip", "seconds": 1 }),
            0.8,
        ),
    ] {
        let start = Instant::now();
        let world = asked(&server, &probe, fault.clone()).await;
        let (arrived, met) = tokio::join!(probe.takes(), world.wait("until=callback.delivered"));
        let took = start.elapsed().as_secs_f64();
        assert_eq!(met["met"], true, "{fault}: {met}");
        assert_eq!(met["entries"][0]["fault"], fault["do"], "{met}");
        assert!(arrived.text.contains("Red ones: ü 🌷"), "{}", arrived.text);
        // A busy machine reads several pieces at once; the pauses between them pass in any case.
        assert!(took >= least, "{fault}: {took}");
        assert!(arrived.pieces > 1 || least < 0.5, "{fault}");
    }
}

/// A callback that takes longer than its time-out counts as unanswered, and comes again as a whole.
#[tokio::test]
async fn a_callback_that_drips_for_too_long_comes_again() {
    let (server, probe) = (started().await, Probe::start().await);
    let drips = json!({ "on": "callbacks", "do": "drip", "seconds": 60 });
    let world = asked(&server, &probe, drips).await;
    let arrive = async { (probe.takes().await, probe.takes().await) };
    let ((first, second), met) = tokio::join!(arrive, world.wait("until=callback.delivered"));
    assert_eq!(met["met"], true, "{met}");
    assert_eq!(met["entries"][0]["attempt"], 2, "{met}");
    assert!(!is_whole(first.text.as_bytes()), "{}", first.text);
    assert!(first.pieces > 3, "{}", first.pieces);
    assert!(second.text.contains("Red ones"), "{}", second.text);
    let journal = world.text("/journal?form=text").await;
    assert!(
        journal.contains("no answer (TimedOut) (fault drip)"),
        "{journal}"
    );
}

/// Of many callbacks some are struck: the same ones for the same seed.
#[tokio::test]
async fn a_fault_strikes_with_its_probability() {
    let server = started().await;
    let mut struck = Vec::new();
    for seed in [7, 7, 8] {
        let receiver = Receiver::start().await;
        let world = World::make(&server, json!({ "webhook": receiver.webhook("v2") })).await;
        let fault = json!({
            "on": "callbacks", "do": "duplicate", "times": 1_000, "probability": 0.5, "seed": seed,
        });
        let answer = world.order("POST", "/faults", fault).await;
        assert_eq!(
            (&answer["probability"], &answer["left"]),
            (&json!(0.5), &json!(1_000))
        );
        world.say("bo", "Have you any tulips?").await;
        for number in 0..20 {
            world.reply("ada", "bo", &format!("{number}")).await;
        }
        let event = world.wait("until=callback.delivered&count=20").await;
        assert_eq!(event["met"], true, "{event}");
        let entries = event["entries"].as_array().unwrap().iter();
        struck.push(
            entries
                .map(|it| it["fault"] == "duplicate")
                .collect::<Vec<_>>(),
        );
        let twice = struck.last().unwrap().iter().filter(|it| **it).count();
        assert!((1..20).contains(&twice), "{twice}");
        assert_eq!(receiver.requests(20 + twice).await.len(), 20 + twice);
    }
    assert_eq!(struck[0], struck[1]);
    assert_ne!(struck[0], struck[2]);
}

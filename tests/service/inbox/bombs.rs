//! Small pictures that unpack to a lot: what they cost in memory, and what becomes of them.

use futures_util::future::join_all;
use image::ImageFormat;

use crate::support::bomb;
use crate::support::memory::{MemoryWatch, resident};
use crate::support::server::Server;
use crate::support::upload::{picture, upload, uploaded};

/// The memory that a picture may cost above the rest, in bytes.
const COST_MAX: u64 = 100 << 20;
/// The part of it that may stay: a part of a megabyte for each thread that had a part of an upload.
const REMAINDER_MAX: u64 = 16 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_takes_bounded_memory_and_gives_it_back() {
    let server = Server::start().await;
    let client = server.client();
    let plain = picture(400, 400, ImageFormat::Png);
    uploaded(client, "first.png", &plain).await;
    let bombs = bomb::all();
    let before = resident(server.pid());
    for bomb in &bombs {
        let watch = MemoryWatch::start(server.pid());
        let media = uploaded(client, "x.png", &bomb.bytes).await;
        let cost = watch.end().saturating_sub(before);
        assert!(cost < COST_MAX, "{}: {} MiB", bomb.name, cost >> 20);
        let kind = if bomb.is_picture { "picture" } else { "file" };
        assert_eq!(media["type"], kind, "{}", bomb.name);
        assert_eq!(
            media["thumbnail"].is_null(),
            !bomb.is_picture,
            "{}",
            bomb.name
        );
    }
    let watch = MemoryWatch::start(server.pid());
    for four in bombs.chunks(4) {
        let four = four.iter().map(|bomb| upload(client, "x.png", &bomb.bytes));
        for answer in join_all(four).await {
            answer.is(201);
        }
    }
    let cost = watch.end().saturating_sub(before);
    assert!(cost < COST_MAX, "four at once: {} MiB", cost >> 20);
    let rest = resident(server.pid()).saturating_sub(before);
    assert!(rest < REMAINDER_MAX, "{} MiB stay", rest >> 20);
}

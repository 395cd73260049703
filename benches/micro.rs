//! The parts of a posted message, each alone.
//!
//! `cargo bench --bench micro`: the signature of a request and the body of a message, by the rules of both generations; what
//! the conversation and the book decide; a message to an actor and back, on the same thread and on another one; a group of
//! the journal until it is on disk, for one who waits and for 64; a world for tests. `-- signature` chooses, `-- --test` is a smoke.
#![expect(
    clippy::expect_used,
    reason = "a benchmark ends when something is wrong"
)]

#[path = "micro/actors.rs"]
mod actors;
#[path = "micro/core.rs"]
mod core;
#[path = "micro/journal.rs"]
mod journal;
#[path = "micro/worlds.rs"]
mod worlds;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    micro,
    core::signature,
    core::parse,
    core::decide,
    actors::hop,
    journal::commit,
    worlds::world
);
criterion_main!(micro);

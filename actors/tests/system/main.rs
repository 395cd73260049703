//! The system through its public surface: what it promises while it runs, after it was stopped, and after every crash.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail by panicking"
)]

mod backpressure;
mod bad_chat_requests;
mod bindings;
mod bound_ids;
mod connected_scope;
mod current_generation;
mod deciding;
mod disconnection;
mod durability;
mod embed;
mod erasures;
mod history;
mod images;
mod leads;
mod live;
mod model;
mod operator;
mod order_by_change;
mod ordering;
mod panics;
mod passivation;
mod pipelines;
mod poison;
mod prefixes;
mod quotas;
mod recognition;
mod recovery;
mod relayed_posts;
mod relays;
mod replays;
mod roles;
mod salesbots;
mod shutdown;
mod start_reads;
mod user_access;
mod verify;

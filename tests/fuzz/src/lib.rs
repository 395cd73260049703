//! The promises of every parser that reads bytes from outside, whatever the bytes are: one function each, which panics
//! when the parser breaks its promise.
//!
//! Two drivers call them. `tests/service/parsers.rs` replays the kept corpus and changed copies of it, in every test run.
//! `targets/` hands them to libFuzzer, which looks for inputs that reach new code: `tests/fuzz/run TARGET SECONDS`.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "these are tests: they fail by panicking"
)]

pub mod body;
pub mod chat_body;
pub mod config;
pub mod cursor;
pub mod event;
pub mod journal;
pub mod json;
pub mod record;
pub mod retry_after;
pub mod rights;
pub mod signature;
pub mod url_guard;

/// A check by its name, which is that of its file in `targets/` and of its folder in `corpus/` too.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 11] = [
    ("chat_body", chat_body::check),
    ("config", config::check),
    ("cursor", cursor::check),
    ("event", event::check),
    ("journal", journal::check),
    ("json", json::check),
    ("record", record::check),
    ("retry_after", retry_after::check),
    ("rights", rights::check),
    ("signature", signature::check),
    ("url_guard", url_guard::check),
];

//! The double from outside: its Bot API, its webhooks, its orders and its faults, over HTTP.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod changes;
mod compare;
mod faults;
mod files;
mod groups;
mod orders;
mod page;
mod people;
mod polls;
mod program;
mod rates;
mod sending;
mod support;
mod webhooks;

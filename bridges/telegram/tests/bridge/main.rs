//! The program against the double of Telegram and a world: a whole service in memory. Each test fails without the line that it is
//! about, and waits for states.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod account;
mod albums;
mod avatars;
mod business;
mod changes;
mod checks;
mod files;
mod groups;
mod kills;
mod limits;
mod readers;
mod secrets;
mod stage;
mod started;
mod texts;

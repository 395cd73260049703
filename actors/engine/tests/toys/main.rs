//! A toy product on the engine: what is promised of states, commands and changes that two owners decide on.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod joint;
mod product;

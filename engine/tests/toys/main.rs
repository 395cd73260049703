//! A toy product on the engine: what is promised of changes that two owners decide on, and of everything at once on a
//! simulated machine.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking, and tells how to repeat it"
)]

mod erasure;
mod joint;
mod product;
mod simulator;
mod surplus;
mod writer;

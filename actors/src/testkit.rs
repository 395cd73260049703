//! For tests of those who embed the system, and of this crate.
//!
//! * A [`World`] is a whole system in memory with people, a receiver of callbacks and a clock that the test moves. Start
//!   here: `use switchboard_actors::testkit::prelude::*`.
//! * The [`simulation`] plays many histories of a system, each from one seed, with power cuts at any step, a disk
//!   that stalls or fills up, and receivers that misbehave.
//! * A [`TestSystem`] is for tests that have an event loop of their own, with several threads or with files.

pub mod chance;
pub mod fixtures;
pub mod integration;
pub mod journal;
pub mod people;
pub mod prelude;
pub mod receiver;
pub mod simulation;
mod stepped;
pub mod test_message;
pub mod test_system;
pub mod text;
pub mod whole;
pub mod world;

pub use integration::NotTaken;
pub use people::{AccountUser, Customer};
pub use receiver::Receiver;
pub use switchboard_engine::testkit::{FaultyDisk, ManualClock, wanted};
pub use test_message::TestMessage;
pub use test_system::{Setup, TestSystem, eventually};
pub use text::text_of;
pub use whole::Whole;
pub use world::World;

/// How long a test with a real clock waits for a state before it fails.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

#![doc = include_str!("../README.md")]

pub mod chance;
pub mod dev;
pub mod fixtures;
mod handlers;
pub mod hook_form;
pub mod http_world;
pub mod integration;
pub mod journal;
pub mod people;
pub mod prelude;
pub mod receiver;
pub mod served_world;
pub mod service;
pub mod simulation;
pub mod sink;
mod stepped;
pub mod test_message;
pub mod test_system;
pub mod text;
pub mod world;

pub use integration::IntegrationError;
pub use people::{AccountUser, Customer};
pub use receiver::Receiver;
pub use switchboard_actors::system::whole::Whole;
pub use switchboard_engine::testkit::{FaultyDisk, ManualClock, wanted};
pub use test_message::TestMessage;
pub use test_system::{Setup, TestSystem, eventually};
pub use text::text_of;
pub use world::World;

/// The time for which a test with a real clock waits for a state before it fails.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

//! For tests of this crate and of those who embed it.
//!
//! Ports that obey the test: a [clock that is moved by hand](ManualClock), a [sender that records](RecordingSender), a
//! [disk that fails on order](FaultyDisk). And a [system in the middle of its story](TestSystem), with a channel, an
//! account, a connected scope and an account user, so that a test says only what it is about.

pub mod integration;
pub mod people;
pub mod sender;
pub mod test_message;
pub mod test_system;
pub mod whole;

pub use integration::NotTaken;
pub use people::{AccountUser, Customer};
pub use sender::RecordingSender;
pub use switchboard_engine::testkit::{FaultyDisk, ManualClock, wanted};
pub use test_message::TestMessage;
pub use test_system::{Setup, TestSystem, eventually};
pub use whole::Whole;

/// How long a test waits for a state before it fails.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

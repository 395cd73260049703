//! For tests of this crate and of those who embed it.
//!
//! Ports that obey the test: a [clock that is moved by hand](ManualClock), a [sender that records](RecordingSender), a
//! [disk that fails on order](FaultyDisk). And a [system in the middle of its story](TestSystem), with a channel, an
//! account, a connected scope and an account user, so that a test says only what it is about.

pub mod integration;
pub mod letter;
pub mod people;
pub mod sender;
pub mod story;
pub mod whole;

pub use integration::NotTaken;
pub use letter::Letter;
pub use people::{AccountUser, Customer};
pub use sender::RecordingSender;
pub use story::{Setup, TestSystem, eventually};
pub use switchboard_engine::testkit::{FaultyDisk, ManualClock, wanted};
pub use whole::Whole;

/// How long a test waits for a state before it fails.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

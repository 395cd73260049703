//! For tests of this crate and of those who embed it: a clock that is moved by hand, a sender that records.

pub mod clock;
pub mod sender;

pub use clock::ManualClock;
pub use sender::RecordingSender;

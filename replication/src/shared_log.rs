//! A log that outlives this machine: one node owns it and appends each batch before anything is answered, others follow.
//!
//! ```text
//! owner      submit ─► committer ─► Owner::append ─► SharedLog            answered once the log has it
//!                                        └────────► local journal ─► readers, waiters, index
//! follower   SharedLog::read ─► chain checked ─► local journal
//! ```
//!
//! The log is a sequence of entries at positions that are numbered from 1 without gaps. Each entry names the one before it by
//! its hash, so a hole, a fork or a changed entry shows, whatever the engine behind the log says.
//!
//! **A log begins by an order**, see [`begin()`]: it is never taken for new because it is empty.
//!
//! **Ownership is a position.** A node becomes the owner by appending a claim. An owner answers only for entries that it
//! stored itself, and one position has one entry, so an owner that was deposed finds the claim at its next position. No clock is in
//! this argument. Reads have no position in the log; they are bounded by a [lease].

mod begin;
mod bucket;
mod follow_error;
mod follower;
pub mod lease;
mod log;
mod lookup;
mod meter;
mod owner;
mod passed;
pub mod postgres;
mod report;
mod resolve_append;
mod standby;
mod standing;
mod start_from_archive;
mod summary;
mod takeover;

pub use self::begin::{BeginError, Beginning, begin, beginning};
pub use self::bucket::BucketLog;
pub use self::follow_error::FollowError;
pub use self::follower::{FILE, Follower, followed, forget, report};
pub use self::log::{AppendError, LogError, LogRange, SharedLog, Span, Stored};
pub use self::meter::OwnerMeter;
pub use self::owner::Owner;
pub use self::passed::have_passed;
pub use self::report::NodeReport;
pub use self::resolve_append::RetryPause;
pub use self::standby::{Standby, StandbyConfig};
pub use self::standing::LogStanding;
pub use self::summary::{Newest, Summary, newest, summary};
pub use self::takeover::{OwnerClocks, Takeover, TakeoverError, take_over};

#[cfg(test)]
mod test_entries;
#[cfg(test)]
mod tests;

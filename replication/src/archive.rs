//! The archive: a follower that writes. It copies the journal and the files beside it to a directory or an object store while
//! the service runs. Nothing waits for it.
//!
//! ```text
//! journal ── groups ──► entries/0000000000000007   each names the entry before it by its hash
//!                            │ merged, 64 MiB each
//!                            ▼
//!                       volumes/0000000000000002-0000000000000005
//!                       reached                    names the newest entry
//! files   ── parts  ──► 3f/3f…                     what records refer to, below the folder of the product
//! ```
//!
//! One process archives at a time. It claims the next position when it starts; another process that goes on at its own next
//! position finds that position taken and stops. The decision is in `docs/decisions/archive.md`.

mod archive_end;
mod archived;
mod begin;
mod contents;
mod erase;
mod error;
mod file_shipper;
mod orders;
mod reached;
mod read_error;
mod repair;
mod restore;
mod shipper;
mod source;
mod status;
mod thread;
mod verify;
mod volume;

pub use self::archived::{FILE, report};
pub use self::contents::Contents;
pub use self::error::ArchiveError;
pub use self::read_error::ArchiveReadError;
pub use self::repair::Repaired;
pub use self::restore::{Restore, RestoreError, Restored, Step, Upto, advice, shown};
pub use self::shipper::MergeAt;
pub use self::source::Source;
pub use self::status::{ArchiveStatus, RepairStatus};
pub use self::thread::{Archiver, Archiving};
pub use self::verify::{Verified, VerifyError, verify};

#[cfg(test)]
mod tests;

//! The archive: a copy of the journal and of the files beside it, in a directory or an object store, made while the service
//! runs. Nothing waits for it.
//!
//! ```text
//! journal ── groups ──► entries/0000000000000007   each names the entry before it by its hash
//!                            │ merged, 64 MiB each
//!                            ▼
//!                       volumes/0000000000000002-0000000000000005
//!                       reached                    names the newest entry
//! media   ── files  ──► media/3f/3f…               what messages refer to
//! ```
//!
//! One process archives at a time. It claims the next place when it starts; another process that goes on at its own next
//! place finds that place taken and stops. The decision is in `docs/decisions/archive.md`.

pub(crate) mod begin;
pub(crate) mod contents;
pub(crate) mod entry;
pub(crate) mod erase;
pub(crate) mod files;
pub(crate) mod location;
mod orders;
pub(crate) mod position;
pub(crate) mod reached;
pub(crate) mod read_failure;
pub(crate) mod repair;
pub(crate) mod restore;
pub(crate) mod shipper;
pub(crate) mod source;
pub(crate) mod status;
pub(crate) mod store;
pub(crate) mod thread;
pub(crate) mod verify;
pub(crate) mod volume;

/// The object with the identity of the installation: the first one of an archive.
pub(crate) const IDENTITY: &str = "identity";
/// The first entry of a shared log in the store of an archive: the order to begin it.
pub(crate) const FIRST_LOG_ENTRY: &str = "log/0000000000000001";

#[cfg(test)]
mod tests;

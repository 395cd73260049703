//! The keys of a store: what lies where.

/// The object with the identity of the installation: the first one of an archive.
pub const IDENTITY: &str = "identity";
/// The prefix of the entries of an archive.
pub(crate) const ENTRIES: &str = "entries";
/// The prefix of volumes, each of which has many entries of an archive.
pub(crate) const VOLUMES: &str = "volumes";
/// The object that names the newest entry of an archive.
pub(crate) const REACHED: &str = "reached";
/// The prefix of the erasures that an archive has followed.
pub(crate) const ERASURES: &str = "erasures";
/// The prefix of the entries of a shared log.
pub(crate) const LOG: &str = "log";
/// The prefix of what the nodes of a shared log say of themselves.
pub(crate) const NODES: &str = "nodes";
/// The prefix of the probes of conditional writes.
pub(crate) const PROBES: &str = "probe";

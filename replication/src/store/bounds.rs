//! The largest sizes and numbers of objects: a store that declares more is not believed.

use super::keys::{ENTRIES, ERASURES, IDENTITY, LOG, NODES, PROBES, REACHED, VOLUMES};

/// The largest of objects that have a line or two.
const SMALL_BYTES: u64 = 64 << 10;
/// The largest entry, volume and entry of a log. An entry takes no further group beyond 4 MiB, and a volume no further entry
/// beyond 64 MiB.
const JOURNAL_BYTES: u64 = 256 << 20;
/// The largest file that the configuration allows to be uploaded, and its description.
const FILE_BYTES: u64 = (1_024 << 20) + SMALL_BYTES;
/// The most objects of the journal: entries are merged into volumes when they are 10,000.
const JOURNAL_OBJECTS: usize = 1_000_000;
/// The most objects of other kinds.
const OBJECTS: usize = 10_000_000;

fn kind(key: &str) -> &str {
    key.split('/').next().unwrap_or_default()
}

/// The most bytes that the object under a key may have.
pub(super) fn bytes_max(key: &str) -> u64 {
    match kind(key) {
        ENTRIES | VOLUMES | LOG => JOURNAL_BYTES,
        IDENTITY | REACHED | ERASURES | NODES | PROBES => SMALL_BYTES,
        // A file beside the journal.
        _ => FILE_BYTES,
    }
}

/// The most objects that a list below a prefix may have.
pub(super) fn objects_max(prefix: &str) -> usize {
    match kind(prefix) {
        ENTRIES | VOLUMES | ERASURES => JOURNAL_OBJECTS,
        _ => OBJECTS,
    }
}

/// The reason for which an object is not read.
pub(super) fn too_large(key: &str, bytes: u64) -> String {
    let max = bytes_max(key);
    format!("it has {bytes} bytes, and an object under such a key has {max} at most")
}

/// The reason for which a list is not read to its end.
pub(super) fn too_many(prefix: &str) -> String {
    let max = objects_max(prefix);
    format!("it has more than {max} objects")
}

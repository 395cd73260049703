//! Lengths between memory (`usize`), files (`u64`) and the format (`u32`), without a silent wrap-around.
//!
//! All of them are bounded far below the smallest of the three, so saturating is never seen; it only keeps a
//! broken bound from turning into a wrong place on disk.

/// A length in memory as a length in a file.
pub(crate) fn wide(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A length in a file as a length in memory.
pub(crate) fn narrow(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

/// A length or an offset as the format holds it.
pub(crate) fn field(length: u64) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

//! The search for the bytes that a signer took for the body, at a bounded cost.

use std::cell::Cell;

/// So many bytes of candidates are compared: each costs digests over all of it.
const BYTES_MAX: usize = 3 << 20;
/// The cost of a candidate beside its bytes.
const OVERHEAD: usize = 256;

/// Compares candidates with what was signed.
pub(super) struct Search<'s> {
    is_meant: &'s dyn Fn(&[u8]) -> bool,
    bytes_left: Cell<usize>,
}

impl<'s> Search<'s> {
    pub(super) fn new(is_meant: &'s dyn Fn(&[u8]) -> bool) -> Self {
        Self {
            is_meant,
            bytes_left: Cell::new(BYTES_MAX),
        }
    }

    /// Returns whether the signature is that of these bytes; always false once the search has cost too much.
    pub(super) fn is(&self, candidate: &[u8]) -> bool {
        let cost = candidate.len().saturating_add(OVERHEAD);
        let Some(remaining) = self.bytes_left.get().checked_sub(cost) else {
            self.bytes_left.set(0);
            return false;
        };
        self.bytes_left.set(remaining);
        (self.is_meant)(candidate)
    }

    /// Returns whether the search has cost too much.
    pub(super) fn is_over(&self) -> bool {
        self.bytes_left.get() == 0
    }
}

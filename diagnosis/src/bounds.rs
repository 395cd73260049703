//! The bounds of the bytes that a diagnosis examines.

/// Longer bodies are not examined: each guess costs a digest over all of it.
pub const EXAMINED_MAX: usize = 16 * 1_024;

/// Of longer bodies not every spelling is compared.
pub(super) const COMPARED_MAX: usize = 4 * 1_024;

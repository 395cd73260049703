//! A record's number together with where it lies.

use crate::store::{Position, Seq};

/// Which record, and where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLocation {
    /// The record's number.
    pub seq: Seq,
    /// Where it lies.
    pub position: Position,
}

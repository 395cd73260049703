//! A record's number together with where it lies.

use crate::store::{Position, Seq};

/// The sequence number of a record, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLocation {
    /// The record's number.
    pub seq: Seq,
    /// Its place.
    pub position: Position,
}

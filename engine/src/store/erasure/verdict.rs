//! The judgement about records, and what an erasure keeps of itself.

use bytes::Bytes;

use crate::store::Record;

/// The fate of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays as it is.
    Keep,
    /// Nothing of it stays but its number.
    Erase,
    /// It says this instead, in the same stream.
    Replace {
        /// The event as JSON.
        event: Vec<u8>,
        /// Raw bytes beside the event.
        blob: Bytes,
    },
}

/// The fate of a record by all erasures that are carried out together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Its fate.
    pub verdict: Verdict,
    /// The erasures that want it, by their places in the group.
    pub by: Vec<usize>,
}

impl Fate {
    /// The record stays as it is.
    #[must_use]
    pub fn kept() -> Self {
        Self {
            verdict: Verdict::Keep,
            by: Vec::new(),
        }
    }
}

/// The fate by the only erasure of a group.
impl From<Verdict> for Fate {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Keep => Self::kept(),
            Verdict::Erase | Verdict::Replace { .. } => Self {
                verdict,
                by: vec![0],
            },
        }
    }
}

/// Judges records in order; `None`: it gives up, and nothing is erased.
pub type Judging<'j> = &'j mut dyn FnMut(&Record) -> Option<Fate>;

/// The beginning of the list of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListHead {
    /// The number of the erasure.
    pub number: u32,
    /// The product's data beside it.
    pub note: String,
}

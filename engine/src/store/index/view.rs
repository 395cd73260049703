//! The content that a reader sees at one moment: memtables over runs. Replaced as a whole, so that a checkpoint that moves
//! entries from one place to the next never hides one.

use std::sync::Arc;

use super::error::IndexError;
use super::overlay::Overlay;
use super::record_location::RecordLocation;
use super::sorted_runs::SortedRuns;
use super::stored_rows::StoredRows;
use crate::entries::Key;
use crate::store::Position;
use crate::store::tables::Tables;
use crate::stream::StreamKey;

/// The parts of the index that are in memory, newest first.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The memtable that takes new records.
    pub(super) current: Arc<Overlay>,
    /// The memtable that a checkpoint is writing, or has failed to write.
    pub(super) frozen: Option<Arc<Overlay>>,
    pub(super) runs: SortedRuns,
}

impl View {
    pub(super) fn find(&self, key: Key) -> Result<Option<Position>, IndexError> {
        let recent = self.overlays().rev().find_map(|overlay| overlay.find(key));
        match recent {
            Some(position) => Ok(Some(position)),
            None => self.runs.position(key),
        }
    }

    /// The stream's records since the last complete checkpoint, oldest first.
    pub(super) fn tail(&self, stream: &StreamKey) -> Vec<RecordLocation> {
        let mut tail = Vec::new();
        for overlay in self.overlays() {
            tail.extend(overlay.tail(stream));
        }
        tail
    }

    /// The rows that checkpoints have written: those of `tables`, and those of this view's runs.
    pub(super) fn stored<'a>(&'a self, tables: &'a dyn Tables) -> StoredRows<'a> {
        StoredRows {
            runs: &self.runs,
            tables,
        }
    }

    /// The overlays, oldest first.
    pub(super) fn overlays(&self) -> impl DoubleEndedIterator<Item = &Overlay> {
        let frozen = self.frozen.as_deref().into_iter();
        frozen.chain([self.current.as_ref()])
    }
}

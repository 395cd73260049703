//! Prepares erasures beside a store in use: the complete segments, which no writer changes any more, are judged and
//! rewritten, and the index that belongs to them is built, all under names that do not count yet. The closed store then has
//! only the rest to judge.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::error::ErasureError;
use super::files::discard_prepared;
use super::next_disk::NextDisk;
use super::rewrite::{Changes, rewrite};
use super::verdict::Judging;
use crate::store::disk::Disk;
use crate::store::frontier::Frontier;
use crate::store::identity;
use crate::store::index::Index;
use crate::store::index::OVERDUE_INTERVALS;
use crate::store::index::config::{Checkpoints, IndexConfig};
use crate::store::reader::JournalReader;
use crate::store::schema::Schema;
use crate::store::tables::TablesHome;
use crate::store::{Position, ReadError, ReadJournal, Seq, segment};

/// The complete segments of a journal in use, before that of the order.
pub struct Preparation {
    disk: Arc<dyn Disk>,
    tables: Arc<dyn TablesHome>,
    bounds: PrepareBounds,
    /// The last of them.
    upto: u32,
}

/// The limits of a preparation's use of the machine.
#[derive(Clone, Debug)]
pub struct PrepareBounds {
    /// It refuses every further step once this is set.
    pub stop: Arc<AtomicBool>,
    /// So much of the disk stays free.
    pub reserve_bytes: u64,
    /// About how many records lie between two checkpoints of the next index; bounds its memory.
    pub checkpoint_records: u64,
}

/// The prepared part of a group of erasures.
#[derive(Debug)]
pub struct Prepared {
    /// The last segment that was judged.
    pub(super) upto: u32,
    pub(super) changes: Changes,
}

/// Returns whether a journal has a segment that no writer changes any more.
///
/// # Errors
/// When the operating system refuses.
pub fn has_complete_segment(disk: &dyn Disk) -> io::Result<bool> {
    Ok(segment::list(disk)?.len() > 1)
}

impl Preparation {
    /// Of the segments before the one that has this record, which readers may read. `None`: there is none.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn before(
        seq: Seq,
        disk: Arc<dyn Disk>,
        tables: Arc<dyn TablesHome>,
        bounds: PrepareBounds,
    ) -> Result<Option<Self>, ReadError> {
        let end = Frontier::at(Position::first_of(u32::MAX));
        let segment_start = JournalReader::new(Arc::clone(&disk), end).segment_of(seq)?;
        let upto = segment_start.and_then(|start| start.segment.checked_sub(1));
        let Some(upto) = upto.filter(|upto| *upto > 0) else {
            return Ok(None);
        };
        Ok(Some(Self {
            disk,
            tables,
            bounds,
            upto,
        }))
    }

    /// Judges the records of these segments in order, rewrites their segments and builds the index that belongs to them. Nothing of that
    /// counts; after an error, nothing of it is left.
    ///
    /// # Errors
    /// When the journal cannot be read, the operating system refuses, the judge gives up, or the preparation was stopped.
    pub fn rewrite(self, judge: Judging<'_>, schema: Schema) -> Result<Prepared, ErasureError> {
        let result = self.try_rewrite(judge, schema);
        if result.is_err() {
            // What cannot be removed now, the next start removes.
            discard_prepared(self.disk.as_ref(), self.tables.as_ref()).unwrap_or_default();
        }
        result
    }

    fn try_rewrite(&self, judge: Judging<'_>, schema: Schema) -> Result<Prepared, ErasureError> {
        let next = Arc::new(NextDisk::new(
            Arc::clone(&self.disk),
            self.upto,
            Arc::clone(&self.bounds.stop),
            self.bounds.reserve_bytes,
        ));
        let disk: &dyn Disk = next.as_ref();
        let io_error = |error: io::Error| ErasureError::io(disk, "the journal", &error);
        let mut changes = Changes::default();
        for segment in segment::list(disk).map_err(io_error)? {
            if rewrite(disk, segment, judge, &mut changes)? {
                disk.rename(&segment::unfinished_name(segment), &segment::name(segment))
                    .map_err(io_error)?;
            }
        }
        disk.sync_names().map_err(io_error)?;
        self.build_index(next, schema)?;
        Ok(Prepared {
            upto: self.upto,
            changes,
        })
    }

    fn build_index(&self, next: Arc<NextDisk>, schema: Schema) -> Result<(), ErasureError> {
        let installation = identity::tag_on(self.disk.as_ref())
            .map_err(|error| ErasureError::io(self.disk.as_ref(), identity::FILE, &error))?;
        let config = IndexConfig {
            installation,
            checkpoints: Checkpoints::Inline,
            // A replay writes its checkpoints later than a store in use.
            checkpoint_records: (self.bounds.checkpoint_records / OVERDUE_INTERVALS).max(1),
            ..IndexConfig::new(
                Arc::<NextDisk>::clone(&next),
                self.tables.successor(),
                schema,
            )
        };
        // All segments that it shows are complete.
        let end = Frontier::at(Position::first_of(self.upto.saturating_add(1)));
        let journal: Arc<dyn ReadJournal> = Arc::new(JournalReader::new(next, end));
        let (index, _) = Index::open(&config, &journal).map_err(ErasureError::NextIndex)?;
        index.close().map_err(|trouble| ErasureError::Io {
            file: "the next index".to_owned(),
            reason: trouble.to_string(),
        })
    }
}

impl std::fmt::Debug for Preparation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preparation")
            .field("upto", &self.upto)
            .finish_non_exhaustive()
    }
}

//! Prepares an erasure beside a store in use: the complete segments, which no writer changes any more, are judged and
//! rewritten, and the index that belongs to them is built, all under names that do not count yet. The closed store then has
//! only the rest to judge.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::list::RecordRanges;
use super::next_disk::{NextDisk, next_name};
use super::rewrite::Rewriting;
use super::{ErasureError, Verdict, discard};
use crate::store::disk::Disk;
use crate::store::frontier::Frontier;
use crate::store::index::Index;
use crate::store::index::config::{Checkpoints, IndexConfig};
use crate::store::reader::JournalReader;
use crate::store::schema::Schema;
use crate::store::tables::TablesHome;
use crate::store::{Position, ReadError, ReadJournal, Record, Seq, segment};

/// Says that something is being prepared, so that all of it is discarded when the process ends.
pub(super) const MARK: &str = "prepares";

/// The complete segments of a journal in use.
pub struct Preparation {
    disk: Arc<dyn Disk>,
    tables: Arc<dyn TablesHome>,
    stop: Arc<AtomicBool>,
    /// The last of them.
    upto: u32,
    journal: JournalReader,
}

/// What was prepared of an erasure.
#[derive(Debug)]
pub struct Prepared {
    /// The last segment that was judged.
    pub(super) upto: u32,
    pub(super) erased: RecordRanges,
    pub(super) replaced: RecordRanges,
}

impl Preparation {
    /// Of all segments but the newest one. Refuses every further step once `stop` is set. `None`: there is no complete
    /// segment.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn of(
        disk: Arc<dyn Disk>,
        tables: Arc<dyn TablesHome>,
        stop: Arc<AtomicBool>,
    ) -> io::Result<Option<Self>> {
        let newest = segment::list(disk.as_ref())?.last().copied();
        Ok(Self::ending(newest.unwrap_or_default(), disk, tables, stop))
    }

    /// Of the segments before this one.
    fn ending(
        end: u32,
        disk: Arc<dyn Disk>,
        tables: Arc<dyn TablesHome>,
        stop: Arc<AtomicBool>,
    ) -> Option<Self> {
        let upto = end.checked_sub(1).filter(|upto| *upto > 0)?;
        let journal = reader(Arc::new(NextDisk::new(
            Arc::clone(&disk),
            upto,
            Arc::clone(&stop),
        )));
        Some(Self {
            disk,
            tables,
            stop,
            upto,
            journal,
        })
    }

    /// Of the segments before the one that has this record; `None`: there is none.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn before(self, seq: Seq) -> Result<Option<Self>, ReadError> {
        let end = self.upto.saturating_add(1);
        let present = JournalReader::new(
            Arc::clone(&self.disk),
            Frontier::at(Position::first_of(end)),
        );
        let Some(found) = present.segment_of(seq)? else {
            return Ok(None);
        };
        Ok(Self::ending(
            found.segment.min(end),
            self.disk,
            self.tables,
            self.stop,
        ))
    }

    /// The records of these segments that are not erased, in order.
    pub fn records(&self) -> impl Iterator<Item = Result<Record, ReadError>> + '_ {
        self.journal.scan(None).map(|found| Ok(found?.1))
    }

    /// Judges these records in order, rewrites their segments and builds the index that belongs to them. Nothing of that
    /// counts; after an error, nothing of it is left.
    ///
    /// # Errors
    /// When the journal cannot be read, the operating system refuses, or the preparation was stopped.
    pub fn rewrite(
        self,
        judge: &mut dyn FnMut(&Record) -> Verdict,
        schema: Schema,
    ) -> Result<Prepared, ErasureError> {
        let made = self.try_rewrite(judge, schema);
        if made.is_err() {
            // What cannot be removed now, the next start removes.
            discard(self.disk.as_ref(), self.tables.as_ref()).unwrap_or_default();
        }
        made
    }

    fn try_rewrite(
        &self,
        judge: &mut dyn FnMut(&Record) -> Verdict,
        schema: Schema,
    ) -> Result<Prepared, ErasureError> {
        self.mark()
            .map_err(|error| ErasureError::io(self.disk.as_ref(), MARK, &error))?;
        let next = NextDisk::new(Arc::clone(&self.disk), self.upto, Arc::clone(&self.stop));
        let next = Arc::new(next);
        let disk: &dyn Disk = next.as_ref();
        let refused = |error: io::Error| ErasureError::io(disk, "the journal", &error);
        let (mut erased, mut replaced) = (RecordRanges::default(), RecordRanges::default());
        for segment in segment::list(disk).map_err(refused)? {
            let mut rewriting = Rewriting::of(disk, segment)?;
            rewriting.run(&mut noting(judge, &mut erased, &mut replaced))?;
            if rewriting.settle()? {
                disk.rename(&segment::unfinished_name(segment), &segment::name(segment))
                    .map_err(refused)?;
            }
        }
        disk.sync_names().map_err(refused)?;
        self.build_index(next, schema)?;
        Ok(Prepared {
            upto: self.upto,
            erased,
            replaced,
        })
    }

    fn mark(&self) -> io::Result<()> {
        self.disk.open(&next_name(MARK))?.sync()?;
        self.disk.sync_names()
    }

    fn build_index(&self, next: Arc<NextDisk>, schema: Schema) -> Result<(), ErasureError> {
        let config = IndexConfig {
            checkpoints: Checkpoints::Inline,
            ..IndexConfig::new(
                Arc::<NextDisk>::clone(&next),
                self.tables.successor(),
                schema,
            )
        };
        let journal: Arc<dyn ReadJournal> = Arc::new(reader(next));
        let (index, _) = Index::open(&config, &journal).map_err(ErasureError::NextIndex)?;
        index.close().map_err(|trouble| ErasureError::Io {
            file: "the next index".to_owned(),
            reason: trouble.to_string(),
        })
    }
}

/// Reads all segments of the disk, which are complete.
fn reader(disk: Arc<NextDisk>) -> JournalReader {
    let end = Position {
        segment: disk.upto().saturating_add(1),
        offset: 0,
    };
    JournalReader::new(disk, Frontier::at(end))
}

/// The judge, whose verdicts are noted.
pub(super) fn noting<'j>(
    judge: &'j mut dyn FnMut(&Record) -> Verdict,
    erased: &'j mut RecordRanges,
    replaced: &'j mut RecordRanges,
) -> impl FnMut(&Record) -> Verdict + 'j {
    move |record| {
        let verdict = judge(record);
        match &verdict {
            Verdict::Keep => {}
            Verdict::Erase => erased.push(record.seq),
            Verdict::Replace { .. } => replaced.push(record.seq),
        }
        verdict
    }
}

impl std::fmt::Debug for Preparation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preparation")
            .field("upto", &self.upto)
            .finish_non_exhaustive()
    }
}

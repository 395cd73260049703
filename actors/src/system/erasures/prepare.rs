//! Prepares the erasures that wait beside everything else: most of the journal is judged and rewritten, and the index that
//! belongs to it is built, before the system stops for the rest.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::spawn_blocking;

use crate::system::System;
use crate::system::erasures::CustomerErasureError;
use crate::system::erasures::begun::PreparedErasures;
use crate::system::start::schema::schema;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::erasure::ErasureError;
use switchboard_engine::store::erasure::prepare::{
    Preparation, PrepareBounds, has_complete_segment,
};
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::{ReadError, ReadJournal, Record, Seq};
use switchboard_erasures::judges::group::Group;
use switchboard_erasures::judges::together::together;

/// Ends a preparation that is not waited for any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl System {
    /// Returns whether a part of an erasure could be prepared in this directory: its journal has a complete segment.
    #[must_use]
    pub fn can_prepare_erasures(directory: &Path) -> bool {
        FileDisk::open(directory).is_ok_and(|disk| has_complete_segment(&disk).unwrap_or_default())
    }

    /// Prepares the erasures that wait and are not among these, in the directory of this system. Reads the journal several
    /// times, beside everything else. `None`: nothing waits, or nothing of it can be prepared. When the future is dropped, the
    /// preparation ends soon and is discarded.
    ///
    /// # Errors
    /// When the journal cannot be read or the disk refuses. Nothing is left of the preparation then.
    pub async fn prepare_erasures(
        &self,
        directory: &Path,
        failed: &[u64],
    ) -> Result<Option<PreparedErasures>, CustomerErasureError> {
        let stop = StopOnDrop(Arc::default());
        let mut waiting_erasures = self.erasures().await.unwrap_or_default();
        waiting_erasures.retain(|it| it.is_waiting() && !failed.contains(&it.number));
        let (erasures, upto) = together(waiting_erasures);
        if erasures.is_empty() {
            return Ok(None);
        }
        let config = &self.kernel().shared.config;
        let bounds = PrepareBounds {
            stop: Arc::clone(&stop.0),
            reserve_bytes: config.disk_reserve_bytes.max(config.low_water_bytes),
            checkpoint_records: config.checkpoint_records,
        };
        let journal = Arc::clone(&self.kernel().reader);
        let durable_upto = self.kernel().journal.durable_upto();
        let directory = directory.to_owned();
        let preparation = spawn_blocking(move || {
            let records = DurableRecords {
                journal: journal.as_ref(),
                upto: durable_upto,
                stop: &bounds.stop,
            };
            prepare(&directory, &records, Group::new(erasures, upto), &bounds)
        });
        preparation.await.unwrap_or_else(|_panic_or_stop| Ok(None))
    }
}

/// The records that were durable when the preparation began: the judges know them.
struct DurableRecords<'r> {
    journal: &'r dyn ReadJournal,
    upto: Seq,
    /// Set when there is no more time to read them.
    stop: &'r AtomicBool,
}

impl DurableRecords<'_> {
    fn scan(&self) -> Box<dyn Iterator<Item = Result<Record, ReadError>> + '_> {
        let records = self.journal.scan(None).map(|entry| {
            if self.stop.load(Ordering::Acquire) {
                return Err(ReadError::Io {
                    file: "the journal".to_owned(),
                    reason: "the preparation of an erasure was stopped".to_owned(),
                });
            }
            Ok(entry?.1)
        });
        let is_durable = |record: &Result<Record, ReadError>| {
            record
                .as_ref()
                .map_or(true, |record| record.seq <= self.upto)
        };
        Box::new(records.take_while(is_durable))
    }
}

fn prepare(
    directory: &Path,
    records: &DurableRecords<'_>,
    mut group: Group,
    bounds: &PrepareBounds,
) -> Result<Option<PreparedErasures>, CustomerErasureError> {
    group.look(&|| records.scan())?;
    let file_disk = FileDisk::open(directory).map_err(|error| ErasureError::Io {
        file: directory.display().to_string(),
        reason: error.to_string(),
    })?;
    let disk: Arc<dyn Disk> = Arc::new(file_disk);
    let tables: Arc<dyn TablesHome> = Arc::new(SledHome::new(directory.join("tables")));
    // The records of the orders get the certificates, which exist only at the end.
    while let Some(order) = group.first_order().filter(|_| !group.is_empty()) {
        let (disk, tables) = (Arc::clone(&disk), Arc::clone(&tables));
        let Some(preparation) = Preparation::before(order, disk, tables, bounds.clone())? else {
            return Ok(None);
        };
        let mut judging = group.copy();
        match preparation.rewrite(&mut |record| judging.fate(record), schema()) {
            Ok(store) => {
                group.judge_as(judging);
                return Ok(Some(PreparedErasures {
                    group,
                    known: records.upto,
                    store,
                }));
            }
            // One of them failed; it begins again without that one.
            Err(ErasureError::GivenUp) => group.fail_as(&judging),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

//! Prepares an erasure beside everything else: most of the journal is judged and rewritten, and the index that belongs to it
//! is built, before the system stops for the rest.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::spawn_blocking;

use crate::domain::erasures::{Erasure, ErasuresEvent};
use crate::system::System;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::begun::{Begun, PreparedErasure};
use crate::system::erasures::judge::{Judge, Scan, ordered};
use crate::system::erasures::plan::judge_of;
use crate::system::erasures::tally::Counting;
use crate::system::start::schema;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::erasure::prepare::{
    Preparation, PrepareBounds, has_complete_segment,
};
use switchboard_engine::store::erasure::{ErasureError, Verdict};
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::{ReadError, ReadJournal, Record, Seq};

/// Ends a preparation that is not waited for any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl System {
    /// Whether a part of an erasure could be prepared in this directory: its journal has a complete segment.
    #[must_use]
    pub fn can_prepare_erasures(directory: &Path) -> bool {
        FileDisk::open(directory).is_ok_and(|disk| has_complete_segment(&disk).unwrap_or_default())
    }

    /// Prepares the oldest erasure that waits and is not among these, in the directory of this system. Reads the journal
    /// several times, beside everything else. `None`: nothing waits, or nothing of it can be prepared. When the future is
    /// dropped, the preparation ends soon and is discarded.
    ///
    /// # Errors
    /// When the journal cannot be read or the disk refuses. Nothing is left of the preparation then.
    pub async fn prepare_erasure(
        &self,
        directory: &Path,
        failed: &[u64],
    ) -> Result<Option<PreparedErasure>, ErasureFailure> {
        let stop = StopOnDrop(Arc::default());
        let waiting = self.erasures().await.unwrap_or_default().into_iter();
        let waiting = waiting.filter(|it| it.is_waiting() && !failed.contains(&it.number));
        let Some(erasure) = waiting.min_by_key(|it| it.number) else {
            return Ok(None);
        };
        let config = &self.env().world.config;
        let bounds = PrepareBounds {
            stop: Arc::clone(&stop.0),
            reserve_bytes: config.disk_reserve_bytes.max(config.low_water_bytes),
            checkpoint_records: config.checkpoint_records,
        };
        let journal = Arc::clone(&self.env().reader);
        let known = self.env().journal.durable_upto();
        let directory = directory.to_owned();
        let prepared = spawn_blocking(move || {
            let known = Known {
                journal: journal.as_ref(),
                upto: known,
                stop: &bounds.stop,
            };
            prepare(&directory, &known, erasure, bounds.clone())
        });
        prepared.await.unwrap_or_else(|_panic_or_stop| Ok(None))
    }
}

/// The records that the judge knows.
struct Known<'k> {
    journal: &'k dyn ReadJournal,
    upto: Seq,
    /// Whether there is no more time to read them.
    stop: &'k AtomicBool,
}

impl Known<'_> {
    fn scan(&self) -> Box<dyn Iterator<Item = Result<Record, ReadError>> + '_> {
        let records = self.journal.scan(None).map(|found| {
            if self.stop.load(Ordering::Acquire) {
                return Err(ReadError::Io {
                    file: "the journal".to_owned(),
                    reason: "the preparation of an erasure was stopped".to_owned(),
                });
            }
            Ok(found?.1)
        });
        let is_known = |record: &Result<Record, ReadError>| {
            record
                .as_ref()
                .map_or(true, |record| record.seq <= self.upto)
        };
        Box::new(records.take_while(is_known))
    }
}

fn prepare(
    directory: &Path,
    known: &Known<'_>,
    erasure: Erasure,
    bounds: PrepareBounds,
) -> Result<Option<PreparedErasure>, ErasureFailure> {
    let scan = || known.scan();
    // The record of the order is to get the certificate, which is known at the end.
    let Some(order) = order_of(erasure.number, &scan)? else {
        return Ok(None);
    };
    let disk = FileDisk::open(directory).map_err(|error| ErasureError::Io {
        file: directory.display().to_string(),
        reason: error.to_string(),
    })?;
    let tables = SledHome::new(directory.join("tables"));
    let stop = Arc::clone(&bounds.stop);
    let Some(preparation) = Preparation::before(order, Arc::new(disk), Arc::new(tables), bounds)?
    else {
        return Ok(None);
    };
    let mut judging = Judging {
        judge: judge_of(&erasure.target, erasure.upto.map(Seq), &scan)?,
        counting: Counting::default(),
        failed: None,
        stop,
    };
    let store = preparation.rewrite(&mut |record| judging.verdict(record), schema());
    if let Some(failure) = judging.failed {
        return Err(failure);
    }
    Ok(Some(PreparedErasure {
        erasure,
        begun: Begun {
            judge: judging.judge,
            counting: judging.counting,
        },
        known: known.upto,
        store: store?,
    }))
}

/// Judges and counts, until a record cannot be understood.
struct Judging {
    judge: Box<dyn Judge>,
    counting: Counting,
    failed: Option<ErasureFailure>,
    stop: Arc<AtomicBool>,
}

impl Judging {
    fn verdict(&mut self, record: &Record) -> Verdict {
        if self.failed.is_some() {
            return Verdict::Keep;
        }
        match self.judge.verdict(record) {
            Ok(verdict) => {
                self.counting.take(record, &verdict);
                verdict
            }
            Err(failure) => {
                self.failed = Some(failure);
                self.stop.store(true, Ordering::Release);
                Verdict::Keep
            }
        }
    }
}

/// The record of the order.
fn order_of(number: u64, scan: Scan<'_>) -> Result<Option<Seq>, ErasureFailure> {
    for record in scan() {
        let record = record?;
        if let Some(ErasuresEvent::Ordered { erasure, .. }) = ordered(&record)
            && erasure.number == number
        {
            return Ok(Some(record.seq));
        }
    }
    Ok(None)
}

//! The tables on disk take no more memory for having been written more. A file of its own, since what is not freed yet
//! is common to a process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use switchboard_engine::entries::Row;
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::tables::sled::SledHome;

mod tables {
    switchboard_engine::tables! { pub(crate) const;
        /// The declared tables.
        NAMES: 7, "names", Seldom;
    }
}

/// More rows than a batch of a checkpoint has.
const ROWS: u32 = 512;
/// So many batches while nothing can be freed: each leaves more than a thousand things.
const KEPT: u32 = 100;
/// The number of batches that may pass until all of it is freed. Left to itself, sled frees a thousand things with each.
const BATCHES_MAX: u32 = 20;

/// The same rows, with other values in each round.
fn batch(round: u32) -> Vec<Row> {
    let row = |number: u32| Row {
        table: tables::NAMES,
        key: number.to_be_bytes().to_vec().into(),
        value: Some(round.to_be_bytes().repeat(32)),
        is_new: false,
    };
    (0..ROWS).map(row).collect()
}

#[test]
fn memory_of_replaced_batches_is_freed_soon() {
    let directory = tempfile::tempdir().unwrap();
    let home = SledHome::new(directory.path().join("tables"));
    let tables = home.open(tables::ALL).unwrap();
    // Stands for a reader that is in the middle of a lookup until the `drop` below.
    let looking = crossbeam_epoch::pin();
    for round in 0..KEPT {
        tables.write_batch(batch(round)).unwrap();
    }
    let freed = Arc::new(AtomicBool::new(false));
    let mark = Arc::clone(&freed);
    looking.defer(move || mark.store(true, Ordering::Release));
    assert!(!freed.load(Ordering::Acquire));
    drop(looking);
    let mut batches = 0;
    while !freed.load(Ordering::Acquire) {
        assert!(
            batches < BATCHES_MAX,
            "after {batches} batches something is left of what {KEPT} replaced"
        );
        tables.write_batch(batch(KEPT + batches)).unwrap();
        batches += 1;
    }
}

//! Checkpoints that the operating system refuses: what was stored must stay, and the next attempt must do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use anyhow::{Result, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};
use switchboard_engine::entries::IndexEntries;

use crate::child::tell;
use crate::shape::{key_of, mixed, snapshot_key, tables};
use crate::sides::{Settings, Side, Stored};

/// Rows of each checkpoint.
const ROWS: u64 = 500;

/// The outcome of the attempts.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Refused {
    /// Checkpoints that failed, as they should.
    pub failed: u64,
    /// Attempts behind which something was wrong, with what.
    pub faults: Vec<String>,
}

/// Lets so many checkpoints fail at different lengths of a file.
pub fn full_disk(side: Side, home: &Path, attempts: u64, settings: Settings) -> Result<()> {
    std::panic::set_hook(Box::new(|_| {}));
    let mut report = Refused::default();
    for attempt in 0..attempts {
        let place = tempfile::tempdir_in(home)?;
        let limit = mixed(attempt) % 70_000;
        let attempt_outcome = catch_unwind(AssertUnwindSafe(|| {
            let outcome = try_full(side, place.path(), limit, settings);
            unlimited()?;
            outcome
        }));
        unlimited()?;
        match attempt_outcome {
            Ok(Ok(failed)) => report.failed += u64::from(failed),
            Ok(Err(error)) => report.faults.push(format!("at {limit} bytes: {error:#}")),
            Err(_) => report.faults.push(format!("at {limit} bytes: it panicked")),
        }
    }
    tell(&report)
}

/// Returns whether a checkpoint failed when files could not be longer than the limit.
fn try_full(side: Side, home: &Path, limit: u64, settings: Settings) -> Result<bool> {
    let mut store = side.open(home, 0, settings)?;
    for round in 0..3 {
        store.take(entries(round));
        store.checkpoint()?;
    }
    store.take(entries(3));
    let all = getrlimit(Resource::Fsize);
    setrlimit(
        Resource::Fsize,
        Rlimit {
            current: Some(limit),
            ..all
        },
    )?;
    let failed = store.checkpoint().is_err();
    unlimited()?;
    ensure!(is_there(store.as_ref(), 0..3)?, "what was stored is lost");
    if failed {
        store.checkpoint()?;
    }
    ensure!(
        is_there(store.as_ref(), 0..4)?,
        "the next attempt stored nothing"
    );
    store.take(entries(4));
    store.checkpoint()?;
    drop(store);
    let store = side.open(home, 5, settings)?;
    ensure!(is_there(store.as_ref(), 0..5)?, "the next start finds less");
    Ok(failed)
}

fn unlimited() -> Result<()> {
    let all = getrlimit(Resource::Fsize);
    let current = all.maximum;
    Ok(setrlimit(Resource::Fsize, Rlimit { current, ..all })?)
}

fn entries(round: u64) -> IndexEntries {
    let mut entries = IndexEntries::default();
    for row in round * ROWS..(round + 1) * ROWS {
        entries.key(key_of(row, 0));
        entries.put(tables::SNAPSHOT, snapshot_key(row), vec![7; 100]);
    }
    entries
}

fn is_there(stored: &dyn Stored, rounds: std::ops::Range<u64>) -> Result<bool> {
    for row in rounds.start * ROWS..rounds.end * ROWS {
        let key = stored.key(key_of(row, 0))?;
        let value = stored.row(tables::SNAPSHOT, &snapshot_key(row))?;
        if key != Some(row / ROWS + 1) || value.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

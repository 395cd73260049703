//! The cost of a message for the index, and of a checkpoint of many rows.

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use switchboard_engine::entries::IndexEntries;

use crate::child::{cpu, tell};
use crate::shape::{Messages, absent, mixed, snapshot_key, tables};
use crate::sides::{Settings, Side, Stored};

/// Messages that the committer brings at once.
const BATCH: u64 = 64;
/// Messages between two checkpoints when each is of another conversation: such a one counts as six records, of 100,000.
pub const BETWEEN: u64 = 16_640;
/// Look-ups behind each checkpoint.
const LOOKUPS: u64 = 10_000;
/// The bytes of a row's value.
const VALUE_BYTES: usize = 100;

/// The cost of a message, in µs of processor time.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct MessageCost {
    /// Taking it in.
    pub take: f64,
    /// Asking for a key that is not there, and fetching a snapshot, without opening anything anew.
    pub look: f64,
    /// Its share of checkpoints and merges.
    pub checkpoint: f64,
}

/// The times of two checkpoints: of rows that were not there, and of new values for all of them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct CheckpointCost {
    pub first_ms: f64,
    pub second_ms: f64,
    pub cpu_ms: f64,
}

/// Messages to so many conversations, all of them in use.
pub fn message(
    side: Side,
    home: &Path,
    conversations: u64,
    rounds: u64,
    settings: Settings,
) -> Result<()> {
    let shape = Messages { conversations };
    let mut last = vec![0; usize::try_from(conversations)?];
    let mut store = side.open(home, 0, settings)?;
    let between = BETWEEN.min(conversations);
    let warm = (conversations * 2).div_ceil(between);
    let [mut take, mut look, mut checkpoint] = [Duration::ZERO; 3];
    for round in 0..warm + rounds {
        let first = round * between;
        let taking = taken(store.as_mut(), shape, first..first + between, &mut last);
        let before_checkpoint = cpu();
        store.checkpoint()?;
        let checkpoint_time = cpu().saturating_sub(before_checkpoint);
        let before_look = cpu();
        looked(store.as_ref(), shape, round, first)?;
        if round >= warm {
            take += taking;
            checkpoint += checkpoint_time;
            look += cpu().saturating_sub(before_look);
        }
    }
    let per = |time: Duration, count: u64| -> Result<f64> {
        Ok(time.as_secs_f64() * 1e6 / f64::from(u32::try_from(count * rounds)?))
    };
    tell(&MessageCost {
        take: per(take, between)?,
        look: per(look, LOOKUPS)?,
        checkpoint: per(checkpoint, between)?,
    })
}

fn taken(
    stored: &mut dyn Stored,
    shape: Messages,
    messages: Range<u64>,
    last: &mut [u64],
) -> Duration {
    let mut time = Duration::ZERO;
    let mut next = messages.start;
    while next < messages.end {
        let end = messages.end.min(next + BATCH);
        let entries = shape.entries(next..end, last);
        let before = cpu();
        stored.take(entries);
        time += cpu().saturating_sub(before);
        next = end;
    }
    time
}

fn looked(stored: &dyn Stored, shape: Messages, round: u64, messages: u64) -> Result<()> {
    for number in 0..LOOKUPS {
        let number = round * LOOKUPS + number;
        ensure!(
            stored.key(absent(number))?.is_none(),
            "an absent key is there"
        );
        let conversation = shape.conversation(mixed(number) % messages.max(1));
        let row = stored.row(tables::SNAPSHOT, &snapshot_key(conversation))?;
        ensure!(row.is_some(), "a row is lost");
    }
    Ok(())
}

/// Checkpoints of so many rows.
pub fn checkpoint(side: Side, home: &Path, rows: u64, settings: Settings) -> Result<()> {
    let mut store = side.open(home, 0, settings)?;
    let mut cpu_time = Duration::ZERO;
    let mut times = [0.0; 2];
    for (round, time) in (0_u8..).zip(&mut times) {
        let entries = rows_of(rows, round);
        store.take(entries);
        let (started, begun) = (Instant::now(), cpu());
        store.checkpoint()?;
        *time = started.elapsed().as_secs_f64() * 1e3;
        cpu_time += cpu().saturating_sub(begun);
    }
    let [first_ms, second_ms] = times;
    tell(&CheckpointCost {
        first_ms,
        second_ms,
        cpu_ms: cpu_time.as_secs_f64() * 1e3,
    })
}

fn rows_of(rows: u64, round: u8) -> IndexEntries {
    let mut entries = IndexEntries::default();
    for row in 0..rows {
        entries.put(
            tables::SNAPSHOT,
            snapshot_key(row),
            vec![round; VALUE_BYTES],
        );
    }
    entries
}

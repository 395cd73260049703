//! Opens the stored data, checks it and measures look-ups.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::child::{resident_kib, tell};
use crate::shape::{KEYS_OF_MESSAGE, Messages, absent, key_of, mixed, snapshot_key, tables};
use crate::sides::{Settings, Side, Stored};

/// So many checkpoints bring the messages to disk, and so many records the messages of one.
pub const CHECKPOINTS: u64 = 10;
pub const RECORDS: u64 = 4;
/// So many look-ups of each kind.
const LOOKUPS: u64 = 100_000;

/// The figures of one opening.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Probed {
    pub open_ms: f64,
    pub absent_ns: f64,
    pub key_ns: f64,
    pub row_ns: f64,
    pub page_us: f64,
    pub opened_kib: u64,
    pub used_kib: u64,
}

/// The records of so many messages.
pub fn records(messages: u64) -> u64 {
    if messages == 0 {
        0
    } else {
        CHECKPOINTS * RECORDS
    }
}

/// The record that a message belongs to.
pub fn record_of(message: u64, messages: u64) -> u64 {
    let per_record = messages / (CHECKPOINTS * RECORDS);
    message / per_record.max(1) + 1
}

/// Stores so many messages.
pub fn fill(
    side: Side,
    home: &Path,
    messages: u64,
    conversations: u64,
    settings: Settings,
) -> Result<()> {
    let mut store = side.open(home, 0, settings)?;
    fill_into(store.as_mut(), messages, conversations)?;
    tell(&())
}

/// Stores so many messages here.
pub fn fill_into(stored: &mut dyn Stored, messages: u64, conversations: u64) -> Result<()> {
    let shape = Messages { conversations };
    let mut last = vec![0; usize::try_from(conversations)?];
    let per_record = messages / (CHECKPOINTS * RECORDS);
    for record in 0..records(messages) {
        let first = record * per_record;
        stored.take(shape.entries(first..first + per_record, &mut last));
        if (record + 1).is_multiple_of(RECORDS) {
            stored.checkpoint()?;
        }
    }
    Ok(())
}

/// Opens what was stored, and looks things up.
pub fn probe(
    side: Side,
    home: &Path,
    messages: u64,
    conversations: u64,
    settings: Settings,
) -> Result<()> {
    let start = Instant::now();
    let store = side.open(home, records(messages), settings)?;
    ensure!(store.key(absent(0))?.is_none(), "an absent key is there");
    let mut probed = Probed {
        open_ms: start.elapsed().as_secs_f64() * 1e3,
        opened_kib: resident_kib()?,
        ..Probed::default()
    };
    let shape = Messages { conversations };
    if messages > 0 {
        probed.absent_ns = each(|number| {
            ensure!(
                store.key(absent(number))?.is_none(),
                "an absent key is there"
            );
            Ok(())
        })?;
        probed.key_ns = each(|number| {
            let message = mixed(number) % messages;
            let record = store.key(key_of(message, number % KEYS_OF_MESSAGE))?;
            ensure!(
                record == Some(record_of(message, messages)),
                "a key is lost"
            );
            Ok(())
        })?;
        probed.row_ns = each(|number| {
            let conversation = shape.conversation(mixed(number) % messages);
            let row = store.row(tables::SNAPSHOT, &snapshot_key(conversation))?;
            ensure!(row.is_some(), "a row is lost");
            Ok(())
        })?;
        let start = Instant::now();
        let page = store.first(tables::ACTIVITY, 250)?;
        probed.page_us = start.elapsed().as_secs_f64() * 1e6;
        ensure!(!page.is_empty(), "a list is lost");
    }
    probed.used_kib = resident_kib()?;
    tell(&probed)
}

/// The time of each of many look-ups, in nanoseconds.
fn each(look: impl Fn(u64) -> Result<()>) -> Result<f64> {
    let start = Instant::now();
    for number in 0..LOOKUPS {
        look(number)?;
    }
    let nanos = start.elapsed().as_secs_f64() * 1e9;
    Ok(nanos / f64::from(u32::try_from(LOOKUPS)?))
}

//! The store and the claimant that all nodes of the tests have.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::runtime::open::{Config, OpenedStore, Ports};
use switchboard_engine::store::committer::config::{Durability, JournalConfig};
use switchboard_engine::store::disk::Disk;
use switchboard_engine::testkit::ManualClock;
use switchboard_engine::testkit::simulation::SimTables;
use switchboard_engine::time::UnixMillis;
use switchboard_replication::entry::Claimant;

use crate::product::schema;

pub(crate) const SEGMENT_BYTES: u32 = 3_000;

/// A process of the node of this name.
pub(crate) fn claimant(name: &str, process: &str) -> Claimant {
    Claimant {
        node: name.to_owned(),
        url: format!("https://{name}.example"),
        process: process.to_owned(),
    }
}

/// The time of all nodes.
pub(crate) fn clock() -> ManualClock {
    ManualClock::at(UnixMillis::from_secs(1_000))
}

/// Opens the store of a node whose process ends by setting this.
pub(crate) fn open(
    disk: Arc<dyn Disk>,
    tables: &SimTables,
    is_over: &Arc<AtomicBool>,
) -> OpenedStore {
    let ports = Ports {
        disk,
        tables: Arc::new(tables.clone()),
        clock: Arc::new(clock()),
        entropy: Arc::new(Generator::from_seed(1)),
    };
    let is_over = Arc::clone(is_over);
    let config = Config {
        checkpoint_records: 20,
        journal: JournalConfig {
            segment_bytes: SEGMENT_BYTES,
            durability: Durability::Interval(Duration::from_secs(3_600)),
            on_fatal: Arc::new(move |_| is_over.store(true, Ordering::Release)),
            ..JournalConfig::default()
        },
        ..Config::default()
    };
    OpenedStore::open(ports, schema(), config).unwrap()
}

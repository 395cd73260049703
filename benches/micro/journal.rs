//! The journal alone, on the disk of the build directory: from the handing over of groups until all who wait know that
//! theirs is on disk.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use criterion::{Criterion, Throughput};
use futures_util::future::join_all;
use switchboard_actors::domain::kinds;
use switchboard_bench::requests;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::store::committer::Journal;
use switchboard_engine::store::committer::config::JournalConfig;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::recovery::{RecoveryBounds, recover};
use switchboard_engine::store::{Batch, CommitSink, NewRecord, RecordGroup};
use switchboard_engine::stream::StreamKey;
use tokio::task::LocalSet;

/// A sink that ignores commits.
struct Deaf;

impl CommitSink for Deaf {
    fn committed(&self, _batch: Batch) {}
}

pub(crate) fn commit(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("commit");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("an event loop can be made");
    for waiters in [1_u64, 64] {
        let directory = tempfile::tempdir_in(Path::new(env!("CARGO_TARGET_TMPDIR")))
            .expect("the build directory can be written to");
        let journal = open(directory.path());
        let tasks = LocalSet::new();
        // As on a thread of the service: it is woken once for a batch, however many wait.
        tasks.spawn_local(journal.wake_relay());
        group.throughput(Throughput::Elements(waiters));
        group.bench_function(format!("{waiters} waiting"), |bencher| {
            bencher.iter_custom(|times| {
                tasks.block_on(&runtime, async {
                    let start = Instant::now();
                    for _ in 0..times {
                        all_stored(&journal, waiters).await;
                    }
                    start.elapsed()
                })
            });
        });
        journal.close();
    }
    group.finish();
}

async fn all_stored(journal: &Journal, waiters: u64) {
    let submitted = (0..waiters).map(|number| {
        let submitted = journal
            .submit(journal.epoch(), message(number))
            .expect("the journal takes it");
        journal.durable(submitted.last, submitted.epoch)
    });
    for stored in join_all(submitted).await {
        stored.expect("it is on disk");
    }
}

/// A group as a posted message makes it, without what it adds to the indexes.
fn message(number: u64) -> RecordGroup {
    let record = NewRecord {
        stream: StreamKey::new(kinds::CONVERSATION, &number.to_le_bytes()),
        event: vec![b'e'; 250],
        blob: Bytes::from(requests::body(number, number)),
        entries: IndexEntries::default(),
    };
    RecordGroup {
        records: vec![record],
        notices: Vec::new(),
    }
}

fn open(directory: &Path) -> Journal {
    let disk: Arc<dyn Disk> =
        Arc::new(FileDisk::open(directory).expect("the directory can be used"));
    let tail = recover(&*disk, RecoveryBounds::default()).expect("there is nothing yet");
    let frontier = Frontier::at(tail.position);
    let journal = Journal::open(
        disk,
        &tail,
        frontier,
        JournalConfig::default(),
        Arc::new(Deaf),
    );
    journal.expect("the journal can be opened")
}

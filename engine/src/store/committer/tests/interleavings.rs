//! The queue, the waiters and the committer in every interleaving of a few threads. Only in a build with
//! `--cfg interleavings`: see docs/decisions/interleavings.md.

mod commits;
#[path = "../../../../../tests/support/explore.rs"]
mod explore;
mod queue;
mod relay;
mod waiters;

use loom::future::block_on;
use loom::thread;

use self::explore::{explore, explore_less, finds};
use super::*;
use crate::store::committer::commit::Next;
use crate::store::testing::BatchLog;

/// A journal whose committer is for a thread of the model.
struct Modelled {
    disk: FaultyDisk,
    journal: Journal,
    committer: Committer<()>,
    batches: Arc<BatchLog>,
}

impl Modelled {
    /// An empty journal.
    fn new() -> Self {
        let disk = FaultyDisk::new();
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let tail = recover(&*shared, RecoveryBounds::default()).unwrap();
        let mut config = inline(1 << 20);
        config.on_fatal = Arc::new(|_| ());
        let waiters = Arc::new(Waiters::new(tail.durable));
        let queue = Arc::new(Queue::new(Arc::clone(&shared), &config, tail.next_seq));
        let writer = Writer::open(shared, &config, &tail).unwrap();
        let sync_times = writer.sync_times();
        let batches = Arc::<BatchLog>::default();
        let committer = Committer::new(
            writer,
            Arc::clone(&queue),
            Arc::clone(&waiters),
            Frontier::at(tail.position),
            Arc::<BatchLog>::clone(&batches),
            config,
        );
        let journal = Journal {
            inner: Arc::new(Inner {
                keeps_log: committer.keeps_log(),
                sync_times,
                queue,
                waiters,
                engine: Engine::Thread(Mutex::new(None)),
            }),
        };
        Self {
            disk,
            journal,
            committer,
            batches,
        }
    }

    /// Starts the committer's thread.
    fn start(self) -> Running {
        let mut committer = self.committer;
        Running {
            disk: self.disk,
            journal: self.journal,
            committer: thread::spawn(move || while committer.wait_and_turn() == Next::Turn {}),
            batches: self.batches,
        }
    }
}

/// A journal with its thread.
struct Running {
    disk: FaultyDisk,
    journal: Journal,
    committer: thread::JoinHandle<()>,
    batches: Arc<BatchLog>,
}

impl Running {
    /// Closes the journal. Returns what is on disk, which is what the sink has batches of.
    fn close(self) -> Vec<String> {
        self.journal.close();
        self.ended()
    }

    /// Waits for the end of the journal. Returns what is on disk, which is what the sink has batches of.
    fn ended(self) -> Vec<String> {
        self.committer.join().unwrap();
        let disk_events = events(&self.disk).unwrap();
        let batches = lock(&self.batches.0);
        let records = batches.iter().flat_map(|batch| &batch.records);
        let numbers: Vec<u64> = records.map(|record| record.seq.0).collect();
        let all_events: Vec<u64> = (1..).take(disk_events.len()).collect();
        assert_eq!(
            numbers, all_events,
            "the sink hears of each record once, in order"
        );
        disk_events
    }
}

/// The event of the group with this number.
fn event(number: u64) -> String {
    format!("{number}:1/1")
}

/// Submits a group and waits for its outcome. Does it again when its batch was lost, as an owner does.
fn store(journal: &Journal, number: u64) -> Result<Submitted, SubmitError> {
    loop {
        match submit_to(journal, number) {
            Ok(submitted) => {
                let durability = journal.durable(submitted.last, submitted.epoch);
                if block_on(durability).is_ok() {
                    return Ok(submitted);
                }
            }
            Err(SubmitError::Stale) => {}
            Err(error) => return Err(error),
        }
    }
}

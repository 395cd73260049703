use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use tokio::task::{LocalSet, spawn_local, yield_now};

use super::*;
use crate::store::committer::config::JournalConfig;
use crate::store::committer::queue::TURN_GROUPS;
use crate::store::committer::{Journal, Submitted};
use crate::store::disk::memory::MemoryDisk;
use crate::store::frontier::Frontier;
use crate::store::recovery::{RecoveryBounds, recover};
use crate::store::testing::group;
use crate::store::width::wide;
use crate::store::{Batch, CommitSink};

/// The time that a test waits for a state before it fails: far longer than any machine needs that is only slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// Sends the number of records of each batch, and blocks the committer while a test holds the gate.
struct Sizes {
    sender: Mutex<mpsc::Sender<usize>>,
    gate: Arc<Mutex<()>>,
}

impl CommitSink for Sizes {
    fn committed(&self, batch: Batch) {
        // An error means that the test is over.
        let sender = self.sender.lock().unwrap();
        sender.send(batch.records.len()).ok();
        drop(self.gate.lock().unwrap());
    }
}

struct Opened {
    journal: Journal,
    sizes: mpsc::Receiver<usize>,
    gate: Arc<Mutex<()>>,
}

fn open() -> Opened {
    let (sender, sizes) = mpsc::channel();
    let gate = Arc::<Mutex<()>>::default();
    let disk = Arc::new(MemoryDisk::default());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let frontier = Frontier::at(tail.position);
    let config = JournalConfig::default();
    let sink = Arc::new(Sizes {
        sender: Mutex::new(sender),
        gate: Arc::clone(&gate),
    });
    let journal = Journal::open(disk, &tail, frontier, config, sink).unwrap();
    Opened {
        journal,
        sizes,
        gate,
    }
}

/// A journal whose last batch was of two groups, so that the next ones are not taken to come one by one.
fn busy() -> (Journal, mpsc::Receiver<usize>) {
    let Opened {
        journal,
        sizes,
        gate,
    } = open();
    let lock = gate.lock().unwrap();
    submit(&journal, 0);
    assert_eq!(next(&sizes), Some(1));
    submit(&journal, 1);
    submit(&journal, 2);
    drop(lock);
    assert_eq!(next(&sizes), Some(2));
    (journal, sizes)
}

/// The size of the next batch; `None`: there is none.
fn next(sizes: &mpsc::Receiver<usize>) -> Option<usize> {
    sizes.recv_timeout(PATIENCE).ok()
}

fn submit(journal: &Journal, number: usize) -> Submitted {
    let group = group(wide(number), 1, 10);
    journal.submit(journal.epoch(), group).unwrap()
}

async fn stored(journal: &Journal, submitted: Submitted) {
    let durability = journal.durable(submitted.last, submitted.epoch);
    durability.await.expect("a disk in memory takes everything");
}

/// Runs this on a loop with a relay.
fn on_a_loop(journal: &Journal, run: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    LocalSet::new().block_on(&runtime, async {
        let relay = spawn_local(journal.wake_relay());
        yield_now().await;
        run.await;
        relay.abort();
    });
}

#[test]
fn groups_submitted_in_one_turn_are_one_batch() {
    let (journal, sizes) = busy();
    on_a_loop(&journal, async {
        for turn in 0..50 {
            let requests: Vec<_> = (0..20)
                .map(|number| {
                    let journal = journal.clone();
                    spawn_local(async move {
                        let submitted = submit(&journal, turn * 20 + number);
                        stored(&journal, submitted).await;
                    })
                })
                .collect();
            for request in requests {
                request.await.unwrap();
            }
            assert_eq!(next(&sizes), Some(20), "turn {turn}");
        }
    });
}

#[test]
fn groups_of_every_pass_of_a_turn_join_its_batch() {
    let (journal, sizes) = busy();
    on_a_loop(&journal, async {
        let mut last = submit(&journal, 0);
        for look in 1..LOOKS_MAX {
            yield_now().await;
            last = submit(&journal, look);
        }
        stored(&journal, last).await;
    });
    assert_eq!(next(&sizes), Some(LOOKS_MAX));
}

#[test]
fn groups_that_come_one_by_one_are_written_at_once() {
    let Opened { journal, sizes, .. } = open();
    // Only a committer that sleeps is called for one group.
    let (rested, start) = (Duration::from_millis(1), Instant::now());
    on_a_loop(&journal, async {
        for number in 0..5 {
            while !journal.inner.queue.is_asleep() {
                assert!(start.elapsed() < PATIENCE, "the committer does not sleep");
                std::thread::sleep(rested);
            }
            submit(&journal, number);
            // In the same turn, which stands still here.
            assert_eq!(next(&sizes), Some(1));
        }
    });
}

#[test]
fn the_committer_does_not_wait_for_a_turn_that_never_ends() {
    let (journal, _sizes) = busy();
    on_a_loop(&journal, async {
        let first = submit(&journal, 0);
        let mut looks = 0;
        while journal.durable_upto() < first.last {
            looks += 1;
            submit(&journal, looks);
            // The committer's thread may want the only core.
            std::thread::yield_now();
            yield_now().await;
        }
    });
}

#[test]
fn a_long_turn_collects_a_bounded_number_of_groups() {
    let (journal, sizes) = busy();
    on_a_loop(&journal, async {
        for number in 0..TURN_GROUPS {
            submit(&journal, number);
        }
        // In the same turn, which stands still here.
        assert_eq!(next(&sizes), Some(TURN_GROUPS));
    });
}

#[test]
fn a_long_turn_collects_a_bounded_number_of_bytes() {
    let (journal, sizes) = busy();
    on_a_loop(&journal, async {
        for number in 0..3 {
            let group = group(number, 1, 400_000);
            journal.submit(journal.epoch(), group).unwrap();
        }
        assert_eq!(next(&sizes), Some(3));
    });
}

/// A group that a thread without an event loop submits is written at once, with the groups that wait for the end of a
/// turn.
#[test]
fn a_group_from_outside_a_loop_ends_the_open_turn_early() {
    let (journal, sizes) = busy();
    on_a_loop(&journal, async {
        submit(&journal, 0);
        submit(&journal, 1);
        let elsewhere = journal.clone();
        std::thread::spawn(move || submit(&elsewhere, 2))
            .join()
            .unwrap();
        assert_eq!(next(&sizes), Some(3), "while this turn stands still");
    });
}

#[test]
fn a_loop_that_ends_within_a_turn_submits_its_groups() {
    let (journal, sizes) = busy();
    on_a_loop(&journal, async {
        submit(&journal, 0);
    });
    assert_eq!(next(&sizes), Some(1));
    submit(&journal, 1);
    assert_eq!(
        next(&sizes),
        Some(1),
        "as of a thread that never had a loop"
    );
}

#[test]
fn a_turn_ends_with_the_journal() {
    let (journal, sizes) = busy();
    on_a_loop(&journal, async {
        submit(&journal, 0);
        journal.close();
        assert_eq!(sizes.try_iter().collect::<Vec<_>>(), [1]);
    });
}

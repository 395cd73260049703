//! Waiting for a record to be on disk, from event loops with and without a pump.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::sync::mpsc::TryRecvError;
use std::sync::{Arc, Mutex, mpsc};

use switchboard_engine::entries::IndexEntries;
use switchboard_engine::store::committer::Journal;
use switchboard_engine::store::committer::config::JournalConfig;
use switchboard_engine::store::disk::memory::MemoryDisk;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::recovery::{RecoveryBounds, recover};
use switchboard_engine::store::{Batch, CommitSink, NewRecord, RecordGroup};
use switchboard_engine::stream::StreamKey;
use tokio::task::{LocalSet, spawn_local, yield_now};

mod kinds {
    switchboard_engine::kinds! { pub(crate) const;
        /// The only state.
        THING: 3, "Thing", Seldom;
    }
}

/// Says that a batch is on disk, then waits for leave to go on.
struct HoldingSink {
    entered: mpsc::Sender<usize>,
    leave: Mutex<mpsc::Receiver<()>>,
}

impl CommitSink for HoldingSink {
    fn committed(&self, batch: Batch) {
        // An error means that the test is over and wants to wait no more.
        self.entered.send(batch.records.len()).ok();
        self.leave.lock().unwrap().recv().ok();
    }
}

struct Held {
    journal: Journal,
    entered: mpsc::Receiver<usize>,
    leave: mpsc::Sender<()>,
}

fn held() -> Held {
    let (entered, entered_here) = mpsc::channel();
    let (leave, leave_there) = mpsc::channel();
    let sink = Arc::new(HoldingSink {
        entered,
        leave: Mutex::new(leave_there),
    });
    let disk = Arc::new(MemoryDisk::default());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let frontier = Frontier::at(tail.position);
    let journal = Journal::open(disk, &tail, frontier, JournalConfig::default(), sink).unwrap();
    Held {
        journal,
        entered: entered_here,
        leave,
    }
}

fn group() -> RecordGroup {
    RecordGroup {
        records: vec![NewRecord {
            stream: StreamKey::new(kinds::THING, b"thing"),
            event: b"{}".to_vec(),
            blob: bytes::Bytes::new(),
            entries: IndexEntries::default(),
        }],
        notices: Vec::new(),
    }
}

fn in_event_loop(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    LocalSet::new().block_on(&runtime, test);
}

/// Submits a group and lets the loop go on until the committer has it in its hands.
async fn submit_and_hold(held: &Held) {
    held.journal.submit(held.journal.epoch(), group()).unwrap();
    let mut entry = held.entered.try_recv();
    while entry == Err(TryRecvError::Empty) {
        yield_now().await;
        entry = held.entered.try_recv();
    }
    assert_eq!(entry, Ok(1));
}

/// Lets the loop go on for more than a turn: what was submitted before is called for.
async fn a_turn() {
    for _ in 0..10 {
        yield_now().await;
    }
}

/// Submits a hundred groups while the committer is held, with one waiting task for each. Calls `let_go` just before it
/// releases the committer.
async fn wait_for_a_hundred(held: &Held, let_go: impl FnOnce()) {
    submit_and_hold(held).await;
    let mut tasks = Vec::new();
    for _ in 0..100 {
        let submitted = held.journal.submit(held.journal.epoch(), group()).unwrap();
        let waiting = held.journal.durable(submitted.last, submitted.epoch);
        tasks.push(spawn_local(waiting));
    }
    a_turn().await;
    assert!(tasks.iter().all(|task| !task.is_finished()));
    let_go();
    held.leave.send(()).unwrap();
    for task in tasks {
        assert_eq!(task.await.unwrap(), Ok(()));
    }
    assert_eq!(held.entered.recv(), Ok(100), "all of them were one batch");
    held.leave.send(()).unwrap();
}

#[test]
fn a_hundred_waiters_of_a_thread_cost_one_wake_up() {
    in_event_loop(async {
        let gate = held();
        let polls = Rc::new(Cell::new(0));
        let counter = Rc::clone(&polls);
        let relay = gate.journal.wake_relay();
        let relay_task = spawn_local(async move {
            let mut relay = pin!(relay);
            poll_fn(|ctx| {
                counter.set(counter.get() + 1);
                relay.as_mut().poll(ctx)
            })
            .await;
        });
        yield_now().await;
        wait_for_a_hundred(&gate, || polls.set(0)).await;
        assert_eq!(polls.get(), 1);

        drop(gate.leave);
        gate.journal.close();
        relay_task.await.unwrap();
        assert_eq!(polls.get(), 2, "it ends with the journal");
    });
}

#[test]
fn a_thread_without_a_pump_is_woken_as_well() {
    in_event_loop(async {
        wait_for_a_hundred(&held(), || {}).await;
    });
}

#[test]
fn waiters_survive_their_pump() {
    in_event_loop(async {
        let gate = held();
        let relay = spawn_local(gate.journal.wake_relay());
        yield_now().await;
        submit_and_hold(&gate).await;
        let submitted = gate.journal.submit(gate.journal.epoch(), group()).unwrap();
        let waiting = spawn_local(gate.journal.durable(submitted.last, submitted.epoch));
        yield_now().await;
        relay.abort();
        assert!(relay.await.unwrap_err().is_cancelled());
        gate.leave.send(()).unwrap();
        assert_eq!(waiting.await.unwrap(), Ok(()));
        drop(gate.leave);
    });
}

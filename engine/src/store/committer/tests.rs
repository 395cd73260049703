use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use futures_util::FutureExt;

use super::*;
use crate::store::committer::config::Durability;
use crate::store::committer::draft::Draft;
use crate::store::committer::queue::{Priority, Purpose};
use crate::store::disk::faulty::FaultyDisk;
use crate::store::disk::memory::MemoryDisk;
use crate::store::record::UnfitError;
use crate::store::recovery::{RecoveryBounds, recover};
use crate::store::testing::{DiskClone, Opened, events, events_of, group, inline, open};
use crate::store::width::wide;
use crate::store::{Batch, Position};

#[cfg(interleavings)]
mod interleavings;

/// The length of the header of a segment.
const HEADER: u64 = 40;

/// A journal on a thread whose sink says that it was called and then waits for leave to go on.
struct Held {
    journal: Journal,
    entered: mpsc::Receiver<usize>,
    leave: mpsc::Sender<()>,
}

struct HoldingSink {
    entered: mpsc::Sender<usize>,
    leave: Mutex<mpsc::Receiver<()>>,
}

impl CommitSink for HoldingSink {
    fn committed(&self, batch: Batch) {
        // An error means that the test is over and wants to wait no more.
        self.entered.send(batch.records.len()).ok();
        lock(&self.leave).recv().ok();
    }
}

fn held(config: JournalConfig) -> Held {
    let (entered, entered_here) = mpsc::channel();
    let (leave, leave_there) = mpsc::channel();
    let sink = HoldingSink {
        entered,
        leave: Mutex::new(leave_there),
    };
    let disk = Arc::new(MemoryDisk::default());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let frontier = Frontier::at(tail.position);
    let journal = Journal::open(disk, &tail, frontier, config, Arc::new(sink)).unwrap();
    Held {
        journal,
        entered: entered_here,
        leave,
    }
}

fn submit_to(journal: &Journal, number: u64) -> Result<Submitted, SubmitError> {
    journal.submit(journal.epoch(), group(number, 1, 100))
}

#[test]
fn numbers_have_no_gaps_and_the_sink_gets_every_position() {
    let disk = FaultyDisk::new();
    let journal_of_test = open(&disk, inline(300)).unwrap();
    for number in 1..=10 {
        let submitted = journal_of_test.submit(group(number, 2, 20)).unwrap();
        assert_eq!(submitted.last, Seq(number * 2));
        assert_eq!(journal_of_test.outcome(submitted), Some(Ok(())));
    }
    let batches = std::mem::take(&mut *lock(&journal_of_test.sink.0));
    let heard_records: Vec<_> = batches.iter().flat_map(|batch| &batch.records).collect();
    let tail = recover(&disk, RecoveryBounds::default()).unwrap();
    let reader = crate::store::reader::JournalReader::new(
        Arc::new(disk.clone()),
        Frontier::at(tail.position),
    );
    for (index, committed) in heard_records.iter().enumerate() {
        let record = crate::store::ReadJournal::read(&reader, committed.position).unwrap();
        assert_eq!(committed.seq, Seq(wide(index) + 1));
        assert_eq!(
            (record.seq, record.stream),
            (committed.seq, committed.stream.clone())
        );
    }
    let segments: BTreeSet<u32> = heard_records.iter().map(|it| it.position.segment).collect();
    assert_eq!(segments, (1..=5).collect(), "two groups fit into a segment");
}

#[test]
fn a_group_longer_than_a_segment_gets_its_own_segment() {
    let disk = FaultyDisk::new();
    let store = open(&disk, inline(300)).unwrap();
    for (number, count) in [(1, 1), (2, 20), (3, 1)] {
        store.submit(group(number, count, 50)).unwrap();
    }
    let batches = lock(&store.sink.0);
    let places: Vec<Vec<Position>> = batches
        .iter()
        .map(|batch| batch.records.iter().map(|it| it.position).collect())
        .collect();
    for (places, segment) in places.iter().zip(1..) {
        assert!(places.iter().all(|place| place.segment == segment));
    }
    drop(batches);
    assert_eq!(events(&disk).unwrap().len(), 22);
}

#[test]
fn a_group_that_cannot_be_stored_is_refused_at_once() {
    let disk = FaultyDisk::new();
    let mut config = inline(1000);
    config.queue_bytes = 500;
    let store = open(&disk, config).unwrap();
    let empty = store.submit(RecordGroup {
        records: Vec::new(),
        notices: Vec::new(),
    });
    assert_eq!(empty, Err(SubmitError::Unfit(UnfitError::Empty)));
    let long = store.submit(group(1, 1, 500));
    assert!(
        matches!(
            long,
            Err(SubmitError::Unfit(UnfitError::Group { limit: 500, .. }))
        ),
        "{long:?}"
    );
    assert_eq!(store.submit(group(1, 1, 100)).unwrap().last, Seq(1));
}

/// Submits groups of several sizes; gives the events of those that count, and how many were lost.
fn submit_many(store: &Opened) -> (Vec<String>, usize) {
    let mut durable = Vec::new();
    let mut failures = 0;
    for number in 1..=12 {
        let group = group(number, usize::try_from(number % 3).unwrap() + 1, 60);
        let lines = events_of(&group);
        match store.submit(group).map(|it| store.outcome(it)) {
            Ok(Some(Ok(()))) => durable.extend(lines),
            Ok(Some(Err(NotStoredError))) => failures += 1,
            other => panic!("{other:?}"),
        }
    }
    (durable, failures)
}

#[test]
fn a_write_that_fails_loses_its_group_and_no_other() {
    // A batch that prepares space is tried again without that.
    for prepare_bytes in [0, 100] {
        let config = || {
            let mut config = inline(500);
            config.prepare_bytes = prepare_bytes;
            config
        };
        let whole = FaultyDisk::new();
        submit_many(&open(&whole, config()).unwrap());
        let writes = whole.operations().writes;
        assert!(writes > 15, "rotation is among them: {writes}");
        let mut losses = 0;
        for nth in 2..=writes {
            let disk = FaultyDisk::new();
            disk.fail_write(nth);
            let store = open(&disk, config()).unwrap();
            let (kept, lost) = submit_many(&store);
            // The last writes are marks: without them nothing is lost.
            assert!(lost <= 1);
            losses += lost;
            assert_eq!(wide(lost), store.journal.epoch().0, "write {nth}");
            assert_eq!(*lock(&store.fatal), []);
            // The batch was removed permanently before any waiter learned of it.
            assert_eq!(events(&disk.crash(nth)), Ok(kept.clone()), "write {nth}");
            drop(store);
            assert_eq!(events(&disk), Ok(kept), "write {nth}");
        }
        assert!(losses > 10, "{losses} of {writes} writes");
    }
}

#[test]
fn a_stale_submitter_gets_an_error_and_has_to_rebuild() {
    let disk = FaultyDisk::new();
    let store = open(&disk, inline(5000)).unwrap();
    let before = store.journal.epoch();
    let first = store.submit(group(1, 1, 10)).unwrap();
    disk.fail_write(1);
    let second = store.submit(group(2, 1, 10)).unwrap();
    assert_eq!(
        store.journal.submit(before, group(3, 1, 10)),
        Err(SubmitError::Stale)
    );
    let next = store.submit(group(3, 1, 10)).unwrap();
    assert_eq!(next.last, second.last, "the number is given again");
    assert_eq!(store.outcome(first), Some(Ok(())));
    assert_eq!(store.outcome(second), Some(Err(NotStoredError)));
    assert_eq!(store.outcome(next), Some(Ok(())));
}

#[test]
fn a_full_disk_is_refused_until_there_is_space() {
    let disk = FaultyDisk::new();
    let store = open(&disk, inline(5000)).unwrap();
    disk.set_quota(Some(1000));
    let outcomes: Vec<_> = (1..=9)
        .map(|number| {
            store
                .submit(group(number, 1, 150))
                .map(|it| store.outcome(it))
        })
        .collect();
    assert!(
        outcomes.contains(&Ok(Some(Err(NotStoredError)))),
        "{outcomes:?}"
    );
    disk.set_quota(Some(0));
    assert_eq!(store.submit(group(10, 1, 1)), Err(SubmitError::DiskFull));
    disk.set_quota(None);
    let after = store.submit(group(11, 1, 1)).unwrap();
    assert_eq!(store.outcome(after), Some(Ok(())));
    drop(store);
    assert_eq!(events(&disk).unwrap().last().unwrap(), "11:1/1");
}

#[test]
fn the_low_water_mark_refuses_before_the_disk_is_full() {
    let disk = FaultyDisk::new();
    let mut config = inline(5000);
    config.low_water_bytes = 600;
    disk.set_quota(Some(1000));
    let store = open(&disk, config).unwrap();
    let count = (1..=9)
        .take_while(|number| store.submit(group(*number, 1, 100)).is_ok())
        .count();
    assert_eq!(
        count, 3,
        "40 of the header and 149 each, until 600 are left"
    );
    assert_eq!(store.submit(group(9, 1, 1)), Err(SubmitError::DiskFull));
    assert_eq!(store.journal.epoch(), Epoch(0), "nothing failed");
}

#[test]
fn the_disk_reserve_is_for_commands_already_accepted() {
    let disk = FaultyDisk::new();
    let mut config = inline(5000);
    config.low_water_bytes = 100;
    config.reserve_bytes = 600;
    disk.set_quota(Some(1008));
    let store = open(&disk, config).unwrap();
    let count = (1..=9)
        .take_while(|number| store.submit(group(*number, 1, 100)).is_ok())
        .count();
    assert_eq!(count, 3);
    let epoch = store.journal.epoch();
    let finished = (1..=9)
        .take_while(|number| {
            let group = group(*number, 1, 100);
            store.journal.finish(epoch, group).is_ok()
        })
        .count();
    assert_eq!(finished, 4, "until 100 are left");
    assert_eq!(store.submit(group(9, 1, 1)), Err(SubmitError::DiskFull));
}

#[test]
fn a_failed_sync_ends_the_journal_and_acknowledges_no_more() {
    let whole = FaultyDisk::new();
    submit_many(&open(&whole, inline(500)).unwrap());
    for nth in 1..whole.operations().syncs {
        let disk = FaultyDisk::new();
        let store = open(&disk, inline(500)).unwrap();
        disk.fail_sync(nth);
        let mut durable = Vec::new();
        for number in 1..=12 {
            let group = group(number, usize::try_from(number % 3).unwrap() + 1, 60);
            let lines = events_of(&group);
            let has_failed = !lock(&store.fatal).is_empty();
            match store.submit(group).map(|it| store.outcome(it)) {
                Ok(Some(Ok(()))) if !has_failed => durable.extend(lines),
                Ok(Some(Err(NotStoredError))) => {
                    assert!(!has_failed && !lock(&store.fatal).is_empty())
                }
                Err(SubmitError::Stopping) => assert!(has_failed),
                other => panic!("sync {nth}: {other:?}"),
            }
        }
        let syncs = disk.operations().syncs;
        store.journal.close();
        let fatal = lock(&store.fatal).clone();
        if let [FatalError::Sync { file, .. }] = &fatal[..] {
            assert!(file.contains("journal-"), "{file}");
            assert!(
                syncs == disk.operations().syncs || durable.len() == 24,
                "never again"
            );
        } else {
            assert_eq!((fatal.len(), durable.len()), (0, 24), "sync {nth}");
        }
        let remains = events(&disk.crash(nth)).unwrap();
        assert_eq!(remains[..durable.len()], durable, "sync {nth}");
    }
}

#[test]
fn a_full_queue_is_reported_to_the_submitter() {
    let gate = held(JournalConfig {
        queue_groups: 3,
        queue_bytes: 1000,
        ..JournalConfig::default()
    });
    submit_to(&gate.journal, 1).unwrap();
    gate.entered.recv().unwrap();
    for number in 2..=4 {
        submit_to(&gate.journal, number).unwrap();
    }
    assert_eq!(submit_to(&gate.journal, 5), Err(SubmitError::Busy));
    gate.leave.send(()).unwrap();
    assert_eq!(gate.entered.recv(), Ok(3), "all that waited is one batch");

    gate.journal.submit(Epoch(0), group(6, 1, 900)).unwrap();
    assert_eq!(
        submit_to(&gate.journal, 7),
        Err(SubmitError::Busy),
        "of bytes"
    );
    drop(gate.leave);
    gate.journal.close();
    assert_eq!(gate.journal.durable_upto(), Seq(5));
}

#[test]
fn groups_behind_a_failed_batch_are_lost_with_it() {
    let disk = Arc::new(FaultyDisk::new());
    let queue = Queue::new(disk, &inline(1000), Seq(5));
    let waiters = Arc::new(Waiters::new(Seq(4)));
    let mut batch = Draft::default();
    queue
        .push(Epoch(0), group(1, 2, 1), Purpose::Accept, Priority::Now)
        .unwrap();
    queue.take(&mut batch, None);
    let behind = queue
        .push(Epoch(0), group(2, 1, 1), Purpose::Accept, Priority::Now)
        .unwrap();
    assert_eq!(behind.last, Seq(7));
    let mut waiting = Durable::new(&waiters, behind.last, behind.epoch);
    assert_eq!((&mut waiting).now_or_never(), None);

    queue.rewind(Seq(4), |epoch| waiters.rewind(epoch));
    waiters.wake();
    assert_eq!((&mut waiting).now_or_never(), Some(Err(NotStoredError)));
    batch.clear();
    let outcome = queue.take(&mut batch, Some(Duration::ZERO));
    assert_eq!(outcome, queue::Taken::Nothing);
    assert_eq!(
        queue.push(Epoch(0), group(3, 1, 1), Purpose::Accept, Priority::Now),
        Err(SubmitError::Stale)
    );
    assert_eq!(
        queue
            .push(Epoch(1), group(3, 1, 1), Purpose::Accept, Priority::Now)
            .unwrap()
            .last,
        Seq(5)
    );
}

#[test]
fn closing_puts_everything_on_disk_and_marks_the_end() {
    let disk = FaultyDisk::new();
    let mut config = inline(1 << 20);
    config.threading = Threading::Thread;
    let store = open(&disk, config).unwrap();
    let all: Vec<_> = (1..=50)
        .map(|number| store.submit(group(number, 1, 10)).unwrap())
        .collect();
    store.journal.close();
    store.journal.clone().close();
    for submitted in all {
        assert_eq!(store.outcome(submitted), Some(Ok(())));
    }
    assert_eq!(store.submit(group(51, 1, 1)), Err(SubmitError::Stopping));
    let never = store.journal.durable(Seq(51), Epoch(0)).now_or_never();
    assert_eq!(
        never,
        Some(Err(NotStoredError)),
        "nobody waits for what cannot come"
    );

    // The last record is proven by the mark: damage to it is not taken for a torn write.
    let file = disk.open("journal-00000001").unwrap();
    let last = file.length().unwrap() - 25 - 5;
    file.write_at(last, &[0xff; 5]).unwrap();
    assert!(events(&disk).unwrap_err().contains("is damaged at offset"));
}

#[test]
fn an_idle_journal_records_how_far_it_is_synced() {
    let disk = FaultyDisk::new();
    let mut config = inline(1 << 20);
    config.threading = Threading::Thread;
    config.mark_after = Duration::from_millis(1);
    let store = open(&disk, config).unwrap();
    store.submit(group(1, 1, 10)).unwrap();
    let file = disk.open("journal-00000001").unwrap();
    let record = 25 + 6 + 8 + 5 + 10;
    while file.length().unwrap() < HEADER + record + 25 {
        std::thread::yield_now();
    }
    let mut mark = [0; 25];
    file.read_at(HEADER + record, &mut mark).unwrap();
    let head = crate::store::record::peek(&mark).unwrap();
    assert_eq!(head.kind, crate::store::record::RecordKind::Mark);
    assert_eq!(head.durable_upto, Seq(1));
}

#[test]
fn with_a_sync_interval_records_count_before_the_sync() {
    let disk = FaultyDisk::new();
    let mut config = inline(1 << 20);
    config.durability = Durability::Interval(Duration::from_secs(3600));
    let store = open(&disk, config).unwrap();
    let syncs = disk.operations().syncs;
    for number in 1..=5 {
        let submitted = store.submit(group(number, 1, 10)).unwrap();
        assert_eq!(store.outcome(submitted), Some(Ok(())));
    }
    assert_eq!(disk.operations().syncs, syncs);
    store.journal.close();
    assert!(disk.operations().syncs > syncs);
    assert_eq!(events(&disk.crash(1)).unwrap().len(), 5);
}

struct PanickingSink;

impl CommitSink for PanickingSink {
    fn committed(&self, _batch: Batch) {
        panic!("on order");
    }
}

#[test]
fn a_panic_in_the_sink_ends_the_journal_and_wakes_all_waiters() {
    let disk = Arc::new(MemoryDisk::default());
    let tail = recover(&*disk, RecoveryBounds::default()).unwrap();
    let calls = Arc::new(AtomicUsize::new(0));
    let calls_by_journal = Arc::clone(&calls);
    let config = JournalConfig {
        on_fatal: Arc::new(move |error| {
            assert_eq!(*error, FatalError::Panicked);
            calls_by_journal.fetch_add(1, Ordering::SeqCst);
        }),
        ..JournalConfig::default()
    };
    let frontier = Frontier::at(tail.position);
    let journal = Journal::open(disk, &tail, frontier, config, Arc::new(PanickingSink)).unwrap();
    let waiting = journal.durable(Seq(2), Epoch(0));
    submit_to(&journal, 1).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    assert_eq!(runtime.block_on(waiting), Err(NotStoredError));
    journal.close();
    assert_eq!(submit_to(&journal, 3), Err(SubmitError::Stopping));
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn a_waiter_that_is_dropped_leaves_nothing_behind() {
    let waiters = Arc::new(Waiters::new(Seq(0)));
    let mut pending: Vec<Durable> = (1..=100)
        .map(|seq| Durable::new(&waiters, Seq(seq), Epoch(0)))
        .collect();
    for waiting in &mut pending {
        assert_eq!(waiting.now_or_never(), None);
    }
    assert_eq!(waiters.waiting_in_common(), 100);
    pending.truncate(10);
    assert_eq!(waiters.waiting_in_common(), 10);
    waiters.advance(Seq(4));
    waiters.wake();
    assert_eq!(waiters.waiting_in_common(), 6);
    drop(pending);
    assert_eq!(waiters.waiting_in_common(), 0);
}

#[test]
fn a_dropped_pump_moves_its_waiters_to_the_common_lane() {
    let waiters = Arc::new(Waiters::new(Seq(0)));
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
    let queue = Arc::new(Queue::<()>::new(disk, &inline(1000), Seq(1)));
    let mut relay = WakeRelay::new(Arc::clone(&waiters), Arc::clone(&queue));
    assert_eq!((&mut relay).now_or_never(), None);
    let second = WakeRelay::new(Arc::clone(&waiters), queue).now_or_never();
    assert_eq!(
        (second, waiters.threads()),
        (Some(()), 1),
        "one for each thread"
    );
    let mut waiting = Durable::new(&waiters, Seq(1), Epoch(0));
    assert_eq!((&mut waiting).now_or_never(), None);
    assert_eq!(waiters.waiting_in_common(), 0);

    drop(relay);
    assert_eq!(waiters.threads(), 0);
    assert_eq!((&mut waiting).now_or_never(), None);
    assert_eq!(waiters.waiting_in_common(), 1);
    waiters.advance(Seq(1));
    assert_eq!((&mut waiting).now_or_never(), Some(Ok(())));
}

/// For an epoch that is no longer remembered, a waiter gets «lost», never a wrong «stored».
#[test]
fn after_many_failures_an_old_waiter_gets_lost_not_stored() {
    let waiters = Arc::new(Waiters::new(Seq(3)));
    for epoch in 1..=wide(waiters::REWINDS_KEPT) {
        waiters.rewind(Epoch(epoch));
    }
    let ask = |seq, epoch| Durable::new(&waiters, Seq(seq), Epoch(epoch)).now_or_never();
    assert_eq!(ask(3, 0), Some(Ok(())));
    assert_eq!(ask(4, 0), Some(Err(NotStoredError)));
    waiters.rewind(Epoch(wide(waiters::REWINDS_KEPT) + 1));
    assert_eq!(ask(3, 0), Some(Err(NotStoredError)));
    assert_eq!(ask(3, 1), Some(Ok(())));
}

#[test]
fn a_batch_over_several_segments_survives_every_power_cut() {
    for changes in 0..40 {
        for seed in 0..12 {
            let disk = FaultyDisk::new();
            let tail = recover(&disk, RecoveryBounds::default()).unwrap();
            let shared = Arc::new(disk.clone());
            let mut config = inline(400);
            config.prepare_bytes = [0, 50, 300][usize::try_from(seed % 3).unwrap()];
            let mut writer = Writer::open(disk.arc(), &config, &tail).unwrap();
            let queue = Queue::new(shared, &inline(400), Seq(1));
            for number in 1..=12 {
                queue
                    .push(
                        Epoch(0),
                        group(number, 2, 60),
                        Purpose::Accept,
                        Priority::Now,
                    )
                    .unwrap();
            }
            let mut batch = Draft::default();
            queue.take(&mut batch, None);
            disk.cut_power_after(changes);
            let is_ok = writer.append(batch.parts()).is_ok();
            let synced = is_ok && writer.sync().is_ok();
            let remains = events(&disk.crash(seed)).unwrap();
            assert_eq!(remains.len() % 2, 0, "{changes} changes, seed {seed}");
            assert!(
                !synced || remains.len() == 24,
                "{changes} changes, seed {seed}"
            );
        }
    }
}

#[test]
fn a_group_reported_lost_never_comes_back() {
    for seed in 0..50 {
        let disk = FaultyDisk::new();
        let store = open(&disk, inline(5000)).unwrap();
        store.submit(group(1, 1, 700)).unwrap();
        // The half that is written holds the group's first record whole.
        disk.fail_write(1);
        let mut failing = group(2, 1, 10);
        failing.records.extend(group(3, 1, 900).records);
        let failure = store.submit(failing).unwrap();
        assert_eq!(store.outcome(failure), Some(Err(NotStoredError)));
        let remains = disk.crash(seed);
        let length = remains.open("journal-00000001").unwrap().length().unwrap();
        assert_eq!(length, HEADER + 25 + 6 + 8 + 5 + 700, "seed {seed}");
    }
}

//! Readers see everything that was committed before they ask, whatever checkpoints do meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::states::{Talk, TalkEvent, said};
use super::world::{Dice, Happening, World, happenings};
use crate::store::index::Index;
use crate::store::index::config::{Checkpoints, Listener};
use crate::store::index::sink::Indexing;
use crate::store::tables::{KeyRange, ScanOrder};
use crate::store::testing::tables;
use crate::store::{Batch, CommitSink, ReadError, Seq};

const TALKS: u32 = 40;

fn word(talk: u32, at: u64) -> Happening {
    let word = format!("{talk} {at}");
    Happening::Talk(talk, TalkEvent::Said { word, at })
}

#[test]
fn readers_always_find_records_that_were_stored_before() {
    let mut world = World::new(150);
    world.checkpoints = Checkpoints::InBackground;
    let index = world.open().unwrap().0;
    world.post(&index, (0..TALKS).map(|talk| word(talk, 0)).collect());
    let rounds = AtomicU64::new(1);
    let flag = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = || {
            let mut queries = 0_u64;
            while !flag.load(Ordering::Acquire) || queries < 100 {
                let talk = u32::try_from(queries % u64::from(TALKS)).unwrap();
                let least = rounds.load(Ordering::Acquire);
                let (state, _) = index.load::<Talk>(&talk).unwrap().unwrap();
                let words = u64::try_from(state.words.len()).unwrap();
                assert!(words >= least, "{words} words of at least {least}");
                assert_eq!(
                    state.words.last().unwrap(),
                    &format!("{talk} {}", words - 1)
                );
                let number = usize::try_from(least - 1).unwrap();
                assert!(index.find(said(talk, number)).unwrap().is_some());
                let all = KeyRange::all();
                let rows = index.scan(tables::ACTIVITY, &all, ScanOrder::Ascending, 1_000);
                assert_eq!(rows.unwrap().len(), usize::try_from(TALKS).unwrap());
                queries += 1;
            }
        };
        let readers = [scope.spawn(reader), scope.spawn(reader)];
        for round in 1..200 {
            // A batch moves each row of the list: none may be seen twice or not at all.
            world.post(&index, (0..TALKS).map(|talk| word(talk, round)).collect());
            rounds.store(round + 1, Ordering::Release);
            if round % 50 == 0 {
                index.checkpoint_now().unwrap();
            }
        }
        flag.store(true, Ordering::Release);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    assert!(index.stats().checkpoints >= 4);
    index.close().unwrap();
    assert_eq!(index.stats().pending_records, 0);
    let rows = index.scan(tables::ACTIVITY, &KeyRange::all(), ScanOrder::Ascending, 1);
    assert_eq!(rows, Err(ReadError::Closed));
    world.check(&world.open().unwrap().0);
    assert_eq!(*world.troubles.lock().unwrap(), []);
}

/// A checkpoint takes its time until a waiter hurries it or half of the next one has arrived.
#[test]
fn a_checkpoint_runs_slowly_until_a_writer_needs_it() {
    let mut world = World::new(600);
    world.checkpoints = Checkpoints::InBackground;
    let index = world.open().unwrap().0;
    let core = &index.shared.core;
    assert!(core.is_at_leisure());
    core.hurry();
    core.hurry();
    core.relax();
    assert!(!core.is_at_leisure());
    core.relax();
    assert!(core.is_at_leisure());
    index.checkpoint_now().unwrap();
    assert!(core.is_at_leisure());
    // Of streams that were not there: each counts as several records.
    while core.pending() < 300 {
        assert!(core.is_at_leisure());
        let talk = u32::try_from(core.pending()).unwrap();
        world.post(&index, vec![word(talk, 0)]);
    }
    assert!(!core.is_at_leisure());
    index.close().unwrap();
    assert!(!core.is_at_leisure());
}

struct Heard {
    index: Index,
    upto: AtomicU64,
}

/// Something was said.
#[derive(Debug, PartialEq)]
struct Spoken;

impl Listener<Spoken> for Heard {
    fn committed(&self, notices: &[Spoken]) {
        assert_eq!(notices, [Spoken]);
        // What the notices speak of is found already.
        let upto = self.index.indexed_upto();
        let number = usize::try_from(upto.0 - 1).unwrap();
        assert!(self.index.find(said(0, number)).unwrap().is_some());
        self.upto.store(upto.0, Ordering::Release);
    }
}

#[test]
fn listeners_see_indexed_records_before_waiters_wake() {
    let mut world = World::new(1_000);
    let index = world.open().unwrap().0;
    let listener = Arc::new(Heard {
        index: index.clone(),
        upto: AtomicU64::new(0),
    });
    let sink = Indexing::new(index.clone());
    sink.listen(Arc::<Heard>::clone(&listener));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    thread::scope(|threads| {
        let waiting = threads.spawn(|| {
            runtime.block_on(index.indexed(Seq(3)));
            assert!(index.indexed_upto() >= Seq(3));
        });
        for at in 0..3 {
            let notices = vec![Spoken];
            let record = world.store(vec![word(0, at)]);
            let records = record.records;
            sink.committed(Batch { records, notices });
            assert_eq!(listener.upto.load(Ordering::Acquire), at + 1);
        }
        waiting.join().unwrap();
    });
    runtime.block_on(index.indexed(Seq(2)));
}

/// A stream that begins while it is read is there or not there yet.
#[test]
fn a_stream_that_begins_during_a_read_is_whole_or_absent() {
    let mut world = World::new(1_000_000);
    let index = world.open().unwrap().0;
    let starts = AtomicU64::new(0);
    const STREAMS: u32 = 3_000;
    thread::scope(|scope| {
        let reader = || {
            // Always the one that is about to begin.
            while starts.load(Ordering::Acquire) < u64::from(STREAMS) {
                let next = u32::try_from(starts.load(Ordering::Acquire)).unwrap();
                if let Some((state, _)) = index.load::<Talk>(&next).unwrap() {
                    assert_eq!(state.words, [format!("{next} 0")]);
                }
            }
        };
        let readers = [scope.spawn(reader), scope.spawn(reader)];
        for talk in 0..STREAMS {
            world.post(&index, vec![word(talk, 0)]);
            starts.store(u64::from(talk) + 1, Ordering::Release);
        }
        for reader in readers {
            reader.join().unwrap();
        }
    });
}

/// A rebuild writes its checkpoints on a thread of their own, and finds what one without that thread finds.
#[test]
fn a_replay_goes_on_while_checkpoints_are_written() {
    let mut world = World::new(40);
    let all = happenings(&mut Dice(7), 3_000, 60);
    drop(world.store(all));
    world.checkpoints = Checkpoints::InBackground;
    let (index, report) = world.open().unwrap();
    assert_eq!(report.replayed, 3_000);
    // How many there are depends on how fast the disk is.
    assert!(index.stats().checkpoints >= 1);
    world.check(&index);
    index.close().unwrap();
    drop(index);
    let (index, report) = world.open().unwrap();
    assert_eq!(report.replayed, 0);
    world.check(&index);
    assert_eq!(*world.troubles.lock().unwrap(), []);
}

/// A checkpoint that fails during a replay fails the opening, as one of the replay itself does.
#[test]
fn a_failed_checkpoint_ends_the_replay() {
    let mut world = World::new(40);
    let all = happenings(&mut Dice(8), 3_000, 60);
    drop(world.store(all));
    world.checkpoints = Checkpoints::InBackground;
    world.fail_at(20, true);
    assert!(world.open().is_err());
}

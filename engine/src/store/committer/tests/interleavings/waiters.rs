//! The waiters alone: the journal moves on while tasks begin to wait, are polled again, and give up.

use std::sync::atomic::AtomicU64 as Counter;

use super::*;
use crate::store::committer::waiters::once_decided;

const OLD: Epoch = Epoch(0);
const NEW: Epoch = Epoch(1);

fn waiters() -> Arc<Waiters> {
    Arc::new(Waiters::new(Seq(0)))
}

/// Waits on a thread of its own.
fn waiter(waiters: &Arc<Waiters>, seq: u64) -> thread::JoinHandle<Result<(), NotStoredError>> {
    let waiters = Arc::clone(waiters);
    thread::spawn(move || block_on(Durable::new(&waiters, Seq(seq), OLD)))
}

/// Begins to wait, and gives up.
fn give_up(waiters: &Arc<Waiters>, seq: u64) -> Option<Result<(), NotStoredError>> {
    Durable::new(waiters, Seq(seq), OLD).now_or_never()
}

/// It may come before the wait, within it, or after it was given up.
#[test]
fn a_wake_up_reaches_the_waiters_that_stay() {
    explore(|| {
        let waiters = waiters();
        let stays = waiter(&waiters, 1);
        let leaves = {
            let waiters = Arc::clone(&waiters);
            thread::spawn(move || give_up(&waiters, 1))
        };
        waiters.advance(Seq(1));
        waiters.wake();
        assert_eq!(stays.join().unwrap(), Ok(()));
        assert!(matches!(leaves.join().unwrap(), None | Some(Ok(()))));
        assert_eq!(waiters.waiting_in_common(), 0, "who has left is forgotten");
    });
}

#[test]
fn a_waiter_that_gives_up_takes_no_wake_up_of_another() {
    explore(|| {
        let waiters = waiters();
        let stays = waiter(&waiters, 2);
        let mover = {
            let waiters = Arc::clone(&waiters);
            thread::spawn(move || {
                for seq in [1, 2] {
                    waiters.advance(Seq(seq));
                    waiters.wake();
                }
            })
        };
        give_up(&waiters, 1);
        give_up(&waiters, 2);
        mover.join().unwrap();
        assert_eq!(stays.join().unwrap(), Ok(()));
        assert_eq!(waiters.waiting_in_common(), 0);
    });
}

/// The task was polled with another waker before, as when it moves to another list of futures.
#[test]
fn a_wake_up_goes_to_the_newest_waker() {
    explore(|| {
        let waiters = waiters();
        let moves = {
            let waiters = Arc::clone(&waiters);
            thread::spawn(move || {
                let mut durability = Durable::new(&waiters, Seq(1), OLD);
                match (&mut durability).now_or_never() {
                    Some(outcome) => outcome,
                    None => block_on(durability),
                }
            })
        };
        waiters.advance(Seq(1));
        waiters.wake();
        assert_eq!(moves.join().unwrap(), Ok(()));
    });
}

/// Record 1 was stored before its epoch failed, record 2 was not; its number is used again.
#[test]
fn a_lost_record_is_not_taken_for_its_successor() {
    explore(|| {
        let waiters = waiters();
        let [stored, lost] = [1, 2].map(|seq| waiter(&waiters, seq));
        waiters.advance(Seq(1));
        waiters.wake();
        waiters.rewind(NEW);
        waiters.wake();
        waiters.advance(Seq(2));
        waiters.wake();
        assert_eq!(stored.join().unwrap(), Ok(()));
        assert_eq!(lost.join().unwrap(), Err(NotStoredError));
        assert_eq!(waiters.outcome(Seq(2), NEW), Some(Ok(())));
    });
}

#[test]
fn the_end_wakes_all_and_loses_no_stored_record() {
    explore(|| {
        let waiters = waiters();
        let [stored, lost] = [1, 2].map(|seq| waiter(&waiters, seq));
        waiters.advance(Seq(1));
        waiters.end();
        waiters.wake();
        assert_eq!(stored.join().unwrap(), Ok(()));
        assert_eq!(lost.join().unwrap(), Err(NotStoredError));
    });
}

#[test]
fn a_continuation_runs_once() {
    explore(|| {
        let waiters = waiters();
        let runs = Arc::new(Counter::new(0));
        let asker = {
            let (waiters, runs) = (Arc::clone(&waiters), Arc::clone(&runs));
            thread::spawn(move || {
                let here = ThreadHandle::new(&waiters);
                let run = move || _ = runs.fetch_add(1, Ordering::Relaxed);
                once_decided(&waiters, Seq(1), OLD, &here, Box::new(run));
            })
        };
        waiters.advance(Seq(1));
        waiters.wake();
        asker.join().unwrap();
        assert_eq!(runs.load(Ordering::Relaxed), 1);
    });
}

/// The checker finds a committer that wakes its waiters too early.
#[test]
fn a_wake_up_before_the_record_is_stored_is_found() {
    finds("deadlock", || {
        let waiters = waiters();
        let waiter = waiter(&waiters, 1);
        waiters.wake();
        waiters.advance(Seq(1));
        waiter.join().unwrap().unwrap();
    });
}

/// The checker finds an end that is announced before the last batch.
#[test]
fn an_end_before_the_last_batch_is_found() {
    finds("a stored record is lost", || {
        let waiters = waiters();
        let waiter = waiter(&waiters, 1);
        waiters.end();
        waiters.advance(Seq(1));
        waiters.wake();
        assert!(waiter.join().unwrap().is_ok(), "a stored record is lost");
    });
}

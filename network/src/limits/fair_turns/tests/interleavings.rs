//! Turns in every interleaving of a few threads. Only in a build with `--cfg interleavings`: see
//! docs/decisions/interleavings.md.

use std::sync::atomic::AtomicUsize;

use futures_util::FutureExt as _;
use loom::future::block_on;
use loom::thread;

use super::super::*;
use crate::sync::explore::{explore, finds};

/// Turns, and how many are at work now.
#[derive(Clone)]
struct Counted {
    turns: Arc<FairTurns<u8>>,
    at_work: Arc<AtomicUsize>,
}

impl Counted {
    fn new(at_once: usize, share: usize) -> Self {
        let limits = TurnLimits {
            at_once,
            waiting: 4,
            share,
        };
        Self {
            turns: Arc::new(FairTurns::new("turns of a test", limits)),
            at_work: Arc::default(),
        }
    }

    /// Works in a turn; false when the wait was given up.
    fn work(&self, holder: u8) -> bool {
        let Ok(turn) = block_on(self.turns.turn(holder)) else {
            return false;
        };
        let others = self.at_work.fetch_add(1, Ordering::Relaxed);
        assert!(others < self.turns.limits.at_once, "too many work at once");
        assert!(self.turns.count() > 0);
        self.at_work.fetch_sub(1, Ordering::Relaxed);
        drop(turn);
        true
    }

    /// Works on a thread of its own.
    fn worker(&self, holder: u8) -> thread::JoinHandle<bool> {
        let pool = self.clone();
        thread::spawn(move || pool.work(holder))
    }

    /// No holder works or waits any more.
    fn is_idle(&self) -> bool {
        let queues = self.turns.lock();
        (queues.at_work, queues.waiting) == (0, 0)
            && queues.holders.is_empty()
            && queues.order.is_empty()
    }
}

#[test]
fn each_gets_a_turn_and_never_too_many_at_once() {
    for at_once in [1, 2] {
        explore(move || {
            let pool = Counted::new(at_once, 4);
            let workers = [1, 2].map(|holder| pool.worker(holder));
            assert!(pool.work(1));
            assert!(workers.into_iter().all(|worker| worker.join().unwrap()));
            assert!(pool.is_idle());
        });
    }
}

/// It leaves before its turn, as it is sent, or with a turn that it has never seen.
#[test]
fn the_turn_of_one_who_leaves_goes_to_the_next() {
    explore(|| {
        let pool = Counted::new(1, 4);
        let worker = pool.worker(1);
        let leaver = {
            let turns = Arc::clone(&pool.turns);
            thread::spawn(move || drop(turns.turn(2).now_or_never()))
        };
        assert!(pool.work(3));
        assert!(worker.join().unwrap());
        leaver.join().unwrap();
        assert!(pool.is_idle());
    });
}

#[test]
fn a_full_share_gives_up_the_oldest_wait_and_no_turn() {
    explore(|| {
        let pool = Counted::new(1, 1);
        let workers = [1, 1].map(|holder| pool.worker(holder));
        let own = pool.work(1);
        let others = workers.map(|worker| worker.join().unwrap());
        let refusals = [own, others[0], others[1]].into_iter().filter(|it| !it);
        assert_eq!(
            u64::try_from(refusals.count()),
            Ok(pool.turns.given_up()),
            "who is given up hears of it, and no other"
        );
        assert!(pool.is_idle());
    });
}

/// The checker finds a turn that is not passed on.
#[test]
fn a_turn_that_is_never_over_is_found() {
    finds("deadlock", || {
        let pool = Counted::new(1, 4);
        let forgetful = {
            let turns = Arc::clone(&pool.turns);
            thread::spawn(move || std::mem::forget(block_on(turns.turn(1))))
        };
        pool.work(2);
        forgetful.join().unwrap();
    });
}

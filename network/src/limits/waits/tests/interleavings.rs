//! Waits in every interleaving of a few threads. Only in a build with `--cfg interleavings`: see
//! docs/decisions/interleavings.md.

use std::future::poll_fn;
use std::task::Poll;

use loom::future::block_on;
use loom::thread;

use super::super::*;
use crate::sync::explore::explore;

/// A pool with one place, which is taken.
fn full() -> (Arc<Waits<u8>>, WaitPlace<u8>) {
    let pool = Arc::new(Waits::new("waits of a test", 1, 1));
    let place = pool.enter(1);
    (pool, place)
}

/// It is polled before, while or after it makes room.
#[test]
fn a_wait_that_makes_room_is_woken() {
    explore(|| {
        let (pool, place) = full();
        let waiter = thread::spawn(move || {
            block_on(poll_fn(|context| {
                if place.is_given_up(context) {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            }));
        });
        let newcomer = pool.enter(2);
        waiter.join().unwrap();
        assert_eq!((pool.count(), pool.given_up()), (1, 1));
        drop(newcomer);
        assert_eq!(pool.count(), 0);
    });
}

/// The place of one who leaves while newcomers need room is counted once.
#[test]
fn the_pool_never_has_more_waits_than_places() {
    explore(|| {
        let (pool, place) = full();
        let leaver = thread::spawn(move || drop(place));
        let newcomer = {
            let pool = Arc::clone(&pool);
            thread::spawn(move || {
                let place = pool.enter(2);
                assert!(pool.count() <= 1);
                drop(place);
            })
        };
        let own = pool.enter(3);
        assert!(pool.count() <= 1);
        leaver.join().unwrap();
        newcomer.join().unwrap();
        drop(own);
        assert_eq!(pool.count(), 0);
    });
}

//! Connections in every interleaving of a few threads. Only in a build with `--cfg interleavings`: see
//! docs/decisions/interleavings.md.

use std::future::poll_fn;
use std::task::Poll;

use loom::future::block_on;
use loom::thread;

use super::super::*;
use super::open;
use crate::sync::explore::explore;

/// A socket with one place, which is taken.
fn full() -> (Arc<Connections>, Seat) {
    let connections = Arc::new(Connections::new(ConnectionLimits {
        size: 1,
        share: 4,
        proxies: Vec::new(),
    }));
    let seat = open(&connections, "192.0.2.1");
    (connections, seat)
}

/// Its task hands its waker over once, before, while or after the connection makes room.
#[test]
fn a_connection_that_makes_room_is_woken() {
    explore(|| {
        let (connections, seat) = full();
        let task = thread::spawn(move || {
            let mut waker = SeatWaker::default();
            block_on(poll_fn(|context| {
                if waker.is_given_up(&seat, context) {
                    Poll::Ready(())
                } else {
                    Poll::Pending
                }
            }));
        });
        let newcomer = open(&connections, "192.0.2.2");
        task.join().unwrap();
        assert_eq!(
            (connections.counts(), connections.events()),
            ((1, 1), (1, 0))
        );
        drop(newcomer);
        assert_eq!(connections.counts(), (0, 0));
    });
}

/// Its first head is there while another one needs its place: it makes room or works, and is counted right.
#[test]
fn a_head_that_comes_as_room_is_made_is_counted_once() {
    explore(|| {
        let (connections, seat) = full();
        let client = thread::spawn(move || {
            seat.begin();
            seat.is_given_up()
        });
        let newcomer = open(&connections, "192.0.2.2");
        let is_given_up = client.join().unwrap();
        assert!(!is_given_up || connections.events().0 == 1);
        assert_eq!(connections.counts(), (1, 1), "only the newcomer is there");
        drop(newcomer);
        assert_eq!(connections.counts(), (0, 0));
        assert!(connections.lock().addresses.is_empty());
    });
}

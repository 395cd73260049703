//! Runs the committer on its own thread or on the submitter's. Either way a panic in it ends the journal.

use std::io;
use std::thread::{self, JoinHandle};

use crate::store::Notice;
use crate::store::committer::commit::{Committer, Next};
use crate::store::committer::outcome::FatalError;

/// Starts the committer's thread. It ends when the journal is closed or has failed.
pub(super) fn start<N: Notice>(committer: Committer<N>) -> io::Result<JoinHandle<()>> {
    thread::Builder::new()
        .name("journal".to_owned())
        .spawn(move || {
            let mut committer = committer;
            let guard = Guard {
                committer: &mut committer,
            };
            while guard.committer.wait_and_turn() == Next::Turn {}
        })
}

/// Lets the calling thread do one turn.
pub(super) fn turn<N: Notice>(committer: &mut Committer<N>) {
    let guard = Guard { committer };
    guard.committer.turn();
}

/// Lets the calling thread do one turn, or what is due when there is nothing to do.
pub(super) fn step<N: Notice>(committer: &mut Committer<N>) -> bool {
    let guard = Guard { committer };
    guard.committer.step()
}

/// Waits for the thread to end.
pub(super) fn join(handle: JoinHandle<()>) {
    // The last clone of the journal may go in the sink, on the committer's own thread, which must not wait
    // for itself. It ends without that.
    if handle.thread().id() == thread::current().id() {
        return;
    }
    if handle.join().is_err() {
        tracing::error!("journal thread panicked");
    }
}

/// Ends the journal when its committer panics: waiters must not wait for ever.
struct Guard<'a, N: Notice> {
    committer: &'a mut Committer<N>,
}

impl<N: Notice> Drop for Guard<'_, N> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.committer.die(&FatalError::Panicked);
        }
    }
}

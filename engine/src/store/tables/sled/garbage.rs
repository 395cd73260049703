//! Frees what sled has replaced and no thread can read any more, since sled leaves that to chance.
//!
//! Every change makes a new copy of its page. The old one is left to crossbeam-epoch, which frees it when no thread
//! can still be reading it, but only when it is asked: for 512 objects with each 128th pin of a thread, and with each
//! buffer that sled writes. A batch is one pin and a few buffers, and leaves about three objects for each of its 512
//! rows. So the number of old pages would grow with every write, as long as the process lives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The limit of requests of a batch. Each time up to 512 things are freed, so this makes up for ten batches and more that
/// could free nothing.
const ATTEMPTS_MAX: u32 = 64;

/// Frees what this thread has replaced so far. Nothing can be freed while another thread is pinned; the call does not
/// wait for that, since the next batch tries again.
pub(super) fn free() {
    // Things are freed in the order in which they were left: with the mark, all that was there before it is gone.
    let mark = Arc::new(AtomicBool::new(false));
    let reached = Arc::clone(&mark);
    crossbeam_epoch::pin().defer(move || reached.store(true, Ordering::Release));
    for _ in 0..ATTEMPTS_MAX {
        if mark.load(Ordering::Acquire) {
            return;
        }
        crossbeam_epoch::pin().flush();
    }
}

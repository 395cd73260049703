//! Taking a lock whose former owner may have panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The guarded value. A panic while it was held is not passed on: all critical sections of the store change
/// their value in one step or are followed by the end of the journal (see `committer::thread`).
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

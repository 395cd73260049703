//! What waits for its reader, in a bounded queue.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Things that wait for one reader, oldest first.
#[derive(Debug)]
pub struct Waiting<T> {
    most: usize,
    waiting: Mutex<VecDeque<T>>,
    woken: Notify,
}

impl<T> Waiting<T> {
    /// No more than so many wait at a time.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            waiting: Mutex::default(),
            woken: Notify::new(),
        }
    }

    /// Adds one; false when there is no room for it.
    pub fn add(&self, new: T) -> bool {
        let mut waiting = self.lock();
        let has_room = waiting.len() < self.most;
        if has_room {
            waiting.push_back(new);
            self.woken.notify_one();
        }
        has_room
    }

    /// Takes the oldest one.
    pub fn take(&self) -> Option<T> {
        self.lock().pop_front()
    }

    /// Waits until one is added.
    pub async fn added(&self) {
        self.woken.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_wait_than_there_is_room_for() {
        let waiting = Waiting::new(3);
        assert!((0..3).all(|number| waiting.add(number)));
        assert!(!waiting.add(3));
        assert_eq!(waiting.take(), Some(0), "the oldest is first");
        assert!(waiting.add(4));
        let rest: Vec<_> = std::iter::from_fn(|| waiting.take()).collect();
        assert_eq!(rest, [1, 2, 4]);
    }
}

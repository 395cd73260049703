//! A bounded queue with one reader.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// A bounded queue with one reader, oldest first.
#[derive(Debug)]
pub struct BoundedQueue<T> {
    most: usize,
    waiting: Mutex<VecDeque<T>>,
    woken: Notify,
}

impl<T> BoundedQueue<T> {
    /// An empty queue for at most so many.
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
        let queue = BoundedQueue::new(3);
        assert!((0..3).all(|number| queue.add(number)));
        assert!(!queue.add(3));
        assert_eq!(queue.take(), Some(0), "the oldest is first");
        assert!(queue.add(4));
        let rest: Vec<_> = std::iter::from_fn(|| queue.take()).collect();
        assert_eq!(rest, [1, 2, 4]);
    }
}

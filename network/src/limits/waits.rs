//! Waits for what clients send, as many as a pool has room for. When it is full the slowest wait is given up, never the
//! newcomer: a client that sends nothing cannot keep others out.

mod slowest;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::task::Context;

use tokio::time::Instant;

use self::slowest::{slowest, slowest_of_the_most};
use crate::limits::log_interval::LogInterval;
use crate::sync::{AtomicBool, AtomicWaker, Mutex, MutexGuard};

/// A pool of waits, shared by holders such as network addresses.
#[derive(Debug)]
pub struct Waits<K> {
    /// The name of the waits in the log.
    what: &'static str,
    size: usize,
    /// The largest number of waits of one holder.
    share: usize,
    table: Mutex<Table<K>>,
    given_up: AtomicU64,
    full: LogInterval,
}

#[derive(Debug)]
struct Table<K> {
    next: u64,
    count: usize,
    holders: BTreeMap<K, Held>,
}

/// The waits of one holder, by number.
type Held = BTreeMap<u64, Arc<Wait>>;

#[derive(Debug)]
struct Wait {
    since: Instant,
    /// The bytes that have come.
    progress: AtomicUsize,
    is_given_up: AtomicBool,
    waker: AtomicWaker,
}

/// A wait, until it is dropped.
#[derive(Debug)]
pub struct WaitPlace<K: Ord + Clone> {
    pool: Arc<Waits<K>>,
    holder: K,
    number: u64,
    wait: Arc<Wait>,
}

impl<K: Ord + Clone> Waits<K> {
    pub fn new(what: &'static str, size: usize, share: usize) -> Self {
        Self {
            what,
            size: size.max(1),
            share: share.max(1),
            table: Mutex::new(Table {
                next: 0,
                count: 0,
                holders: BTreeMap::new(),
            }),
            given_up: AtomicU64::new(0),
            full: LogInterval::default(),
        }
    }

    /// Begins a wait. The holder's slowest wait makes room when its share is full, and the slowest of the holder that has the
    /// most when the pool is.
    pub fn enter(self: &Arc<Self>, holder: K) -> WaitPlace<K> {
        let wait = Arc::new(Wait {
            since: Instant::now(),
            progress: AtomicUsize::new(0),
            is_given_up: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        });
        let mut table = self.lock();
        let own = table.holders.get(&holder);
        let victim = if let Some(own) = own.filter(|own| own.len() >= self.share) {
            slowest(own, wait.since).map(|slow| (holder.clone(), slow.number))
        } else if table.count >= self.size {
            slowest_of_the_most(&table.holders, wait.since)
        } else {
            None
        };
        let victim_wait = victim.and_then(|(holder, number)| table.remove(&holder, number));
        let number = table.next;
        table.next = number.wrapping_add(1);
        table.count = table.count.saturating_add(1);
        let waits = table.holders.entry(holder.clone()).or_default();
        waits.insert(number, Arc::clone(&wait));
        drop(table);
        if let Some(victim_wait) = victim_wait {
            self.give_up(&victim_wait);
        }
        WaitPlace {
            pool: Arc::clone(self),
            holder,
            number,
            wait,
        }
    }

    fn give_up(&self, wait: &Wait) {
        wait.is_given_up.store(true, Ordering::Release);
        wait.waker.wake();
        self.given_up.fetch_add(1, Ordering::Relaxed);
        if let Some(count) = self.full.event() {
            tracing::warn!(
                count,
                "too many {}: the slowest of them were given up, in favour of new ones",
                self.what
            );
        }
    }

    /// The number of waits.
    pub fn count(&self) -> usize {
        self.lock().count
    }

    /// The number of waits that were given up.
    pub fn given_up(&self) -> u64 {
        self.given_up.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Table<K>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Ord> Table<K> {
    fn remove(&mut self, holder: &K, number: u64) -> Option<Arc<Wait>> {
        let waits = self.holders.get_mut(holder)?;
        let wait = waits.remove(&number)?;
        if waits.is_empty() {
            self.holders.remove(holder);
        }
        self.count = self.count.saturating_sub(1);
        Some(wait)
    }
}

impl<K: Ord + Clone> WaitPlace<K> {
    /// Notes how many bytes have come in all.
    pub fn progress(&self, bytes: usize) {
        self.wait.progress.store(bytes, Ordering::Relaxed);
    }

    /// Returns whether the wait was given up. The task is woken when that happens later.
    pub fn is_given_up(&self, context: &Context<'_>) -> bool {
        self.wait.waker.register(context.waker());
        self.wait.is_given_up.load(Ordering::Acquire)
    }
}

impl<K: Ord + Clone> Drop for WaitPlace<K> {
    fn drop(&mut self) {
        let wait = self.pool.lock().remove(&self.holder, self.number);
        drop(wait);
    }
}

#[cfg(test)]
mod tests;

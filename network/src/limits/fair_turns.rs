//! Turns at work that takes a while: a few at once, and holders take turns, so that the many of one wait for each other and
//! not the few of others for them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use crate::limits::log_interval::LogInterval;
use crate::sync::{Mutex, MutexGuard, oneshot};

/// The limits of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLimits {
    /// At work at once.
    pub at_once: usize,
    /// Waiting for their turn.
    pub waiting: usize,
    /// Of them, those of one holder.
    pub share: usize,
}

/// Gives turns, to holders such as network addresses.
pub struct FairTurns<K: Ord + Clone> {
    /// The name of the work in the log.
    what: &'static str,
    limits: TurnLimits,
    queues: Mutex<Queues<K>>,
    given_up: AtomicU64,
    full: LogInterval,
}

struct Queues<K: Ord + Clone> {
    at_work: usize,
    waiting: usize,
    holders: BTreeMap<K, VecDeque<Waiter<K>>>,
    /// The number of the next one who waits.
    next: u64,
    /// The holders that wait, the one whose turn is next in front.
    order: VecDeque<K>,
}

/// One who waits. Numbers grow.
struct Waiter<K: Ord + Clone> {
    number: u64,
    sender: oneshot::Sender<Turn<K>>,
}

/// A turn, until it is dropped.
pub struct Turn<K: Ord + Clone> {
    turns: Arc<FairTurns<K>>,
    is_over: bool,
}

/// The wait was given up in favour of others: too many of this holder wait, or altogether.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnError;

impl<K: Ord + Clone> FairTurns<K> {
    pub fn new(what: &'static str, limits: TurnLimits) -> Self {
        Self {
            what,
            limits,
            queues: Mutex::new(Queues {
                at_work: 0,
                waiting: 0,
                holders: BTreeMap::new(),
                next: 0,
                order: VecDeque::new(),
            }),
            given_up: AtomicU64::new(0),
            full: LogInterval::default(),
        }
    }

    /// Waits for a turn.
    ///
    /// # Errors
    /// When the wait is given up: the holder's oldest wait makes room when its share is full, and the oldest of the holder
    /// that has the most when all places are taken.
    pub async fn turn(self: &Arc<Self>, holder: K) -> Result<Turn<K>, TurnError> {
        let (sender, turn) = oneshot::channel();
        let has_victim = self.lock().join(holder, sender, self.limits);
        if has_victim {
            self.given_up.fetch_add(1, Ordering::Relaxed);
            if let Some(count) = self.full.event() {
                tracing::warn!(
                    count,
                    "too many {}: those who waited longest, of the address that had the most, were given up",
                    self.what
                );
            }
        }
        self.grant();
        turn.await.map_err(|_dropped| TurnError)
    }

    /// Gives free turns to those who wait.
    fn grant(self: &Arc<Self>) {
        loop {
            let next = self.lock().next(self.limits.at_once);
            let Some(next) = next else { return };
            let turn = Turn {
                turns: Arc::clone(self),
                is_over: false,
            };
            if let Err(mut turn) = next.send(turn) {
                // Who had waited is gone, and the next one is seen to here.
                turn.is_over = true;
                self.lock().end();
            }
        }
    }

    /// The number of those who work or wait.
    pub fn count(&self) -> usize {
        let queues = self.lock();
        queues.at_work.saturating_add(queues.waiting)
    }

    /// The number of waits that were given up.
    pub fn given_up(&self) -> u64 {
        self.given_up.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Queues<K>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Ord + Clone> Queues<K> {
    /// Adds one who waits. Returns whether another one made room.
    fn join(&mut self, holder: K, sender: oneshot::Sender<Turn<K>>, limits: TurnLimits) -> bool {
        self.forget_gone(&holder);
        let own = self.holders.get(&holder).map_or(0, VecDeque::len);
        let victim = if own >= limits.share.max(1) {
            Some(holder.clone())
        } else if self.waiting >= limits.waiting.max(1) {
            let oldest = |queue: &VecDeque<Waiter<K>>| queue.front().map(|first| first.number);
            let queues = self.holders.iter();
            // Of those with as many, the one goes that has waited longest.
            let most = queues.max_by_key(|(_, queue)| (queue.len(), Reverse(oldest(queue))));
            most.map(|(holder, _)| holder.clone())
        } else {
            None
        };
        // The one who waits sees that its sender is dropped.
        let victim_turn = victim.and_then(|victim| self.pop(&victim));
        if !self.holders.contains_key(&holder) {
            self.order.push_back(holder.clone());
        }
        let number = self.next;
        self.next = number.wrapping_add(1);
        let queue = self.holders.entry(holder).or_default();
        queue.push_back(Waiter { number, sender });
        self.waiting = self.waiting.saturating_add(1);
        victim_turn.is_some()
    }

    /// Forgets those of a holder whose clients have left.
    fn forget_gone(&mut self, holder: &K) {
        if let Some(queue) = self.holders.get_mut(holder) {
            let before = queue.len();
            queue.retain(|waiter| !waiter.sender.is_closed());
            let count = before.saturating_sub(queue.len());
            self.waiting = self.waiting.saturating_sub(count);
            self.tidy(holder);
        }
    }

    /// Takes the first one of a holder out.
    fn pop(&mut self, holder: &K) -> Option<oneshot::Sender<Turn<K>>> {
        let first = self.holders.get_mut(holder)?.pop_front()?;
        self.waiting = self.waiting.saturating_sub(1);
        self.tidy(holder);
        Some(first.sender)
    }

    fn tidy(&mut self, holder: &K) {
        if self.holders.get(holder).is_some_and(VecDeque::is_empty) {
            self.holders.remove(holder);
            self.order.retain(|known| known != holder);
        }
    }

    /// Takes the one out whose turn it is, if another one may work.
    fn next(&mut self, at_once: usize) -> Option<oneshot::Sender<Turn<K>>> {
        if self.at_work >= at_once.max(1) {
            return None;
        }
        let holder = self.order.pop_front()?;
        // The holder's next one waits behind all other holders.
        self.order.push_back(holder.clone());
        let next = self.pop(&holder)?;
        self.at_work = self.at_work.saturating_add(1);
        Some(next)
    }

    fn end(&mut self) {
        self.at_work = self.at_work.saturating_sub(1);
    }
}

impl<K: Ord + Clone> Drop for Turn<K> {
    fn drop(&mut self) {
        if !self.is_over {
            self.turns.lock().end();
            self.turns.grant();
        }
    }
}

impl<K: Ord + Clone> fmt::Debug for Turn<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").finish_non_exhaustive()
    }
}

impl<K: Ord + Clone> fmt::Debug for FairTurns<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FairTurns")
            .field("what", &self.what)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

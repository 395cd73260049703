//! The order of attempts: round robin over endpoints, within an endpoint over shares, within a share over queues.
//!
//! The slots are shared by all. What is slow — endpoints that answer slowly, probes, replays — never gets more
//! than a part of them, so that a few hanging receivers cannot take the slots of all others.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};

use crate::routing::Routing;

/// The share of the slots that an attempt uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotClass {
    /// Any slot.
    Fast,
    /// Only the share for what is slow.
    Slow,
}

/// The number of attempts in flight, and its limit.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    total: usize,
    slow: usize,
    taken: usize,
    taken_slow: usize,
}

impl Slots {
    pub(super) fn new(total: usize, slow: usize) -> Self {
        Self {
            total,
            slow: slow.min(total),
            taken: 0,
            taken_slow: 0,
        }
    }

    pub(super) fn free(&self, class: SlotClass) -> bool {
        let any = self.taken < self.total;
        match class {
            SlotClass::Fast => any,
            SlotClass::Slow => any && self.taken_slow < self.slow,
        }
    }

    pub(super) fn take(&mut self, class: SlotClass) {
        self.taken += 1;
        self.taken_slow += usize::from(class == SlotClass::Slow);
        debug_assert!(self.taken <= self.total && self.taken_slow <= self.slow);
    }

    pub(super) fn release(&mut self, class: SlotClass) {
        self.taken = self.taken.saturating_sub(1);
        let slow = usize::from(class == SlotClass::Slow);
        self.taken_slow = self.taken_slow.saturating_sub(slow);
    }

    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    pub(super) fn taken_slow(&self) -> usize {
        self.taken_slow
    }
}

/// The endpoints that have something to send, by the share they may use now, and whose turn it was last.
#[derive(Clone, Debug)]
pub(super) struct Turns<E> {
    fast: BTreeSet<E>,
    slow: BTreeSet<E>,
    last: Option<E>,
}

/// The attempts that an endpoint could begin now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) fast: bool,
    pub(super) slow: bool,
}

impl<E> Default for Turns<E> {
    fn default() -> Self {
        Self {
            fast: BTreeSet::new(),
            slow: BTreeSet::new(),
            last: None,
        }
    }
}

impl<E: Clone + Ord> Turns<E> {
    /// Notes what the endpoint could send now.
    pub(super) fn set(&mut self, id: &E, offer: Offer) {
        for (set, wanted) in [(&mut self.fast, offer.fast), (&mut self.slow, offer.slow)] {
            if !wanted {
                set.remove(id);
            } else if !set.contains(id) {
                set.insert(id.clone());
            }
        }
    }

    /// The endpoint whose turn it is, and the share it is to use; none when no endpoint can send.
    pub(super) fn next(&mut self, slots: &Slots) -> Option<(E, SlotClass)> {
        let fast = slots.free(SlotClass::Fast).then_some(&self.fast);
        let slow = slots.free(SlotClass::Slow).then_some(&self.slow);
        let fast = fast.and_then(|set| after(set, self.last.as_ref()));
        let slow = slow.and_then(|set| after(set, self.last.as_ref()));
        let fast = fast.map(|(lap, id)| (lap, id, SlotClass::Fast));
        let slow = slow.map(|(lap, id)| (lap, id, SlotClass::Slow));
        let (_, id, class) = fast.into_iter().chain(slow).min()?;
        let id = id.clone();
        self.last = Some(id.clone());
        Some((id, class))
    }
}

/// The first member after `last`, going round; with it, whether the end was passed.
fn after<'a, K: Ord>(set: &'a BTreeSet<K>, last: Option<&K>) -> Option<(bool, &'a K)> {
    let behind = last.and_then(|last| set.range((Excluded(last), Unbounded)).next());
    match behind {
        Some(key) => Some((false, key)),
        None => set.first().map(|key| (last.is_some(), key)),
    }
}

/// The queues of an endpoint that are ready: round robin over shares, then over the queues of the share.
#[derive(Clone, Debug)]
pub(super) struct RoundRobin<R: Routing> {
    shares: BTreeMap<R::Share, Share<R::Key>>,
    last: Option<R::Share>,
}

#[derive(Clone, Debug)]
struct Share<K> {
    queues: BTreeSet<K>,
    last: Option<K>,
}

impl<R: Routing> Default for RoundRobin<R> {
    fn default() -> Self {
        Self {
            shares: BTreeMap::new(),
            last: None,
        }
    }
}

impl<R: Routing> RoundRobin<R> {
    pub(super) fn is_empty(&self) -> bool {
        self.shares.is_empty()
    }

    pub(super) fn insert(&mut self, key: R::Key) {
        let empty = || Share {
            queues: BTreeSet::new(),
            last: None,
        };
        let share = self.shares.entry(R::share(key)).or_insert_with(empty);
        share.queues.insert(key);
    }

    pub(super) fn remove(&mut self, key: R::Key) {
        let name = R::share(key);
        if let Some(share) = self.shares.get_mut(&name) {
            share.queues.remove(&key);
            if share.queues.is_empty() {
                self.shares.remove(&name);
            }
        }
    }

    /// The queue whose turn it is. It stays a member until it is removed.
    pub(super) fn next(&mut self) -> Option<R::Key> {
        let from = self.last.map_or(Unbounded, Excluded);
        let behind = self.shares.range((from, Unbounded)).next();
        let name = *behind.or(self.shares.first_key_value())?.0;
        self.last = Some(name);
        let share = self.shares.get_mut(&name)?;
        let (_, key) = after(&share.queues, share.last.as_ref())?;
        let key = *key;
        share.last = Some(key);
        Some(key)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = R::Key> + '_ {
        let shares = self.shares.values();
        shares.flat_map(|share| share.queues.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::callbacks::{Callbacks, QueueKey};
    use crate::endpoint::EndpointId;
    use switchboard_values::hook_version::HookVersion;
    use switchboard_values::id::{AccountId, ConversationId};

    fn endpoint(name: &str) -> EndpointId {
        EndpointId {
            channel: name.parse().unwrap(),
            version: HookVersion::V2,
        }
    }

    fn queue(account: u8, conversation: u8) -> QueueKey {
        QueueKey {
            account: AccountId::from_bytes([account; 16]),
            conversation: ConversationId::from_bytes([conversation; 16]),
        }
    }

    #[test]
    fn endpoints_get_turns_in_round_robin() {
        let mut turns = Turns::default();
        for name in ["a", "b", "c"] {
            let (fast, slow) = (name != "b", name == "b");
            turns.set(&endpoint(name), Offer { fast, slow });
        }
        let mut slots = Slots::new(8, 2);
        let mut order = String::new();
        while let Some((id, class)) = turns.next(&slots) {
            slots.take(class);
            order.push_str(id.channel.as_str());
        }
        // The slow one has its turn like the others until its share is used up.
        assert_eq!(order, "abcabcac");
    }

    #[test]
    fn a_scope_with_many_conversations_gets_no_extra_turns() {
        let mut ring = RoundRobin::<Callbacks>::default();
        (1..=3).for_each(|n| ring.insert(queue(1, n)));
        ring.insert(queue(2, 9));
        let order: Vec<_> = (0..6).map_while(|_| ring.next()).collect();
        let turns = [(1, 1), (2, 9), (1, 2), (2, 9), (1, 3), (2, 9)];
        assert_eq!(
            order,
            turns.map(|(account, conversation)| queue(account, conversation))
        );
    }

    #[test]
    fn an_emptied_round_robin_gives_no_endpoint() {
        let mut ring = RoundRobin::<Callbacks>::default();
        ring.insert(queue(1, 1));
        ring.remove(queue(1, 1));
        ring.remove(queue(1, 1));
        assert!(ring.is_empty());
        assert_eq!(ring.next(), None);
        assert_eq!(ring.iter().count(), 0);
    }
}

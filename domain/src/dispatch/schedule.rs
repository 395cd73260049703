//! The order of attempts: round robin over endpoints, within an endpoint over scopes, within a scope over queues.
//!
//! The slots are shared by all. What is slow — endpoints that answer slowly, probes, replays — never gets more
//! than a part of them, so that a few hanging receivers cannot take the slots of all others.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};

use crate::dispatch::delivery_queue::QueueKey;
use crate::dispatch::endpoint::id::EndpointId;
use crate::id::{AccountId, ConversationId};

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
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    fast: BTreeSet<EndpointId>,
    slow: BTreeSet<EndpointId>,
    last: Option<EndpointId>,
}

/// The attempts that an endpoint could begin now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) fast: bool,
    pub(super) slow: bool,
}

impl Turns {
    /// Notes what the endpoint could send now.
    pub(super) fn set(&mut self, id: &EndpointId, offer: Offer) {
        for (set, wanted) in [(&mut self.fast, offer.fast), (&mut self.slow, offer.slow)] {
            if !wanted {
                set.remove(id);
            } else if !set.contains(id) {
                set.insert(id.clone());
            }
        }
    }

    /// The endpoint whose turn it is, and the share it is to use; none when no endpoint can send.
    pub(super) fn next(&mut self, slots: &Slots) -> Option<(EndpointId, SlotClass)> {
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

/// The queues of an endpoint that are ready: round robin over scopes, then over the queues of the scope.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundRobin {
    scopes: BTreeMap<AccountId, Scope>,
    last: Option<AccountId>,
}

#[derive(Clone, Debug, Default)]
struct Scope {
    queues: BTreeSet<ConversationId>,
    last: Option<ConversationId>,
}

impl RoundRobin {
    pub(super) fn is_empty(&self) -> bool {
        self.scopes.is_empty()
    }

    pub(super) fn insert(&mut self, key: QueueKey) {
        let scope = self.scopes.entry(key.account).or_default();
        scope.queues.insert(key.conversation);
    }

    pub(super) fn remove(&mut self, key: QueueKey) {
        if let Some(scope) = self.scopes.get_mut(&key.account) {
            scope.queues.remove(&key.conversation);
            if scope.queues.is_empty() {
                self.scopes.remove(&key.account);
            }
        }
    }

    /// The queue whose turn it is. It stays a member until it is removed.
    pub(super) fn next(&mut self) -> Option<QueueKey> {
        let from = self.last.map_or(Unbounded, Excluded);
        let behind = self.scopes.range((from, Unbounded)).next();
        let account = *behind.or(self.scopes.first_key_value())?.0;
        self.last = Some(account);
        let scope = self.scopes.get_mut(&account)?;
        let (_, conversation) = after(&scope.queues, scope.last.as_ref())?;
        let conversation = *conversation;
        scope.last = Some(conversation);
        Some(QueueKey {
            account,
            conversation,
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = QueueKey> + '_ {
        self.scopes.iter().flat_map(|(account, scope)| {
            scope.queues.iter().map(|conversation| QueueKey {
                account: *account,
                conversation: *conversation,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::channel::HookVersion;

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
        let mut ring = RoundRobin::default();
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
        let mut ring = RoundRobin::default();
        ring.insert(queue(1, 1));
        ring.remove(queue(1, 1));
        ring.remove(queue(1, 1));
        assert!(ring.is_empty());
        assert_eq!(ring.next(), None);
        assert_eq!(ring.iter().count(), 0);
    }
}

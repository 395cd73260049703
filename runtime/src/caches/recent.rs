//! The newest deliveries, including delivered ones, so that a caller can find one without its id. In memory only: a
//! restart forgets them, and no record is written for them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use switchboard_domain::dispatch::delivery_queue::{OutNumber, QueueId};
use switchboard_domain::id::{ChannelId, ConversationId, ScopeId};

/// The most that are kept of all channels together.
const ALL_MAX: usize = 100_000;

/// The newest deliveries of each channel.
#[derive(Debug)]
pub struct Recent {
    /// The number of deliveries that are kept of a channel.
    per_channel: usize,
    state: Mutex<RecentDeliveries>,
}

/// A filter of recent deliveries; a field of `None` takes all.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecentFilter<'a> {
    /// The channel that the delivery goes through.
    pub channel: Option<&'a ChannelId>,
    /// The scope of its queue.
    pub scope: Option<&'a ScopeId>,
    /// The conversation of its queue.
    pub conversation: Option<ConversationId>,
}

/// One of them, with its place: newer ones have higher places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentDelivery {
    /// The place among all deliveries that were kept since the start.
    pub place: u64,
    /// The queue.
    pub queue: QueueId,
    /// The number of the delivery in its queue.
    pub number: OutNumber,
}

#[derive(Debug, Default)]
struct RecentDeliveries {
    newest: u64,
    kept: BTreeMap<u64, (QueueId, OutNumber)>,
    places: BTreeMap<(ConversationId, OutNumber), u64>,
    /// The places of each channel, the oldest first.
    channels: BTreeMap<ChannelId, VecDeque<u64>>,
}

impl Recent {
    /// Keeps so many deliveries of each channel; zero keeps none.
    pub fn new(per_channel: usize) -> Self {
        Self {
            per_channel,
            state: Mutex::default(),
        }
    }

    /// Keeps a delivery, unless it is kept already, and lets the oldest one of its channel go.
    pub fn keep(&self, queue: &QueueId, number: OutNumber) {
        if self.per_channel == 0 {
            return;
        }
        let mut state = self.state();
        let name = (queue.conversation, number);
        if state.places.contains_key(&name) {
            return;
        }
        state.newest = state.newest.saturating_add(1);
        let place = state.newest;
        state.places.insert(name, place);
        state.kept.insert(place, (queue.clone(), number));
        let channel = queue.scope.channel();
        if let Some(places) = state.channels.get_mut(channel) {
            places.push_back(place);
        } else {
            state
                .channels
                .insert(channel.clone(), VecDeque::from([place]));
        }
        state.let_go(channel, self.per_channel);
        if state.kept.len() > ALL_MAX
            && let Some((_, (oldest, _))) = state.kept.first_key_value()
        {
            let channel = oldest.scope.channel().clone();
            let less = state.channels.get(&channel).map_or(0, VecDeque::len);
            state.let_go(&channel, less.saturating_sub(1));
        }
    }

    /// Those before this place that are wanted, the newest first.
    pub fn before(
        &self,
        place: u64,
        wanted: &RecentFilter<'_>,
        limit: usize,
    ) -> Vec<RecentDelivery> {
        let state = self.state();
        let fits = |kept: &RecentDelivery| {
            let scope = &kept.queue.scope;
            wanted
                .channel
                .is_none_or(|channel| channel == scope.channel())
                && wanted.scope.is_none_or(|known| known == scope)
                && wanted
                    .conversation
                    .is_none_or(|known| known == kept.queue.conversation)
        };
        let entry = |place: &u64| {
            let (queue, number) = state.kept.get(place)?;
            Some(RecentDelivery {
                place: *place,
                queue: queue.clone(),
                number: *number,
            })
        };
        let channel = wanted
            .channel
            .or_else(|| wanted.scope.map(ScopeId::channel));
        match channel {
            Some(channel) => {
                let places = state
                    .channels
                    .get(channel)
                    .into_iter()
                    .flatten()
                    .rev()
                    .filter(|known| **known < place);
                places.filter_map(entry).filter(fits).take(limit).collect()
            }
            None => {
                let places = state.kept.range(..place).rev().map(|(place, _)| place);
                places.filter_map(entry).filter(fits).take(limit).collect()
            }
        }
    }

    /// Returns whether this one is kept.
    pub fn holds(&self, conversation: ConversationId, number: OutNumber) -> bool {
        self.state().places.contains_key(&(conversation, number))
    }

    fn state(&self) -> MutexGuard<'_, RecentDeliveries> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RecentDeliveries {
    /// Lets the oldest ones of a channel go until there are so many.
    fn let_go(&mut self, channel: &ChannelId, most: usize) {
        let Some(places) = self.channels.get_mut(channel) else {
            return;
        };
        while places.len() > most
            && let Some(oldest) = places.pop_front()
        {
            if let Some((queue, number)) = self.kept.remove(&oldest) {
                self.places.remove(&(queue.conversation, number));
            }
        }
        if places.is_empty() {
            self.channels.remove(channel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_domain::id::AccountId;

    fn queue(channel: &str, conversation: u8) -> QueueId {
        let account = AccountId::from_bytes([1; 16]);
        QueueId {
            scope: ScopeId::new(channel.parse().unwrap(), account),
            conversation: ConversationId::from_bytes([conversation; 16]),
        }
    }

    fn numbers(kept: &[RecentDelivery]) -> Vec<u64> {
        kept.iter().map(|kept| kept.number.0).collect()
    }

    #[test]
    fn traffic_of_other_channels_evicts_no_recent_entry() {
        let recent = Recent::new(3);
        recent.keep(&queue("quiet", 1), OutNumber(1));
        for number in 1..=100 {
            recent.keep(&queue("busy", 2), OutNumber(number));
        }
        let all = recent.before(u64::MAX, &RecentFilter::default(), 10);
        assert_eq!(numbers(&all), [100, 99, 98, 1]);
        assert!(recent.holds(queue("busy", 2).conversation, OutNumber(98)));
        assert!(!recent.holds(queue("busy", 2).conversation, OutNumber(97)));
        // It is kept once, at the place that it has.
        recent.keep(&queue("quiet", 1), OutNumber(1));
        assert_eq!(recent.before(u64::MAX, &RecentFilter::default(), 10), all);
    }

    #[test]
    fn pages_continue_without_a_gap_and_filters_agree() {
        let recent = Recent::new(100);
        for number in 1..=10 {
            recent.keep(&queue("a", 1), OutNumber(number));
            recent.keep(&queue("b", 2), OutNumber(number));
        }
        let (channel, scope) = ("a".parse().unwrap(), queue("a", 1).scope);
        let of_channel = RecentFilter {
            channel: Some(&channel),
            ..RecentFilter::default()
        };
        let of_scope = RecentFilter {
            scope: Some(&scope),
            ..RecentFilter::default()
        };
        let of_conversation = RecentFilter {
            conversation: Some(queue("a", 1).conversation),
            ..RecentFilter::default()
        };
        for wanted in [of_channel, of_scope, of_conversation] {
            let first = recent.before(u64::MAX, &wanted, 4);
            assert_eq!(numbers(&first), [10, 9, 8, 7]);
            let next = recent.before(first.last().unwrap().place, &wanted, 100);
            assert_eq!(numbers(&next), [6, 5, 4, 3, 2, 1]);
        }
        let both = RecentFilter {
            channel: Some(&channel),
            conversation: Some(queue("b", 2).conversation),
            ..RecentFilter::default()
        };
        assert_eq!(recent.before(u64::MAX, &both, 4), []);
    }

    /// All channels together keep no more than the limit, and a limit of zero keeps none.
    #[test]
    fn recent_entries_have_a_global_limit_and_zero_keeps_none() {
        let recent = Recent::new(ALL_MAX);
        for number in 1..=60_000 {
            recent.keep(&queue("a", 1), OutNumber(number));
        }
        for number in 1..=60_000 {
            recent.keep(&queue("b", 2), OutNumber(number));
        }
        let state = recent.state();
        assert_eq!((state.kept.len(), state.places.len()), (ALL_MAX, ALL_MAX));
        let of_channels: usize = state.channels.values().map(VecDeque::len).sum();
        assert_eq!(of_channels, ALL_MAX);
        drop(state);
        let none = Recent::new(0);
        none.keep(&queue("a", 1), OutNumber(1));
        assert_eq!(none.before(u64::MAX, &RecentFilter::default(), 10), []);
    }
}

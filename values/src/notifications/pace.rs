//! The pace of the notifications of one user: a burst becomes one summary.
//!
//! Of single notifications a user gets at most [`BURST`] in ten seconds and [`SINGLES_PER_MINUTE`] in a minute. What is more is
//! collected for ten seconds, and then is one. So no minute has more than twelve.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use crate::id::ConversationId;
use crate::time::UnixMillis;

/// The number of single notifications in [`COLLECTED`].
pub const BURST: usize = 5;
/// The number of single notifications in a minute.
pub const SINGLES_PER_MINUTE: usize = 6;
/// The time for which notifications are collected.
pub const COLLECTED: Duration = Duration::from_secs(10);
/// The maximum number of conversations that a summary counts.
pub const CONVERSATIONS_MAX: usize = 250;

const MINUTE: Duration = Duration::from_secs(60);

/// Collected notifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Collected<T> {
    /// It is a single one.
    One(T),
    /// These are several.
    Several {
        /// The number of notifications.
        count: u64,
        /// The number of their conversations, at most [`CONVERSATIONS_MAX`].
        conversations: usize,
    },
}

/// The recent notifications of one user.
#[derive(Clone, Debug)]
pub struct Pace<T> {
    /// The times of the last single ones, oldest first.
    singles: VecDeque<UnixMillis>,
    collection: Option<Collection<T>>,
}

#[derive(Clone, Debug)]
struct Collection<T> {
    due: UnixMillis,
    count: u64,
    conversations: BTreeSet<ConversationId>,
    last: T,
}

impl<T> Default for Pace<T> {
    fn default() -> Self {
        Self {
            singles: VecDeque::new(),
            collection: None,
        }
    }
}

impl<T> Pace<T> {
    /// Takes in a notification about a conversation. Returns it when it is to be shown now; otherwise it is collected.
    pub fn add(
        &mut self,
        notification: T,
        conversation: ConversationId,
        now: UnixMillis,
    ) -> Option<T> {
        if let Some(collection) = &mut self.collection {
            collection.count = collection.count.saturating_add(1);
            if collection.conversations.len() < CONVERSATIONS_MAX {
                collection.conversations.insert(conversation);
            }
            collection.last = notification;
            return None;
        }
        self.singles.retain(|at| now.since(*at) < MINUTE);
        let recent = self.singles.iter().filter(|at| now.since(**at) < COLLECTED);
        if recent.count() < BURST && self.singles.len() < SINGLES_PER_MINUTE {
            self.singles.push_back(now);
            return Some(notification);
        }
        self.collection = Some(Collection {
            due: now.plus(COLLECTED),
            count: 1,
            conversations: BTreeSet::from([conversation]),
            last: notification,
        });
        None
    }

    /// The time at which what is collected is to be shown; `None` when nothing is.
    #[must_use]
    pub fn due(&self) -> Option<UnixMillis> {
        self.collection.as_ref().map(|collection| collection.due)
    }

    /// Returns what was collected, if it is due.
    pub fn collect(&mut self, now: UnixMillis) -> Option<Collected<T>> {
        let collection = self.collection.take_if(|it| it.due <= now)?;
        if collection.count == 1 {
            return Some(Collected::One(collection.last));
        }
        Some(Collected::Several {
            count: collection.count,
            conversations: collection.conversations.len(),
        })
    }

    /// Returns whether nothing of the past counts any more.
    #[must_use]
    pub fn is_idle(&self, now: UnixMillis) -> bool {
        let counts = |at: &UnixMillis| now.since(*at) < MINUTE;
        self.collection.is_none() && !self.singles.iter().any(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversation(number: u128) -> ConversationId {
        ConversationId::from_random(number.to_be_bytes())
    }

    /// Plays messages at these times, in milliseconds; returns the times at which something was shown, and how much that was.
    fn shown(messages: impl IntoIterator<Item = u64>, conversations: u128) -> Vec<(u64, u64)> {
        let mut pace = Pace::default();
        let mut news = Vec::new();
        let flush = |pace: &mut Pace<u128>, upto: u64, news: &mut Vec<(u64, u64)>| {
            while let Some(due) = pace.due().filter(|due| due.get() <= upto) {
                let count = match pace.collect(due).unwrap() {
                    Collected::One(_) => 1,
                    Collected::Several { count, .. } => count,
                };
                news.push((due.get(), count));
            }
        };
        for (number, at) in (0_u128..).zip(messages) {
            flush(&mut pace, at, &mut news);
            let chat = conversation(number % conversations);
            if pace.add(number, chat, UnixMillis::new(at)).is_some() {
                news.push((at, 1));
            }
        }
        flush(&mut pace, u64::MAX, &mut news);
        news
    }

    fn most_in_a_minute(news: &[(u64, u64)]) -> usize {
        let within = |from: u64| {
            news.iter()
                .filter(move |(at, _)| (from..from + 60_000).contains(at))
        };
        let counts = news.iter().map(|(from, _)| within(*from).count());
        counts.max().unwrap_or_default()
    }

    #[test]
    fn five_are_shown_at_once_and_the_rest_as_one_summary() {
        let at = shown((0..17).map(|number| number * 100), 4);
        let singles = [(0, 1), (100, 1), (200, 1), (300, 1), (400, 1)];
        assert_eq!(at[..5], singles);
        assert_eq!(at[5..], [(10_500, 12)]);
    }

    #[test]
    fn a_summary_counts_its_conversations() {
        let mut pace = Pace::default();
        let now = UnixMillis::new(1);
        for number in 0..17 {
            let chat = conversation(if number < 5 { 99 } else { number % 4 });
            pace.add(number, chat, now);
        }
        assert_eq!(pace.collect(now), None, "it is not due");
        let summary = pace.collect(now.plus(COLLECTED));
        let (count, conversations) = (12, 4);
        assert_eq!(
            summary,
            Some(Collected::Several {
                count,
                conversations
            })
        );
        assert_eq!(pace.due(), None);
    }

    #[test]
    fn one_that_was_collected_is_shown_as_itself() {
        let at = shown([0, 0, 0, 0, 0, 0], 6);
        assert_eq!(at[5..], [(10_000, 1)]);
        let mut pace = Pace::default();
        let now = UnixMillis::new(1);
        for number in 0..6 {
            pace.add(number, conversation(number), now);
        }
        let one = pace.collect(now.plus(COLLECTED));
        assert_eq!(one, Some(Collected::One(5)));
    }

    #[test]
    fn no_minute_has_more_than_twelve() {
        let even = shown((0..500).map(|number| number * 120), 40);
        assert!(most_in_a_minute(&even) <= 12, "{even:?}");
        let total: u64 = even.iter().map(|(_, count)| count).sum();
        assert_eq!(total, 500, "each of them is counted once");
        // Bursts with pauses of all lengths, so that some begin where the last one is just forgotten.
        for pause in 1..40 {
            let burst = |number: u64| number / 50 * pause * 1_000 + number % 50;
            let bursts = shown((0..500).map(burst), 7);
            assert!(most_in_a_minute(&bursts) <= 12, "{pause} s: {bursts:?}");
        }
    }

    #[test]
    fn a_slow_talk_is_shown_message_by_message() {
        let at = shown((0..30).map(|number| number * 11_000), 1);
        let singles = at.iter().filter(|(_, count)| *count == 1).count();
        assert_eq!(singles, 30, "{at:?}");
    }

    #[test]
    fn what_is_collected_is_bounded_and_an_idle_pace_is_known() {
        let mut pace = Pace::default();
        let now = UnixMillis::new(1);
        assert!(pace.is_idle(now));
        for number in 0..1_000 {
            pace.add(number, conversation(number), now);
        }
        assert!(!pace.is_idle(now.plus(MINUTE)), "something is collected");
        let summary = pace.collect(now.plus(COLLECTED));
        let (count, conversations) = (995, CONVERSATIONS_MAX);
        assert_eq!(
            summary,
            Some(Collected::Several {
                count,
                conversations
            })
        );
        assert!(!pace.is_idle(now.plus(COLLECTED)));
        assert!(pace.is_idle(now.plus(MINUTE)));
    }
}

//! The updates of a bot: what waits, what was confirmed, and what was lost before it was.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;
use serde_json::{Value, json};

use super::chance::Chance;
use crate::bounds::{DAY, POLL_LIMIT, UPDATES_MAX, WEEK};
use crate::clock::Moment;

/// The kinds that come unless a call names others.
const DEFAULT: [&str; 20] = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "inline_query",
    "chosen_inline_result",
    "callback_query",
    "shipping_query",
    "pre_checkout_query",
    "purchased_paid_media",
    "poll",
    "poll_answer",
    "my_chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
];
/// The kinds that come only if a call names them.
const BY_NAME: [&str; 3] = ["message_reaction", "message_reaction_count", "chat_member"];
/// An offset that is further than this above the next number counts as none.
const FUTURE_MAX: i64 = 10;
/// An offset that is further than this below the next number counts as none.
const PAST_MAX: i64 = 200_000;

/// An update that waits to be read.
#[derive(Debug, Clone)]
pub(crate) struct Update {
    pub(crate) about: About,
    pub(crate) body: Value,
}

/// The facts about an update that a test compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct About {
    /// Its number.
    pub update_id: i64,
    /// Its kind: `message`, `edited_message`, `callback_query` and others.
    pub kind: String,
    /// The chat that it is about.
    pub chat: i64,
    /// The message that it is about, if it is about one.
    pub message_id: Option<i64>,
    /// The moment at which it arose, in milliseconds.
    pub at: Moment,
}

/// The counts of updates that were never confirmed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Dropped {
    /// Those older than 24 hours.
    pub expired: u64,
    /// Those that a negative offset, or a webhook with `drop_pending_updates`, threw away.
    pub cleared: u64,
    /// Those for which the queue had no place.
    pub full: u64,
}

#[derive(Debug)]
pub(crate) struct Queue {
    updates: VecDeque<Update>,
    next_id: i64,
    last_at: Option<Moment>,
    allowed: Option<BTreeSet<String>>,
    pub(crate) confirmed: VecDeque<About>,
    pub(crate) confirmed_count: u64,
    pub(crate) dropped: Dropped,
}

impl Queue {
    pub(crate) fn new(chance: &mut Chance) -> Self {
        Self {
            updates: VecDeque::new(),
            next_id: chance.between(100_000_000, 900_000_000),
            last_at: None,
            allowed: None,
            confirmed: VecDeque::new(),
            confirmed_count: 0,
            dropped: Dropped::default(),
        }
    }

    /// Remembers which kinds come. An empty list stands for the default.
    pub(crate) fn allow(&mut self, kinds: &[String]) {
        let words = kinds.iter().map(|kind| kind.to_ascii_lowercase());
        let list: BTreeSet<String> = words
            .filter(|kind| DEFAULT.contains(&kind.as_str()) || BY_NAME.contains(&kind.as_str()))
            .collect();
        self.allowed = (!list.is_empty()).then_some(list);
    }

    /// The kinds that come, unless they are those of the default.
    pub(crate) fn allowed(&self) -> Option<Vec<&str>> {
        let list = self.allowed.as_ref()?;
        Some(list.iter().map(String::as_str).collect())
    }

    fn allows(&self, kind: &str) -> bool {
        match &self.allowed {
            Some(list) => list.contains(kind),
            None => !BY_NAME.contains(&kind),
        }
    }

    /// Adds an update, if its kind is allowed. Returns its number.
    pub(crate) fn push(
        &mut self,
        mut about: About,
        body: Value,
        chance: &mut Chance,
    ) -> Option<i64> {
        let now = about.at;
        self.expire(now);
        let is_quiet = self.last_at.is_some_and(|last| now - last >= WEEK);
        self.last_at = Some(now);
        if !self.allows(&about.kind) {
            return None;
        }
        if self.updates.len() >= UPDATES_MAX {
            self.dropped.full += 1;
            return None;
        }
        if is_quiet && self.updates.is_empty() {
            let before = self.next_id;
            while (self.next_id - before).abs() <= PAST_MAX {
                self.next_id = chance.between(1_000_000, 1_000_000_000);
            }
        }
        let id = self.next_id;
        self.next_id += 1;
        about.update_id = id;
        self.updates.push_back(Update { about, body });
        Some(id)
    }

    /// Drops what is older than 24 hours.
    pub(crate) fn expire(&mut self, now: Moment) {
        while self
            .updates
            .front()
            .is_some_and(|it| now - it.about.at >= DAY)
        {
            self.updates.pop_front();
            self.dropped.expired += 1;
        }
    }

    /// Returns the updates from an offset on, and confirms those before it. A negative offset keeps so many of the last ones.
    pub(crate) fn read(&mut self, offset: i64, limit: i64, now: Moment) -> Vec<Value> {
        self.expire(now);
        if offset < 0 {
            let count = usize::try_from(offset.saturating_neg()).unwrap_or(usize::MAX);
            self.keep_last(count);
        } else if offset > 0
            && (self.next_id - PAST_MAX..=self.next_id + FUTURE_MAX).contains(&offset)
        {
            let is_before = |it: &Update| it.about.update_id < offset;
            while self.updates.front().is_some_and(is_before) {
                if let Some(update) = self.updates.pop_front() {
                    self.note(update.about);
                }
            }
        }
        let limit = usize::try_from(limit.clamp(1, POLL_LIMIT)).unwrap_or(1);
        self.updates.iter().take(limit).map(Update::json).collect()
    }

    fn keep_last(&mut self, count: usize) {
        let surplus = self.updates.len().saturating_sub(count);
        self.dropped.cleared += u64::try_from(surplus).unwrap_or(0);
        self.updates.drain(..surplus);
    }

    /// Throws all away.
    pub(crate) fn clear(&mut self) {
        self.keep_last(0);
    }

    fn place(&self, id: i64) -> Option<usize> {
        let place = self
            .updates
            .binary_search_by_key(&id, |it| it.about.update_id);
        place.ok()
    }

    /// Confirms one update, wherever it stands.
    pub(crate) fn confirm(&mut self, id: i64) {
        if let Some(update) = self.place(id).and_then(|at| self.updates.remove(at)) {
            self.note(update.about);
        }
    }

    /// Gives one update up.
    pub(crate) fn give_up(&mut self, id: i64) {
        if self
            .place(id)
            .and_then(|at| self.updates.remove(at))
            .is_some()
        {
            self.dropped.expired += 1;
        }
    }

    fn note(&mut self, about: About) {
        self.confirmed_count += 1;
        if self.confirmed.len() >= UPDATES_MAX {
            self.confirmed.pop_front();
        }
        self.confirmed.push_back(about);
    }

    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Update> {
        self.updates.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.updates.len()
    }
}

impl Update {
    /// Returns it as the Bot API shows it.
    pub(crate) fn json(&self) -> Value {
        let mut json = json!({"update_id": self.about.update_id});
        if let Some(fields) = json.as_object_mut() {
            fields.insert(self.about.kind.clone(), self.body.clone());
        }
        json
    }
}

#[cfg(test)]
mod tests;

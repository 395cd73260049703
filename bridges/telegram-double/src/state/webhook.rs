//! A webhook: updates go out in order within a chat, and are repeated until they are taken.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::chance::Chance;
use super::queue::Queue;
use crate::bounds::{DAY, HOUR, SECOND};
use crate::clock::Moment;

/// The longest wait that a receiver may ask for, in seconds.
const RETRY_AFTER_MAX: i64 = 3_600;
/// The wait after many failures is between this and its double, in seconds.
const WAIT_MAX: i64 = 60;
/// The time of answers 410 after which the webhook is removed.
const GONE_MAX: i64 = 23 * HOUR;

/// The settings that `setWebhook` gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) url: String,
    pub(crate) secret: Option<String>,
    pub(crate) max_connections: usize,
}

#[derive(Debug)]
pub(crate) struct Webhook {
    pub(crate) settings: Settings,
    /// The lanes of chats whose first update failed or is under way.
    lanes: BTreeMap<i64, Lane>,
    last_error: Option<(Moment, String)>,
    gone_since: Option<Moment>,
    /// Counts settings, so that the outcome of a call of an earlier webhook is not taken for one of this.
    pub(crate) generation: u64,
}

#[derive(Debug, Default)]
struct Lane {
    under_way: Option<i64>,
    failures: u32,
    /// In seconds.
    wait: i64,
    wakes_at: Moment,
}

/// A call of a webhook that is due.
#[derive(Debug, Clone)]
pub(crate) struct Delivery {
    pub(crate) bot: i64,
    pub(crate) generation: u64,
    pub(crate) chat: i64,
    pub(crate) update_id: i64,
    pub(crate) settings: Settings,
    pub(crate) body: Value,
}

/// The outcome of a call of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A status, with the seconds of `Retry-After`.
    Status(u16, i64),
    /// No answer, with the reason.
    Failed(String),
}

impl Webhook {
    pub(crate) fn new(settings: Settings, generation: u64) -> Self {
        Self {
            settings,
            lanes: BTreeMap::new(),
            last_error: None,
            gone_since: None,
            generation,
        }
    }

    /// Returns the calls that are due, and the moment at which the next one is.
    pub(crate) fn due(
        &mut self,
        bot: i64,
        queue: &Queue,
        now: Moment,
    ) -> (Vec<Delivery>, Option<Moment>) {
        let busy = self
            .lanes
            .values()
            .filter(|it| it.under_way.is_some())
            .count();
        let mut free = self.settings.max_connections.saturating_sub(busy);
        let mut due = Vec::new();
        let mut next: Option<Moment> = None;
        let mut chats = BTreeSet::new();
        for update in queue.waiting() {
            let chat = update.about.chat;
            if !chats.insert(chat) {
                continue;
            }
            let lane = self.lanes.entry(chat).or_default();
            if lane.under_way.is_some() {
                continue;
            }
            if lane.wakes_at > now {
                next = Some(next.map_or(lane.wakes_at, |at| at.min(lane.wakes_at)));
                continue;
            }
            if free == 0 {
                continue;
            }
            free -= 1;
            lane.under_way = Some(update.about.update_id);
            due.push(Delivery {
                bot,
                generation: self.generation,
                chat,
                update_id: update.about.update_id,
                settings: self.settings.clone(),
                body: update.json(),
            });
        }
        // Lanes without updates are forgotten.
        self.lanes
            .retain(|chat, lane| lane.under_way.is_some() || chats.contains(chat));
        (due, next)
    }

    /// Takes the outcome of a call. Returns whether the webhook stays.
    pub(crate) fn outcome(
        &mut self,
        delivery: &Delivery,
        outcome: Outcome,
        queue: &mut Queue,
        now: Moment,
        chance: &mut Chance,
    ) -> bool {
        let (error, retry_after) = match outcome {
            Outcome::Status(200..=299, _) => {
                self.gone_since = None;
                self.lanes.remove(&delivery.chat);
                queue.confirm(delivery.update_id);
                return true;
            }
            Outcome::Status(status, retry_after) => {
                if status != 410 {
                    self.gone_since = None;
                } else if now - *self.gone_since.get_or_insert(now) > GONE_MAX {
                    return false;
                }
                let code = reqwest::StatusCode::from_u16(status).ok();
                let reason = code
                    .and_then(|it| it.canonical_reason())
                    .unwrap_or_default();
                let text = format!("Wrong response from the webhook: {status} {reason}");
                (text, retry_after.clamp(0, RETRY_AFTER_MAX))
            }
            Outcome::Failed(reason) => (reason, 0),
        };
        self.last_error = Some((now, error));
        let lane = self.lanes.entry(delivery.chat).or_default();
        lane.under_way = None;
        lane.failures = lane.failures.saturating_add(1);
        let wait = if retry_after > 0 {
            retry_after
        } else {
            let most = chance.between(WAIT_MAX, 2 * WAIT_MAX + 1);
            lane.wait = if lane.wait == 0 {
                1
            } else {
                (lane.wait * 2).min(most)
            };
            lane.wait
        };
        lane.wakes_at = now + wait * SECOND;
        let id = delivery.update_id;
        let arose = queue.waiting().find(|it| it.about.update_id == id);
        if arose.is_none_or(|it| lane.wakes_at > it.about.at + DAY) {
            queue.give_up(id);
            self.lanes.remove(&delivery.chat);
        }
        true
    }

    /// Returns what `getWebhookInfo` shows of it.
    pub(crate) fn info(&self, queue: &Queue) -> Value {
        let mut info = json!({
            "url": self.settings.url,
            "has_custom_certificate": false,
            "pending_update_count": queue.len(),
            "max_connections": self.settings.max_connections,
        });
        if let (Some((at, text)), Some(fields)) = (&self.last_error, info.as_object_mut()) {
            fields.insert("last_error_date".to_owned(), (at / SECOND).into());
            fields.insert("last_error_message".to_owned(), text.clone().into());
        }
        info
    }
}

#[cfg(test)]
mod tests;

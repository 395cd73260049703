//! Waiting for a state of a world, with what came near it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use switchboard_actors::domain::dispatch::record::DeliveryState;
use switchboard_actors::domain::id::MessageId;
use tokio::sync::oneshot;

use super::Host;
use super::time::{Aim, Goal};
use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::journal::{Entry, Event};
use crate::dev::worlds::order::{Until, Wait};
use crate::dev::worlds::refusal::Refusal;

/// How long a client is kept at most, of real time.
const KEPT_FOR: Duration = Duration::from_secs(30);
/// So many things that came near are named.
const NEAR_MAX: usize = 10;

impl Wait {
    /// Whether a timer of the world can bring it about. A request comes from a program outside.
    pub(super) fn is_brought_by_time(&self) -> bool {
        self.until != Until::Request
    }
}

impl Host {
    pub(super) fn wait(&mut self, wait: Wait, done: oneshot::Sender<Result<Value, Refusal>>) {
        self.let_rest();
        self.goals.push(Goal {
            deadline: self.world.now().plus(wait.timeout),
            patience: Instant::now() + wait.timeout.min(KEPT_FOR),
            aim: Aim::State(wait),
            done,
        });
    }

    /// The answer to a client that waits; `None`: it has to wait on.
    pub(super) fn outcome(&self, wait: &Wait, is_late: bool, is_over: bool) -> Option<Value> {
        let (entries, is_met) = self.met(wait);
        let cursor = self.journal.last();
        if is_met {
            return Some(json!({ "met": true, "cursor": cursor, "entries": entries }));
        }
        let why = self.cannot_come(wait, is_late, is_over)?;
        let near = self.near(wait, entries.len());
        Some(json!({ "met": false, "cursor": cursor, "why": why, "near": near }))
    }

    /// The entries that count, and whether they are enough.
    fn met(&self, wait: &Wait) -> (Vec<Entry>, bool) {
        if wait.until == Until::Quiet {
            return (
                Vec::new(),
                self.under_way.count() == 0 && self.world.is_quiet(),
            );
        }
        let entries = self.journal.after(wait.after).into_iter();
        let entries: Vec<Entry> = entries.filter(|entry| counts(wait, &entry.event)).collect();
        let entries = match wait.until {
            Until::Delivered => self.last_of_messages(entries, |state| {
                matches!(state, DeliveryState::Delivered { .. })
            }),
            Until::Failed => {
                self.last_of_messages(entries, |state| matches!(state, DeliveryState::Dead { .. }))
            }
            Until::Attempt | Until::Request | Until::Quiet => entries,
        };
        let is_met = entries.len() >= wait.count;
        (entries, is_met)
    }

    /// Of the attempts, the last one of each message whose delivery is in such a state.
    fn last_of_messages(&self, entries: Vec<Entry>, is: fn(&DeliveryState) -> bool) -> Vec<Entry> {
        let mut last = BTreeMap::new();
        for entry in entries {
            if let Event::Callback { message_id, .. } = entry.event {
                last.insert(message_id, entry);
            }
        }
        let mut found: Vec<Entry> = last
            .into_iter()
            .filter(|(message, _)| {
                let record = self.world.delivery_record(*message);
                record.is_some_and(|record| is(&record.state))
            })
            .map(|(_, entry)| entry)
            .collect();
        found.sort_by_key(|entry| entry.cursor);
        found
    }

    /// Why the client need not wait on; `None`: it has to.
    fn cannot_come(&self, wait: &Wait, is_late: bool, is_over: bool) -> Option<String> {
        let timeout = wait.timeout.as_secs_f64();
        if is_late {
            return Some(format!("{timeout} s of the world's time have passed"));
        }
        if is_over {
            return Some("the program outside took too long, in real time".to_owned());
        }
        if wait.until == Until::Request || self.under_way.count() > 0 {
            return None;
        }
        if wait.until != Until::Quiet && self.world.is_quiet() {
            let why = "no callback is queued or under way that could change it";
            return Some(why.to_owned());
        }
        (self.mode == ClockMode::Frozen)
            .then(|| "the clock is frozen, and the next attempt is later: use advance".to_owned())
    }

    fn near(&self, wait: &Wait, found: usize) -> Vec<String> {
        let mut near = vec![format!("{found} of {} so far", wait.count)];
        if wait.until == Until::Request {
            let all = self.journal.after(wait.after).into_iter().rev();
            let requests = all.filter(|entry| matches!(entry.event, Event::Request { .. }));
            near.extend(requests.take(NEAR_MAX).map(|entry| entry.event.line()));
            return near;
        }
        let mut messages: Vec<MessageId> = Vec::new();
        for entry in self.journal.after(0).into_iter().rev() {
            let Event::Callback { message_id, .. } = entry.event else {
                continue;
            };
            if messages.len() >= NEAR_MAX || messages.contains(&message_id) {
                continue;
            }
            messages.push(message_id);
            let state = self.world.delivery_in_words(message_id).unwrap_or_default();
            near.push(format!("{}; it {state}", entry.event.line()));
        }
        near
    }
}

/// Whether an entry is of the kind that a client waits for, and about what it asks for.
fn counts(wait: &Wait, event: &Event) -> bool {
    let matches = |text: &str| wait.matching.as_deref().is_none_or(|it| text.contains(it));
    match event {
        Event::Request { what, .. } => wait.until == Until::Request && matches(what),
        Event::Callback {
            message_id, body, ..
        } => {
            wait.until != Until::Request
                && wait.message.is_none_or(|message| message == *message_id)
                && matches(body)
        }
        Event::Note { .. } => false,
    }
}

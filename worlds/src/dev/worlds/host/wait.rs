//! Waiting for a state of a world, with what came near it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use switchboard_actors::domain::chat::delivery::DeliveryStatus;
use switchboard_actors::domain::dispatch::record::{DeliveryRecord, DeliveryState};
use switchboard_actors::domain::hooks::hook::{HookNumber, WebhookId};
use switchboard_actors::domain::id::{MessageId, SalesbotRunId, SubscriptionId};
use switchboard_actors::system::inbox::MessageView;

use super::Host;
use super::time::{Aim, Goal};
use crate::dev::worlds::clock::{self, ClockMode};
use crate::dev::worlds::journal::{Event, NumberedEvent};
use crate::dev::worlds::order::{Done, Until, Wait};
use crate::world::hook_in_words;

/// The longest wait of a client, in real time.
const KEPT_FOR: Duration = Duration::from_secs(30);
/// So many things that came near are named.
const NEAR_MAX: usize = 10;

impl Wait {
    /// Returns whether a program outside brings it about, in real time.
    pub(super) fn is_brought_from_outside(&self) -> bool {
        match self.until {
            Until::Request
            | Until::ReportedDelivered
            | Until::ReportedRead
            | Until::Stage
            | Until::QuestionAnswered => true,
            Until::Delivered
            | Until::Failed
            | Until::Attempt
            | Until::HookDelivered
            | Until::HookFailed
            | Until::HookAttempt
            | Until::QuestionAttempt
            | Until::QuestionAsked
            | Until::Quiet => false,
        }
    }
}

/// The matches so far of a client's condition.
enum Found {
    Entries(Vec<NumberedEvent>),
    /// Of things that have no entry in the journal.
    Count(usize),
}

impl Found {
    fn count(&self) -> usize {
        match self {
            Self::Entries(entries) => entries.len(),
            Self::Count(count) => *count,
        }
    }

    fn entries(self) -> Vec<NumberedEvent> {
        match self {
            Self::Entries(entries) => entries,
            Self::Count(_) => Vec::new(),
        }
    }
}

impl Host {
    pub(super) fn wait(&mut self, wait: Wait, done: Done) {
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
        let (found, is_met) = self.met(wait);
        let cursor = self.journal.last();
        if is_met {
            let entries = found.entries();
            return Some(json!({ "met": true, "cursor": cursor, "entries": entries }));
        }
        let why = self.cannot_come(wait, is_late, is_over)?;
        let near = self.near(wait, found.count());
        Some(json!({ "met": false, "cursor": cursor, "why": why, "near": near }))
    }

    /// The entries that count, and whether they are enough.
    fn met(&self, wait: &Wait) -> (Found, bool) {
        let by_count = |found: usize| (Found::Count(found), found >= wait.count);
        let by_entries = |entries: Vec<NumberedEvent>| {
            let is_met = entries.len() >= wait.count;
            (Found::Entries(entries), is_met)
        };
        match wait.until {
            Until::Quiet => (Found::Count(0), self.is_quiet()),
            Until::ReportedDelivered => by_count(self.reported(wait, false)),
            Until::ReportedRead => by_count(self.reported(wait, true)),
            Until::Stage => by_count(self.leads_in(wait.stage)),
            Until::Attempt
            | Until::HookAttempt
            | Until::QuestionAttempt
            | Until::QuestionAnswered
            | Until::Request => by_entries(self.entries(wait)),
            // A process that starts again may ask again.
            Until::QuestionAsked => {
                let entries = self.entries(wait);
                let last: BTreeMap<_, _> = entries
                    .into_iter()
                    .filter_map(|entry| Some((Delivery::find(&entry)?, entry)))
                    .collect();
                by_entries(last.into_values().collect())
            }
            Until::Delivered | Until::HookDelivered => {
                by_entries(self.last_of_deliveries(wait, |state| {
                    matches!(state, DeliveryState::Delivered { .. })
                }))
            }
            Until::Failed | Until::HookFailed => by_entries(
                self.last_of_deliveries(wait, |state| matches!(state, DeliveryState::Dead { .. })),
            ),
        }
    }

    /// The entries of the journal that count.
    fn entries(&self, wait: &Wait) -> Vec<NumberedEvent> {
        let entries = self.journal.after(wait.after).into_iter();
        entries.filter(|entry| counts(wait, &entry.event)).collect()
    }

    /// Nothing is under way, nothing waits, and no habit is due.
    fn is_quiet(&self) -> bool {
        self.under_way.count() == 0 && !self.under_way.holds() && self.world.is_quiet()
    }

    /// Returns the number of replies that the integration has reported as delivered, or as read.
    fn reported(&self, wait: &Wait, is_read: bool) -> usize {
        let conversations = self.conversations();
        let messages = conversations
            .iter()
            .flat_map(|id| self.world.messages_in(*id));
        let reported = messages.filter(|message| {
            let MessageView::Out { afterwards, .. } = message else {
                return false;
            };
            let is_asked_for = wait.message.is_none_or(|id| id == message.id());
            is_asked_for
                && match &afterwards.status {
                    Some(DeliveryStatus::Read) => true,
                    Some(DeliveryStatus::Delivered) => !is_read,
                    Some(DeliveryStatus::Error(_)) | None => false,
                }
        });
        reported.count()
    }

    /// Returns the number of leads in the stage with this number.
    fn leads_in(&self, stage: Option<u64>) -> usize {
        let list = self.world.request("GET", "/api/v4/leads?limit=250");
        let Some(list) = list.user("ada").try_send() else {
            return 0;
        };
        // An empty list has no body.
        let list: Value = serde_json::from_slice(&list.body).unwrap_or_default();
        let leads = list.pointer("/_embedded/leads").and_then(Value::as_array);
        let stages = leads
            .into_iter()
            .flatten()
            .map(|lead| lead.get("status_id").and_then(Value::as_u64));
        stages.filter(|of_lead| *of_lead == stage).count()
    }

    /// Of the attempts that count, the last one of each callback or hook whose delivery is in such a state.
    fn last_of_deliveries(
        &self,
        wait: &Wait,
        is: fn(&DeliveryState) -> bool,
    ) -> Vec<NumberedEvent> {
        let entries = self.entries(wait);
        let deliveries: BTreeSet<Delivery> = entries.iter().filter_map(Delivery::find).collect();
        let is_so = |delivery: &Delivery| {
            let record = self.record(*delivery);
            record.is_some_and(|record| is(&record.state))
        };
        let matches: BTreeSet<Delivery> = deliveries.into_iter().filter(is_so).collect();
        // An attempt may have ended while the state was read, so its entry is read afterwards.
        let mut last = BTreeMap::new();
        for entry in self.entries(wait) {
            if let Some(delivery) = Delivery::find(&entry).filter(|it| matches.contains(it)) {
                last.insert(delivery, entry);
            }
        }
        let mut last: Vec<NumberedEvent> = last.into_values().collect();
        last.sort_by_key(|entry| entry.cursor);
        last
    }

    fn record(&self, delivery: Delivery) -> Option<DeliveryRecord> {
        match delivery {
            Delivery::Callback(message) => self.world.delivery_record(message),
            Delivery::Hook { webhook, number } => {
                let account = self.world.account();
                let webhook = WebhookId {
                    account,
                    number: webhook,
                };
                self.world.hook_record(webhook, number)
            }
            Delivery::Question(_) => None,
        }
    }

    /// Returns the state of a delivery, in words behind its last attempt.
    fn state_in_words(&self, delivery: Delivery) -> String {
        match delivery {
            Delivery::Callback(message) => {
                let state = self.world.delivery_in_words(message).unwrap_or_default();
                format!("; it {state}")
            }
            Delivery::Hook { .. } => {
                let record = self.record(delivery);
                let now = self.world.now();
                record.map_or_else(String::new, |it| format!(", {}", hook_in_words(&it, now)))
            }
            Delivery::Question(run) => {
                let open = self.world.open_questions();
                let is_open = open.iter().any(|it| it.id == run);
                let state = if is_open { ", asked again" } else { "" };
                state.to_owned()
            }
        }
    }

    /// Returns the reason why the client need not wait on; `None`: it has to.
    fn cannot_come(&self, wait: &Wait, is_late: bool, is_over: bool) -> Option<String> {
        let timeout = wait.timeout.as_secs_f64();
        if is_late {
            return Some(format!("{timeout} s of the world's time have passed"));
        }
        if is_over {
            return Some("the program outside took too long, in real time".to_owned());
        }
        if wait.is_brought_from_outside() || self.under_way.count() > 0 {
            return None;
        }
        if wait.until == Until::Quiet && self.under_way.holds() && self.world.is_quiet() {
            let why = "the fault «reorder» or «reordered» holds a callback or a hook back until another one comes";
            return Some(why.to_owned());
        }
        if wait.until != Until::Quiet && self.world.is_quiet() {
            let why = "no callback, hook or question is left to be sent, and no habit is due, that could change it";
            return Some(why.to_owned());
        }
        (self.mode == ClockMode::Frozen).then(|| {
            "the clock is frozen, and the next attempt or habit is later: use advance".to_owned()
        })
    }

    fn near(&self, wait: &Wait, found: usize) -> Vec<String> {
        let mut near = vec![format!("{found} of {} so far", wait.count)];
        if wait.until == Until::Request {
            let all = self.journal.after(wait.after).into_iter().rev();
            let requests = all.filter(|entry| matches!(entry.event, Event::Request { .. }));
            near.extend(requests.take(NEAR_MAX).map(|entry| entry.event.line()));
            return near;
        }
        for (at, who, act) in self.world.due_habits().into_iter().take(NEAR_MAX) {
            near.push(format!("{who} {act} at {}, out of habit", clock::shown(at)));
        }
        let mut deliveries: Vec<Delivery> = Vec::new();
        for entry in self.journal.after(0).into_iter().rev() {
            let Some(delivery) = Delivery::find(&entry) else {
                continue;
            };
            if deliveries.len() >= NEAR_MAX || deliveries.contains(&delivery) {
                continue;
            }
            deliveries.push(delivery);
            near.push(format!(
                "{}{}",
                entry.event.line(),
                self.state_in_words(delivery)
            ));
        }
        near
    }
}

/// A callback, a hook for one webhook, or the question of a salesbot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Delivery {
    Callback(MessageId),
    Hook {
        webhook: SubscriptionId,
        number: HookNumber,
    },
    /// The question of a run.
    Question(SalesbotRunId),
}

impl Delivery {
    /// Returns the delivery that an entry is an attempt of.
    fn find(entry: &NumberedEvent) -> Option<Self> {
        match &entry.event {
            Event::Callback { message_id, .. } => Some(Self::Callback(*message_id)),
            Event::Hook(event) => Some(Self::Hook {
                webhook: event.webhook,
                number: event.hook,
            }),
            Event::Question(event) => Some(Self::Question(event.run)),
            Event::Request { .. } | Event::Note { .. } => None,
        }
    }
}

/// Returns whether an entry is of the kind that a client waits for, and about the subject that it asks for.
fn counts(wait: &Wait, event: &Event) -> bool {
    let matches = |text: &str| wait.matching.as_deref().is_none_or(|it| text.contains(it));
    match event {
        Event::Request {
            what,
            status,
            request,
            ..
        } => {
            let is_answered = is_answer(what) && *status == Some(202);
            (wait.until == Until::Request && matches(what))
                || (wait.until == Until::QuestionAnswered && is_answered && matches(request))
        }
        Event::Callback {
            message_id, body, ..
        } => {
            wait.until.is_about_callbacks()
                && wait.message.is_none_or(|message| message == *message_id)
                && matches(body)
        }
        Event::Hook(hook) => {
            let message = wait.message.map(|message| message.to_string());
            wait.until.is_about_hooks()
                && message.is_none_or(|message| hook.has(&message))
                && wait.matching.as_deref().is_none_or(|text| hook.has(text))
        }
        Event::Question(question) => {
            let is_met = wait.until == Until::QuestionAttempt
                || (wait.until == Until::QuestionAsked && question.is_taken);
            is_met && wait.message.is_none() && matches(&question.body)
        }
        Event::Note { .. } => false,
    }
}

/// Returns whether a request is the answer to the question of a salesbot, by its method and path.
fn is_answer(what: &str) -> bool {
    what.starts_with("POST /api/v4/salesbot/") && what.contains("/continue/")
}

//! The webhooks of an account: addresses of programs that subscribed to its events. They are not those of channels.
//!
//! Administrators subscribe programs, most often through an OAuth client. A webhook outlives the role of the user who
//! subscribed it, and ends with the OAuth client that did so last.

pub mod code;
pub mod create;
pub mod delete;
pub mod delete_of_client;
pub mod destination;
pub mod disable;
pub mod enable;
pub mod subscription;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::hooks::hook::WebhookId;
use crate::id::{AccountId, SubscriptionId};
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::webhooks::code::WebhookCode;
use crate::webhooks::destination::Destination;
use crate::webhooks::subscription::Subscription;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// The most webhooks of an account.
pub const WEBHOOKS_MAX: usize = 100;

/// The webhooks of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhooks {
    account: AccountId,
    subscriptions: BTreeMap<SubscriptionId, Subscription>,
    /// The number of the last webhook: a number is never given again.
    last: u64,
}

/// A webhook is new, is as follows now, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhooksEvent {
    /// The webhook.
    pub id: SubscriptionId,
    /// The webhook after the change; `None` after its deletion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Subscription>,
    /// The audit entry.
    pub audit: AuditEntry,
}

/// The rejection of a change of webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRejection {
    /// There is no such webhook.
    #[error("there is no such webhook")]
    Unknown,
    /// The account has as many as it can have.
    #[error("an account has at most {WEBHOOKS_MAX} webhooks; delete those that no program needs")]
    TooMany,
    /// The account has uninstalled the client that asks for it.
    #[error("the account uninstalled the OAuth client at the same time")]
    Uninstalled,
    /// It is switched on.
    #[error("the webhook is not disabled")]
    NotDisabled,
    /// It is switched off.
    #[error("the webhook is disabled already")]
    Disabled,
}

impl Webhooks {
    /// The webhook with this number.
    #[must_use]
    pub fn get(&self, id: SubscriptionId) -> Option<&Subscription> {
        self.subscriptions.get(&id)
    }

    /// The webhook with this address.
    #[must_use]
    pub fn find(&self, destination: &Destination) -> Option<&Subscription> {
        let mut all = self.iter();
        all.find(|it| it.destination == *destination)
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = &Subscription> {
        self.subscriptions.values()
    }

    /// The decision for these events, with the notice that the webhooks are others now.
    fn decision<R>(&self, events: Vec<WebhooksEvent>, reply: R) -> Decision<WebhooksEvent, R> {
        let events = events.into_iter().map(Into::into).collect();
        Decision {
            notices: vec![Notice::WebhooksChanged(self.account)],
            ..Decision::events(events, reply)
        }
    }

    /// The event that `by` changes a webhook to this, or deletes it.
    fn event(
        &self,
        by: By,
        action: &str,
        id: SubscriptionId,
        now: Option<Subscription>,
        moment: &mut Moment<'_, WebhooksEvent>,
    ) -> WebhooksEvent {
        let entry = AuditEntry::new(by, action, id, moment).of_account(self.account);
        let fields: [(&str, fn(&Subscription) -> Value); 4] = [
            ("host", |it| it.destination.host().into()),
            ("settings", |it| words(&it.codes)),
            ("sort", |it| it.sort.into()),
            ("disabled", |it| {
                it.disabled.map(|it| it.why.as_str()).into()
            }),
        ];
        let before = self.get(id);
        let audit = fields.into_iter().fold(entry, |entry, (name, value)| {
            let value_of = |it: Option<&Subscription>| it.map_or(Value::Null, value);
            entry.change(name, value_of(before), value_of(now.as_ref()))
        });
        WebhooksEvent { id, now, audit }
    }
}

/// The words of events, for the audit log.
fn words(codes: &[WebhookCode]) -> Value {
    codes.iter().map(|code| code.as_str()).collect()
}

impl State for Webhooks {
    type Id = AccountId;
    type Event = WebhooksEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::WEBHOOKS;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            subscriptions: BTreeMap::new(),
            last: 0,
        }
    }

    fn apply(&mut self, event: &WebhooksEvent) {
        self.last = self.last.max(event.id.0);
        match &event.now {
            Some(subscription) => {
                self.subscriptions.insert(event.id, subscription.clone());
            }
            None => {
                self.subscriptions.remove(&event.id);
            }
        }
    }

    fn index(&self, event: &WebhooksEvent, entries: &mut IndexEntries) {
        event.audit.index(entries);
        let is_on = |it: Option<&Subscription>| it.is_some_and(|it| it.disabled.is_none());
        // A webhook gets what happens behind the record that switched it on.
        if is_on(event.now.as_ref()) && !is_on(self.get(event.id)) {
            entries.key(keys::hooks::webhook(WebhookId {
                account: self.account,
                number: event.id,
            }));
        }
    }
}

#[cfg(test)]
mod tests;

//! An administrator subscribes an address to events of the account.

use crate::Decision;
use crate::audit::By;
use crate::id::{SubscriptionId, UserId};
use crate::webhooks::code::WebhookCode;
use crate::webhooks::destination::Destination;
use crate::webhooks::subscription::Subscription;
use crate::webhooks::{WEBHOOKS_MAX, WebhookRejection, Webhooks, WebhooksEvent};
use switchboard_engine::state::{Command, Moment};

/// Creates a webhook. One with the same address is changed, and switched on if it was off.
#[derive(Clone, Debug)]
pub struct CreateWebhook {
    /// The actor, for the audit log. The OAuth client that acts for the user is that of the webhook.
    pub by: By,
    /// The administrator.
    pub user: UserId,
    /// The address.
    pub destination: Destination,
    /// The events.
    pub codes: Vec<WebhookCode>,
    /// A number for lists, which means nothing here.
    pub sort: i64,
}

impl Command for CreateWebhook {
    type Of = Webhooks;
    type Reply = Subscription;
    type Rejection = WebhookRejection;

    fn decide(
        self,
        state: &Webhooks,
        moment: &mut Moment<'_, WebhooksEvent>,
    ) -> Result<Decision<WebhooksEvent, Subscription>, WebhookRejection> {
        let before = state.find(&self.destination);
        if before.is_none() && state.subscriptions.len() >= WEBHOOKS_MAX {
            return Err(WebhookRejection::TooMany);
        }
        let next = SubscriptionId(state.last.saturating_add(1));
        let after = Subscription {
            id: before.map_or(next, |it| it.id),
            destination: self.destination,
            codes: each_once(self.codes),
            sort: self.sort,
            created_by: before.map_or(self.user, |it| it.created_by),
            client: self.by.client().map(|client| client.id),
            created_at: before.map_or(moment.now, |it| it.created_at),
            updated_at: before.map_or(moment.now, |it| it.updated_at),
            disabled: None,
        };
        if before == Some(&after) {
            return Ok(Decision::unchanged(after));
        }
        let action = match before {
            None => "webhook.create",
            Some(_) => "webhook.update",
        };
        let now = Subscription {
            updated_at: moment.now,
            ..after
        };
        let event = state.event(self.by, action, now.id, Some(now.clone()), moment);
        Ok(state.decision(vec![event], now))
    }
}

/// The events in their order, without repeats.
fn each_once(codes: Vec<WebhookCode>) -> Vec<WebhookCode> {
    let mut unique = Vec::with_capacity(codes.len());
    for code in codes {
        if !unique.contains(&code) {
            unique.push(code);
        }
    }
    unique
}

//! A webhook is deleted, by the program that named its address or by the operator.

use crate::Decision;
use crate::audit::By;
use crate::id::SubscriptionId;
use crate::webhooks::destination::Destination;
use crate::webhooks::{WebhookRejection, Webhooks, WebhooksEvent};
use switchboard_engine::state::{Command, Moment};

/// Deletes a webhook.
#[derive(Clone, Debug)]
pub struct DeleteWebhook {
    /// The actor, for the audit log.
    pub by: By,
    /// The webhook.
    pub webhook: WebhookKey,
}

/// The mark by which a caller names a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookKey {
    /// Its number.
    Id(SubscriptionId),
    /// Its address.
    Destination(Destination),
}

impl Command for DeleteWebhook {
    type Of = Webhooks;
    type Reply = ();
    type Rejection = WebhookRejection;

    fn decide(
        self,
        state: &Webhooks,
        moment: &mut Moment<'_, WebhooksEvent>,
    ) -> Result<Decision<WebhooksEvent, ()>, WebhookRejection> {
        let subscription = match &self.webhook {
            WebhookKey::Id(id) => state.get(*id),
            WebhookKey::Destination(destination) => state.find(destination),
        };
        let id = subscription.ok_or(WebhookRejection::Unknown)?.id;
        let event = state.event(self.by, "webhook.delete", id, None, moment);
        Ok(state.decision(vec![event], ()))
    }
}

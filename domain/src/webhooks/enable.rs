//! A webhook is switched on again.

use crate::Decision;
use crate::audit::By;
use crate::id::SubscriptionId;
use crate::webhooks::subscription::Subscription;
use crate::webhooks::{WebhookRejection, Webhooks, WebhooksEvent};
use switchboard_engine::state::{Command, Moment};

/// Switches a webhook on.
#[derive(Clone, Debug)]
pub struct EnableWebhook {
    /// The actor, for the audit log.
    pub by: By,
    /// The webhook.
    pub id: SubscriptionId,
}

impl Command for EnableWebhook {
    type Of = Webhooks;
    type Reply = Subscription;
    type Rejection = WebhookRejection;

    fn decide(
        self,
        state: &Webhooks,
        moment: &mut Moment<'_, WebhooksEvent>,
    ) -> Result<Decision<WebhooksEvent, Subscription>, WebhookRejection> {
        let before = state.get(self.id).ok_or(WebhookRejection::Unknown)?;
        if before.disabled.is_none() {
            return Err(WebhookRejection::NotDisabled);
        }
        let now = Subscription {
            disabled: None,
            updated_at: moment.now,
            ..before.clone()
        };
        let event = state.event(
            self.by,
            "webhook.enable",
            self.id,
            Some(now.clone()),
            moment,
        );
        Ok(state.decision(vec![event], now))
    }
}

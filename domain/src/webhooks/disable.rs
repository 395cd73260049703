//! A webhook is switched off: nothing is sent to it until it is switched on again.

use crate::Decision;
use crate::audit::By;
use crate::id::SubscriptionId;
use crate::webhooks::subscription::{DisableReason, Disabled, Subscription};
use crate::webhooks::{WebhookRejection, Webhooks, WebhooksEvent};
use switchboard_engine::state::{Command, Moment};

/// Switches a webhook off.
#[derive(Clone, Debug)]
pub struct DisableWebhook {
    /// The actor, for the audit log.
    pub by: By,
    /// The webhook.
    pub id: SubscriptionId,
    /// The reason.
    pub why: DisableReason,
}

impl Command for DisableWebhook {
    type Of = Webhooks;
    type Reply = Subscription;
    type Rejection = WebhookRejection;

    fn decide(
        self,
        state: &Webhooks,
        moment: &mut Moment<'_, WebhooksEvent>,
    ) -> Result<Decision<WebhooksEvent, Subscription>, WebhookRejection> {
        let before = state.get(self.id).ok_or(WebhookRejection::Unknown)?;
        if before.disabled.is_some() {
            return Err(WebhookRejection::Disabled);
        }
        let now = Subscription {
            disabled: Some(Disabled {
                at: moment.now,
                why: self.why,
            }),
            updated_at: moment.now,
            ..before.clone()
        };
        let event = state.event(
            self.by,
            "webhook.disable",
            self.id,
            Some(now.clone()),
            moment,
        );
        Ok(state.decision(vec![event], now))
    }
}

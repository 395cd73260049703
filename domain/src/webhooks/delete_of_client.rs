//! An account uninstalls an OAuth client: the webhooks that the client subscribed end with its grant.

use std::convert::Infallible;

use crate::Decision;
use crate::audit::By;
use crate::id::OauthClientId;
use crate::webhooks::{Webhooks, WebhooksEvent};
use switchboard_engine::state::{Command, Moment};

/// Deletes the webhooks of a client.
#[derive(Clone, Debug)]
pub struct DeleteWebhooksOfClient {
    /// The actor, for the audit log.
    pub by: By,
    /// The client.
    pub client: OauthClientId,
}

impl Command for DeleteWebhooksOfClient {
    type Of = Webhooks;
    type Reply = ();
    type Rejection = Infallible;

    /// The grant ends also when the client has no webhooks.
    const OPTIONAL: bool = true;

    fn decide(
        self,
        state: &Webhooks,
        moment: &mut Moment<'_, WebhooksEvent>,
    ) -> Result<Decision<WebhooksEvent, ()>, Infallible> {
        let of_client = state.iter().filter(|it| it.client == Some(self.client));
        let events = of_client.map(|it| {
            let by = self.by.clone();
            state.event(by, "webhook.delete", it.id, None, moment)
        });
        Ok(state.decision(events.collect(), ()))
    }
}

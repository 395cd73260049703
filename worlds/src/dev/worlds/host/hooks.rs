//! Webhooks of the account of a world.

use hyper::StatusCode;
use serde_json::{Value, json};
use switchboard_actors::domain::webhooks::destination::Destination;

use super::Host;
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::order::Subscribed;
use crate::dev::worlds::sender::IN_MEMORY;

impl Host {
    /// An administrator subscribes an address, as a program does by the interface of the account.
    pub(super) fn subscribe(&mut self, subscribed: &Subscribed) -> Result<Value, DevError> {
        let destination = subscribed.url.as_ref();
        let url = destination.map_or(IN_MEMORY, Destination::as_str);
        let result = self
            .world
            .user("ada")
            .try_subscribes(url, &subscribed.codes);
        result.map_err(|why| {
            let why = format!("the webhook is not subscribed: {why}");
            DevError::new(StatusCode::SERVICE_UNAVAILABLE, why)
        })?;
        self.let_rest();
        Ok(self.described())
    }

    /// Ends all webhooks of the account, those of programs too.
    pub(super) fn end_hooks(&mut self) -> Result<Value, DevError> {
        self.world.end_webhooks().map_err(|why| {
            let why = format!("the webhooks are not ended: {why}");
            DevError::new(StatusCode::SERVICE_UNAVAILABLE, why)
        })?;
        self.let_rest();
        Ok(self.described())
    }

    /// The webhooks of the account as answers show them.
    pub(super) fn listed_hooks(&self) -> Vec<Value> {
        let webhooks = self.world.webhooks();
        let shown = webhooks.iter().map(|webhook| {
            let url = Some(webhook.destination.as_str()).filter(|url| *url != IN_MEMORY);
            json!({
                "id": webhook.id,
                "url": url,
                "settings": webhook.codes,
                "disabled": webhook.disabled.is_some(),
            })
        });
        shown.collect()
    }
}

//! News of hooks: shapes that are not known are noted once, behind the answer.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use actix_http::{HttpMessage as _, Request};
use switchboard_actors::System;
use switchboard_actors::domain::relays::RelayId;
use switchboard_actors::relay::news;
use switchboard_actors::relay_book::KnownRelay;

/// The most shapes that are remembered in memory as noted.
const NOTED_MAX: usize = 5_000;

/// The shapes that were noted since the start.
#[derive(Debug, Default)]
pub(crate) struct NotedNews(Mutex<BTreeSet<(RelayId, String)>>);

impl NotedNews {
    /// Notes the shapes of a hook that are new.
    pub(crate) fn look(&self, request: &Request, body: &[u8], relay: &KnownRelay, system: &System) {
        let mut shapes = news::of_body(body);
        let names = request.headers().keys().map(|name| name.as_str());
        shapes.extend(news::of_headers(names));
        self.note(relay, shapes, system);
    }

    /// Notes these shapes, if they are new.
    pub(crate) fn note(&self, relay: &KnownRelay, mut shapes: BTreeSet<String>, system: &System) {
        {
            let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            shapes.retain(|shape| {
                let place = (relay.id, shape.clone());
                cache.len() < NOTED_MAX && cache.insert(place)
            });
        }
        if shapes.is_empty() {
            return;
        }
        let (system, channel) = (system.clone(), relay.settings.channel.clone());
        let noting = async move {
            if let Err(error) = system.note_relay_news(&channel, shapes).await {
                tracing::debug!(%channel, %error, "news of a relay are not stored");
            }
        };
        // The sender does not wait for it.
        drop(actix_web::rt::spawn(noting));
    }
}

//! News of hooks: shapes that are not known are noted once, behind the answer.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use actix_http::{HttpMessage as _, Request};
use bytes::Bytes;
use switchboard_actors::System;
use switchboard_actors::domain::relays::RelayId;
use switchboard_actors::relay::news;
use switchboard_actors::relay_book::KnownRelay;

/// The most shapes that are remembered in memory as noted.
const NOTED_MAX: usize = 5_000;

/// The shapes that were noted since the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotedNews(Arc<Mutex<BTreeSet<(RelayId, String)>>>);

impl NotedNews {
    /// Notes the shapes of a hook that are new.
    pub(crate) fn look(&self, request: &Request, body: Bytes, relay: &KnownRelay, system: &System) {
        let names = request.headers().keys().map(|name| name.as_str());
        let mut shapes = news::of_headers(names);
        self.note(relay, system, move || {
            shapes.extend(news::of_body(&body));
            shapes
        });
    }

    /// Notes these shapes, if they are new. No answer waits for it.
    pub(crate) fn note(
        &self,
        relay: &KnownRelay,
        system: &System,
        shapes: impl FnOnce() -> BTreeSet<String> + 'static,
    ) {
        let (cache, id) = (self.clone(), relay.id);
        let (system, channel) = (system.clone(), relay.settings.channel.clone());
        let noting = async move {
            let shapes = cache.add(id, shapes());
            if shapes.is_empty() {
                return;
            }
            if let Err(error) = system.note_relay_news(&channel, shapes).await {
                tracing::debug!(%channel, %error, "news of a relay are not stored");
            }
        };
        drop(actix_web::rt::spawn(noting));
    }

    /// Remembers shapes, and returns those that are new.
    fn add(&self, relay: RelayId, mut shapes: BTreeSet<String>) -> BTreeSet<String> {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shapes.retain(|shape| cache.len() < NOTED_MAX && cache.insert((relay, shape.clone())));
        shapes
    }
}

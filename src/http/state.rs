//! What handlers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use switchboard_actors::System;
use switchboard_actors::domain::time::UnixMillis;
use tokio::sync::{Notify, watch};

use crate::media::MediaStore;

use crate::http::metrics::Requests;

/// What handlers share: the system and a few settings.
#[derive(Clone)]
pub(crate) struct AppState {
    system: System,
    settings: HttpSettings,
    media: MediaStore,
    draining: watch::Sender<bool>,
    traffic: Arc<Traffic>,
    requests: Arc<Requests>,
}

/// How many requests are under way.
#[derive(Debug, Default)]
struct Traffic {
    under_way: AtomicUsize,
    none_left: Notify,
}

/// A request that is under way, until it is dropped.
#[derive(Debug)]
pub(crate) struct UnderWay(Arc<Traffic>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        if self.0.under_way.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.none_left.notify_one();
        }
    }
}

/// What the HTTP side may be told.
#[derive(Clone, Debug)]
pub(crate) struct HttpSettings {
    /// The address that links begin with, without a slash at the end.
    pub(crate) public_url: String,
    /// The longest body that is read, in bytes.
    pub(crate) body_limit: usize,
    /// Whether a refused signature is answered with what the signer probably did wrong.
    pub(crate) signature_hints: bool,
}

impl AppState {
    pub(crate) fn new(system: System, settings: HttpSettings, media: MediaStore) -> Self {
        Self {
            system,
            settings,
            media,
            draining: watch::Sender::new(false),
            traffic: Arc::default(),
            requests: Arc::default(),
        }
    }

    pub(crate) fn system(&self) -> &System {
        &self.system
    }

    pub(crate) fn media(&self) -> &MediaStore {
        &self.media
    }

    pub(crate) fn public_url(&self) -> &str {
        &self.settings.public_url
    }

    /// Whether clients use HTTPS.
    pub(crate) fn is_https(&self) -> bool {
        self.settings.public_url.starts_with("https://")
    }

    pub(crate) fn body_limit(&self) -> usize {
        self.settings.body_limit
    }

    pub(crate) fn signature_hints(&self) -> bool {
        self.settings.signature_hints
    }

    pub(crate) fn now(&self) -> UnixMillis {
        self.system.now()
    }

    /// No new work is wanted: `/readyz` says so.
    pub(crate) fn drain(&self) {
        self.draining.send_replace(true);
    }

    /// Ends when no new work is wanted any more: what would go on for ever ends then.
    pub(crate) async fn closing(&self) {
        let mut draining = self.draining.subscribe();
        // The state that is asked lives, so that it will be told.
        draining
            .wait_for(|draining| *draining)
            .await
            .map(drop)
            .unwrap_or_default();
    }

    /// A request begins.
    pub(crate) fn under_way(&self) -> UnderWay {
        self.traffic.under_way.fetch_add(1, Ordering::AcqRel);
        UnderWay(Arc::clone(&self.traffic))
    }

    /// How many requests are under way now.
    pub(crate) fn under_way_now(&self) -> usize {
        self.traffic.under_way.load(Ordering::Relaxed)
    }

    /// The counters of requests.
    pub(crate) fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Waits until no request is under way.
    pub(crate) async fn idle(&self) {
        while self.traffic.under_way.load(Ordering::Acquire) > 0 {
            self.traffic.none_left.notified().await;
        }
    }

    pub(crate) fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }
}

//! Relays, as the service that hands requests on to them sees them. `switchboard-relay-server` serves them.

use actix_http::{Payload, Request};
use actix_web::HttpResponse;
use futures_util::future::LocalBoxFuture;

use crate::state::AppState;

/// A part of the service that takes requests before the router.
pub trait ServesRelays: Send + Sync {
    /// Returns whether a request is for a relay, by its head alone.
    fn takes(&self, request: &Request) -> bool;

    /// Answers a request that [`Self::takes`] has taken.
    fn serve<'r>(
        &'r self,
        request: &'r Request,
        payload: Payload,
        state: &'r AppState,
    ) -> LocalBoxFuture<'r, HttpResponse>;
}

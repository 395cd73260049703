#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod account;
mod down;
mod incoming;
mod news;
mod refused;
pub mod upward;

use actix_http::{Payload, Request};
use actix_web::HttpResponse;
use futures_util::future::LocalBoxFuture;
use switchboard_actors::relay::settings::PREFIX;
use switchboard_http::relays::ServesRelays;
use switchboard_http::state::AppState;

use crate::news::NotedNews;
use crate::upward::Upward;

/// Takes the requests for the relays of a system.
#[derive(Debug, Default)]
pub struct RelayDoor {
    upward: Option<Upward>,
    news: NotedNews,
}

impl RelayDoor {
    /// The door of relays, with this way up if there is one.
    #[must_use]
    pub fn new(upward: Option<Upward>) -> Self {
        let news = NotedNews::default();
        Self { upward, news }
    }
}

impl ServesRelays for RelayDoor {
    fn takes(&self, request: &Request) -> bool {
        let path = request.path();
        path.starts_with(PREFIX) || self.upward.as_ref().is_some_and(|it| it.takes(path))
    }

    fn serve<'r>(
        &'r self,
        request: &'r Request,
        payload: Payload,
        state: &'r AppState,
    ) -> LocalBoxFuture<'r, HttpResponse> {
        match &self.upward {
            Some(upward) if upward.takes(request.path()) => {
                Box::pin(upward.answer(request, payload, state, &self.news))
            }
            Some(_) | None => Box::pin(down::answer(request, payload, state, &self.news)),
        }
    }
}

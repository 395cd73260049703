//! The wait for a body that did not come with its head.

use std::pin::Pin;
use std::task::Context;
use std::time::Duration;

use actix_web::http::header::HeaderMap;
use switchboard_gate::limits::ArrivalLimits;
use switchboard_gate::limits::connection::{AwaitedBody, Connection};
use tokio::time::{Instant, Sleep, sleep_until};

use super::BodyReadError;

/// The server gives what came with the head when it is asked a second time. A body that is not there after this time did not
/// come with it, whether the server asked again or not.
const PROMPT: Duration = Duration::from_millis(5);

/// The progress of a wait.
pub(super) enum BodyWait<'c> {
    /// The body was not asked for, or was there.
    None,
    /// It was asked for once. Most bodies are there the next time, so nothing is shared yet that others have to see.
    Prompt { since: Instant },
    /// It takes its place among those that are awaited.
    Awaited(Option<AwaitedBody<'c>>),
}

/// The timer of a wait.
pub(super) type Timer<'t> = Pin<&'t mut Option<Sleep>>;

impl<'c> BodyWait<'c> {
    /// Goes on after the body was asked for in vain. Returns why it is not awaited any longer.
    pub(super) fn poll(
        &mut self,
        connection: Option<&'c Connection>,
        headers: &HeaderMap,
        prove: &mut dyn FnMut(),
        mut timer: Timer<'_>,
        context: &mut Context<'_>,
    ) -> Option<BodyReadError> {
        // Requests in memory have no connection.
        let limit = connection.map_or_else(|| ArrivalLimits::default().body, Connection::body_time);
        match self {
            Self::None => {
                connection.inspect(|connection| connection.leave_place());
                let since = Instant::now();
                timer.set(Some(sleep_until(since + PROMPT)));
                *self = Self::Prompt { since };
            }
            Self::Prompt { since } => {
                timer.set(Some(sleep_until(*since + limit)));
                prove();
                *self = Self::Awaited(connection.map(|it| it.await_body(headers)));
            }
            Self::Awaited(_) => {}
        }
        let is_over = timer
            .as_mut()
            .as_pin_mut()
            .is_some_and(|timer| timer.poll(context).is_ready());
        match self {
            Self::Awaited(Some(place)) if place.is_given_up(context) => {
                Some(BodyReadError::GivenUp)
            }
            Self::Awaited(_) if is_over => Some(BodyReadError::TooSlow(limit)),
            Self::None | Self::Prompt { .. } | Self::Awaited(_) => None,
        }
    }

    /// Notes how many bytes have come.
    pub(super) fn progress(&self, bytes: usize) {
        if let Self::Awaited(Some(place)) = self {
            place.progress(bytes);
        }
    }

    /// Returns whether the request has left its place.
    pub(super) fn has_begun(&self) -> bool {
        !matches!(self, Self::None)
    }
}

//! `GET /inbox/v1/events`: what happens in the account, as server-sent events.
//!
//! An event has the number of its record as `id`, so that a browser goes on behind it by itself, also after a restart.
//! Events that are not stored have none. `reset` says: something was missed, read again what you show.

mod audience;
mod team;
mod view;

use std::convert::Infallible;
use std::time::Duration;

use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use futures_util::stream;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::system::live::{Live, LiveNews};
use switchboard_network::shares::{Share, ShareError};
use tokio::time::{Instant, sleep_until};

use crate::base::Base;
use crate::extract::caller::StreamListener;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The interval of signs of life when nothing happens: proxies close what is silent, and a closed connection is noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The time that a browser waits before it comes again, in milliseconds.
const RETRY_MILLIS: u32 = 1_000;

pub(crate) async fn get(
    listener: StreamListener,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let last = request.headers().get("Last-Event-ID");
    // The service never sent an id that is no number: it counts as unknown, and the listener gets `reset`.
    let number = |id: &str| id.parse().ok();
    let after = last.map(|id| id.to_str().ok().and_then(number).unwrap_or(u64::MAX));
    let access = state.system().user_access(&listener.caller).await?;
    let live = access.listen(after).await?;
    let mut response = HttpResponse::Ok();
    response
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        .force_close();
    if request.method() == Method::HEAD {
        return Ok(response.finish());
    }
    let caller = &listener.caller;
    let holder = Holder {
        account: caller.account,
        user: caller.user,
    };
    let share = state
        .limits()
        .stream(holder)
        .map_err(|full| Problem::TooManyRequests {
            detail: too_many(full).to_owned(),
            retry_after: HEARTBEAT,
        })?;
    let open = Open {
        _share: share,
        live,
        listener,
        state,
        base,
        greeted: false,
        beat: Instant::now() + HEARTBEAT,
    };
    let events = stream::unfold(open, async |mut open| {
        let bytes = open.next().await?;
        Some((Ok::<_, Infallible>(bytes), open))
    });
    Ok(response.streaming(events))
}

/// The text about the share of streams that is full.
fn too_many(full: ShareError) -> &'static str {
    match full {
        ShareError::User(_) => {
            "too many streams of events of this user are open (limits.streams_per_user_max)"
        }
        ShareError::Account(_) => {
            "too many streams of events of this account are open (limits.connections_max, open files)"
        }
        ShareError::All => {
            "too many streams of events are open (limits.connections_max, open files)"
        }
    }
}

/// An open stream of events.
struct Open {
    _share: Share,
    live: Live,
    listener: StreamListener,
    state: web::Data<AppState>,
    base: Base,
    greeted: bool,
    beat: Instant,
}

impl Open {
    /// Returns the next bytes to send; `None` ends the stream.
    async fn next(&mut self) -> Option<Bytes> {
        if !std::mem::replace(&mut self.greeted, true) {
            let id = self.live.position();
            let greeting = format!("retry: {RETRY_MILLIS}\nid: {id}\nevent: ready\ndata: {{}}\n\n");
            return Some(greeting.into());
        }
        loop {
            let news = tokio::select! {
                biased;
                () = self.state.closing() => return None,
                news = self.live.next() => news?,
                () = sleep_until(self.beat) => {
                    self.beat = Instant::now() + HEARTBEAT;
                    let welcome = self.listener.is_welcome(&self.state).await;
                    return welcome.then_some(Bytes::from_static(b": \n\n"));
                }
            };
            if !self.listener.is_welcome(&self.state).await {
                return None;
            }
            match news {
                LiveNews::Reset(id) => {
                    return Some(format!("id: {id}\nevent: reset\ndata: {{}}\n\n").into());
                }
                LiveNews::Event(event) => {
                    if audience::may_see(&self.state, &self.listener.caller, &event).await {
                        return Some(view::text(&event, &self.base).into());
                    }
                }
            }
        }
    }
}

pub(crate) fn describe() -> Operation {
    let last = Schema::text()
        .says("The id of the last received event; the stream continues after it, also across a restart of the service.");
    Operation::inbox("listen", "Stream live events.")
        .says(
            "Server-sent events: `ready` first, then `message`, `changed`, `delivery`, `callback`, `lead`, `read`, `media`, `avatar`, `typing`, `viewing`, `note`, `mention`, `group`, `draft`, `notification`, `channel` and, for administrators, `webhook`, each with the data of the schema `Event…` of its name. `reset` means that events were lost: read the lists again. The service sends a comment every 15 seconds.",
        )
        .refuses(404, "A world of `switchboard dev` does not stream events.")
        .refuses(429, "Too many streams of the user are open.")
        .header("Last-Event-ID", last)
        .answers_as(200, "The stream. It does not end by itself.", "text/event-stream", view::schema())
}

//! The outside: a messenger that only the exam sees.

use std::cell::Cell;
use std::env;
use std::rc::Rc;
use std::time::Duration;

use hyper::{Method, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use switchboard_bridge_core::answer::Answer;
use switchboard_bridge_core::forms::{content, conversation_name, part, text};
use switchboard_bridge_core::log::log;
use switchboard_bridge_core::page::{self, PageRequest, PageResponse};
use switchboard_bridge_core::state::{Change, Job, Kind, Lane};
use switchboard_bridge_core::store::Store;
use switchboard_bridge_core::{Messenger, Outcome};

use crate::{contacts, delivery, says};

/// The messages that have arrived at customers, in their order, as JSON.
const ARRIVALS: &str = "shown";
/// The longest delivery, in seconds.
const TAKES_MAX: f64 = 86_400.0;

/// The bridge to this messenger.
pub(crate) type Bridge = switchboard_bridge_core::Bridge<Outside>;

/// The messenger.
pub(crate) struct Outside {
    /// True when the exam may use it.
    has_exam: bool,
    /// The time that a delivery to a customer takes.
    pub(crate) takes: Cell<Duration>,
    /// The number of the last message that has arrived, once it is known.
    last_shown: Cell<Option<u64>>,
}

/// A message that has arrived at a customer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Arrival {
    pub(crate) msgid: String,
    pub(crate) conversation: String,
    pub(crate) text: String,
}

impl Outside {
    #[expect(
        clippy::disallowed_methods,
        reason = "the settings of a bridge are its environment"
    )]
    pub(crate) fn from_environment() -> Self {
        let directory = env::var("SWITCHBOARD_EXAM_DIRECTORY");
        Self {
            has_exam: directory.is_ok_and(|it| !it.is_empty()),
            takes: Cell::new(Duration::ZERO),
            last_shown: Cell::new(None),
        }
    }

    /// The change with which a message arrives, behind all others.
    pub(crate) fn show(&self, store: &Store, arrival: &Arrival) -> Change {
        let last = self.last_shown.get().unwrap_or_else(|| {
            let row = store.last(ARRIVALS);
            row.and_then(|(key, _)| key.parse().ok()).unwrap_or(0)
        });
        self.last_shown.set(Some(last + 1));
        // It is made of texts, which are JSON.
        let text = serde_json::to_string(arrival).unwrap_or_default();
        Change::put(ARRIVALS, format!("{:020}", last + 1), text)
    }
}

impl Messenger for Outside {
    /// The messages of a conversation are delivered one after the other. Typing, reactions, and whatever comes next: this
    /// messenger shows none of it.
    fn lane(_bridge: &Rc<Bridge>, event: &Value) -> Option<Lane> {
        content(event).as_object().filter(|it| !it.is_empty())?;
        let name = conversation_name(part(event, "message"));
        Some(Lane::new(Kind::Deliver, name))
    }

    async fn work(bridge: &Rc<Bridge>, job: &Job, tries: u32) -> Outcome {
        match job.lane.kind {
            Kind::Deliver => delivery::deliver(bridge, job, tries).await,
            // The core does the others.
            Kind::Contact | Kind::Post | Kind::Report => contacts::update(bridge, job, tries).await,
        }
    }

    fn posted(bridge: &Rc<Bridge>, job: &Job, answer: Option<&Answer>) -> Vec<Change> {
        says::posted(bridge, job, answer)
    }

    async fn page(bridge: &Rc<Bridge>, request: PageRequest<'_>) -> Option<PageResponse> {
        if !bridge.messenger.has_exam || !request.path.starts_with("/exam/") {
            return None;
        }
        Some(match on_exam(bridge, request).await {
            Ok((status, text)) => page::text(status, text),
            Err(why) => {
                log(format!(
                    "{} {} failed: {why:#}",
                    request.method, request.path
                ));
                page::unavailable(1)
            }
        })
    }
}

/// Answers the exam.
///
/// # Errors
/// When the system has no randomness.
async fn on_exam(
    bridge: &Rc<Bridge>,
    request: PageRequest<'_>,
) -> anyhow::Result<(StatusCode, String)> {
    let order: Value = serde_json::from_slice(request.body).unwrap_or_default();
    match (request.method, request.path) {
        (&Method::GET, "/exam/seen") => {
            // What is not on the disk yet has not happened.
            bridge.store.flush().await;
            let rows = bridge.store.list(ARRIVALS).into_iter();
            let messages: Vec<String> = rows.map(|(_, text)| text).collect();
            return Ok((StatusCode::OK, format!("[{}]", messages.join(","))));
        }
        (&Method::POST, "/exam/outside") => {
            if let Some(seconds) = part(&order, "takes").as_f64() {
                let seconds = seconds.clamp(0.0, TAKES_MAX);
                let takes = Duration::from_secs_f64(seconds);
                bridge.messenger.takes.set(takes);
                return Ok((StatusCode::OK, "{}".to_owned()));
            }
        }
        (&Method::POST, "/exam/say") => {
            let (customer, words) = (text(&order, "from"), text(&order, "text"));
            if !customer.is_empty() && !words.is_empty() {
                says::say(bridge, customer, words).await?;
                return Ok((StatusCode::CREATED, "{}".to_owned()));
            }
        }
        _ => {}
    }
    Ok((StatusCode::NOT_FOUND, "{}".to_owned()))
}

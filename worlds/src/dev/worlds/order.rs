//! Orders to the thread of a world.

use std::sync::mpsc;
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};
use switchboard_actors::domain::id::MessageId;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::domain::webhooks::destination::Destination;
use tokio::sync::oneshot;

use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::fault::FaultOrder;
use crate::dev::worlds::habit::HabitOrder;
use crate::dev::worlds::kept::Kept;
use crate::dev::worlds::reply::Reply;
use crate::http_world::HttpAnswer;
use crate::world::Person;

/// So many orders wait for a world at most: more than its own connections (64) and those for orders (1,000) can give.
pub(super) const ORDERS_MAX: usize = 1_100;

/// The way to the thread of a world.
pub(super) type Orders = mpsc::SyncSender<Order>;

/// An order to the thread of a world.
pub(super) enum Order {
    /// A request to the address of the world.
    Ask {
        asked: Asked,
        answer: oneshot::Sender<Given>,
    },
    /// A request was refused whose head could not be read; the journal has the beginning of its first line.
    Unreadable { line: String, status: u16 },
    /// The world is shown.
    Describe(Done),
    /// A request to `/dev/v1`.
    Act { ordered: Ordered, done: Done },
    /// Another world is to go on from a snapshot.
    Copy {
        snapshot: String,
        copied: oneshot::Sender<Result<Kept, DevError>>,
    },
    /// Something outside has happened that the world waits for.
    Look,
    /// The world ends.
    End {
        why: String,
        ended: oneshot::Sender<()>,
    },
}

/// The sender of the answer to an order.
pub(super) type Done = oneshot::Sender<Result<Reply, DevError>>;

/// An act that was ordered of a world, and its request: the journal keeps it, so that it can be sent again.
#[derive(Clone, Debug)]
pub(super) struct Ordered {
    pub(super) act: Act,
    pub(super) request: OrderRequest,
}

/// A request to `/dev/v1`, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct OrderRequest {
    pub(super) method: String,
    /// The path after the id of the world, with a query if there is one.
    pub(super) path: String,
    pub(super) body: Value,
}

/// A request to the address of a world.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) method: String,
    /// The path, with a query if there is one.
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Result<Bytes, OrderBodyError>,
}

impl Asked {
    /// The body, as far as it was read.
    pub(super) fn bytes(&self) -> &[u8] {
        self.body.as_deref().unwrap_or_default()
    }
}

/// The reason why the body of a request was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OrderBodyError {
    /// It is longer than so many bytes.
    TooLarge(usize),
    TooSlow,
    BrokenOff(String),
}

/// An answer to a client, whole or with a fault.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Whole(HttpAnswer),
    /// So late, in real time.
    Late(HttpAnswer, Duration),
    /// The connection breaks in the middle of the body.
    Truncated(HttpAnswer),
    /// The connection breaks without an answer.
    Lost,
}

/// An act that is ordered of a world at `/dev/v1`.
#[derive(Clone, Debug)]
pub(super) enum Act {
    SetClock(ClockMode),
    Advance(Duration),
    SetWebhook(Option<String>),
    Subscribe(Subscribed),
    EndHooks,
    Say {
        customer: String,
        text: String,
    },
    Reply {
        user: String,
        customer: Option<String>,
        text: String,
    },
    Messages {
        customer: String,
    },
    Restart,
    Wait(Wait),
    Fault(FaultOrder),
    Faults,
    EndFaults,
    Habit {
        who: Person,
        habit: HabitOrder,
    },
    Habits,
    /// Of this person, or of all.
    EndHabits(Option<Person>),
    Consent {
        user: String,
    },
    Snapshot,
    Restore {
        snapshot: String,
    },
}

/// A webhook of the account that is ordered.
#[derive(Clone, Debug)]
pub(super) struct Subscribed {
    /// The address; `None`: the receiver in memory.
    pub(super) url: Option<Destination>,
    pub(super) codes: Vec<WebhookCode>,
}

impl Subscribed {
    fn line(&self) -> String {
        let codes: Vec<_> = self.codes.iter().map(|code| code.as_str()).collect();
        // Programs put secrets into paths and queries.
        let host = self.url.as_ref().map(Destination::host);
        let receiver = host.as_deref().unwrap_or("the receiver in memory");
        format!("subscribes {receiver} to {}", codes.join(", "))
    }
}

impl Act {
    /// Returns the person who acts and their act, for people; `None`: it changes nothing.
    pub(super) fn line(&self) -> Option<(String, String)> {
        let test = |what: String| Some(("test".to_owned(), what));
        match self {
            Self::Messages { .. } | Self::Faults | Self::Habits => None,
            Self::SetClock(mode) => test(format!("sets the clock to {}", json!(mode))),
            Self::Advance(by) => test(format!("advances the clock by {} s", by.as_secs_f64())),
            Self::SetWebhook(Some(url)) => test(format!("sends callbacks to {url}")),
            Self::SetWebhook(None) => test("sends callbacks to the receiver in memory".to_owned()),
            Self::Subscribe(subscribed) => test(subscribed.line()),
            Self::EndHooks => test("ends all webhooks of the account".to_owned()),
            Self::Say { customer, text } => {
                Some((format!("customer {customer}"), format!("writes {text:?}")))
            }
            Self::Reply { user, text, .. } => {
                Some((format!("user {user}"), format!("replies {text:?}")))
            }
            Self::Restart => test("restarts the service".to_owned()),
            Self::Wait(wait) => test(format!("waits for {}", json!(wait.until))),
            Self::Fault(order) => test(format!("orders a fault: {}", json!(order))),
            Self::EndFaults => test("ends all faults".to_owned()),
            Self::Habit { who, habit } => {
                Some((who.to_string(), format!("has a habit: {}", json!(habit))))
            }
            Self::EndHabits(Some(who)) => {
                Some((who.to_string(), "has no habits any more".to_owned()))
            }
            Self::EndHabits(None) => test("ends all habits".to_owned()),
            Self::Consent { user } => Some((
                format!("user {user}"),
                "consents to the OAuth client".to_owned(),
            )),
            Self::Snapshot => test("takes a snapshot".to_owned()),
            Self::Restore { snapshot } => test(format!("goes back to the snapshot {snapshot}")),
        }
    }
}

/// The condition that a client waits for.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    pub(super) until: Until,
    pub(super) count: usize,
    pub(super) message: Option<MessageId>,
    /// The stage of a lead: the number of its status.
    pub(super) stage: Option<u64>,
    pub(super) matching: Option<String>,
    /// The time of the world that may pass.
    pub(super) timeout: Duration,
    pub(super) after: u64,
}

/// A state that a client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Until {
    #[serde(rename = "callback.delivered")]
    Delivered,
    #[serde(rename = "callback.failed")]
    Failed,
    #[serde(rename = "callback.attempt")]
    Attempt,
    #[serde(rename = "hook.delivered")]
    HookDelivered,
    #[serde(rename = "hook.failed")]
    HookFailed,
    #[serde(rename = "hook.attempt")]
    HookAttempt,
    #[serde(rename = "question.attempt")]
    QuestionAttempt,
    #[serde(rename = "question.asked")]
    QuestionAsked,
    #[serde(rename = "question.answered")]
    QuestionAnswered,
    #[serde(rename = "delivery>=delivered")]
    ReportedDelivered,
    #[serde(rename = "delivery>=read")]
    ReportedRead,
    #[serde(rename = "lead.stage")]
    Stage,
    #[serde(rename = "request.seen")]
    Request,
    #[serde(rename = "quiet")]
    Quiet,
}

impl Until {
    /// Returns whether attempts of callbacks count.
    pub(super) fn is_about_callbacks(self) -> bool {
        matches!(self, Self::Delivered | Self::Failed | Self::Attempt)
    }

    /// Returns whether attempts of hooks count.
    pub(super) fn is_about_hooks(self) -> bool {
        matches!(
            self,
            Self::HookDelivered | Self::HookFailed | Self::HookAttempt
        )
    }

    /// All of them, by their names.
    pub(super) const WORDS: [(&str, Self); 14] = [
        ("callback.delivered", Self::Delivered),
        ("callback.failed", Self::Failed),
        ("callback.attempt", Self::Attempt),
        ("hook.delivered", Self::HookDelivered),
        ("hook.failed", Self::HookFailed),
        ("hook.attempt", Self::HookAttempt),
        ("question.attempt", Self::QuestionAttempt),
        ("question.asked", Self::QuestionAsked),
        ("question.answered", Self::QuestionAnswered),
        ("request.seen", Self::Request),
        ("delivery>=delivered", Self::ReportedDelivered),
        ("delivery>=read", Self::ReportedRead),
        ("lead.stage", Self::Stage),
        ("quiet", Self::Quiet),
    ];
}

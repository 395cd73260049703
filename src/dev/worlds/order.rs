//! What the thread of a world is asked to do.

use std::sync::mpsc;
use std::time::Duration;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use switchboard_actors::domain::id::MessageId;
use tokio::sync::oneshot;

use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::fault::FaultOrder;
use crate::dev::worlds::kept::Kept;
use crate::dev::worlds::refusal::Refusal;
use crate::testing::http_world::Answer;

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
    /// A request to `/dev/v1`.
    Act {
        act: Act,
        done: oneshot::Sender<Result<Value, Refusal>>,
    },
    /// Another world is to go on from a snapshot.
    Copy {
        snapshot: String,
        copied: oneshot::Sender<Result<Kept, Refusal>>,
    },
    /// Something outside has happened that the world waits for.
    Look,
    /// The world ends.
    End {
        why: String,
        ended: oneshot::Sender<()>,
    },
}

/// A request to the address of a world.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) method: String,
    /// The path, with a query if there is one.
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Bytes,
}

/// What a client gets.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Whole(Answer),
    /// The connection breaks in the middle of the body.
    Truncated(Answer),
    /// The connection breaks without an answer.
    Lost,
}

/// What is asked of a world at `/dev/v1`.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Describe,
    SetClock(ClockMode),
    Advance(Duration),
    SetWebhook(Option<String>),
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
    Snapshot,
    Restore {
        snapshot: String,
    },
    Journal {
        after: u64,
        form: JournalForm,
    },
}

/// The form of a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JournalForm {
    /// One entry for each line.
    #[default]
    Json,
    Text,
    Har,
    Html,
}

/// What a client waits for.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    pub(super) until: Until,
    pub(super) count: usize,
    pub(super) message: Option<MessageId>,
    pub(super) matching: Option<String>,
    /// How much of the world's time may pass.
    pub(super) timeout: Duration,
    pub(super) after: u64,
}

/// A state that a client waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Until {
    #[serde(rename = "callback.delivered")]
    Delivered,
    #[serde(rename = "callback.failed")]
    Failed,
    #[serde(rename = "callback.attempt")]
    Attempt,
    #[serde(rename = "request.seen")]
    Request,
    #[serde(rename = "quiet")]
    Quiet,
}

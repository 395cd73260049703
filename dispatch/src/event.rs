//! The inputs of the machine.

use crate::callbacks::Callbacks;
use crate::delivery_queue::{OutNumber, QuestionId, QueueHead};
use crate::endpoint::EndpointSettings;
use crate::outcome::Outcome;
use crate::record::{AttemptTrace, CancelReason};
use crate::retry::Jitter;
use crate::routing::Routing;

/// An input of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<R: Routing = Callbacks> {
    /// An endpoint exists, or an operator changed it. The shell reports every endpoint at the start: the machine then
    /// asks for the queues that the store holds of it.
    EndpointChanged {
        /// The endpoint.
        endpoint: R::Endpoint,
        /// All its settings.
        settings: EndpointSettings,
    },
    /// A queue has something to send: a message was queued or replayed, or a page of the store's queue holds
    /// the queue. A queue that is in memory already stays as it is; repeats do no harm.
    MessageQueued {
        /// The queue.
        queue: R::Queue,
        /// The endpoint that it belongs to now.
        endpoint: R::Endpoint,
        /// Its first message that is not final.
        head: QueueHead,
    },
    /// A message of the queue that was final is queued again. It goes out before what stands behind it, whatever the
    /// queue was about to send; only what is in flight comes first.
    QueueReplayed {
        /// The queue.
        queue: R::Queue,
        /// The endpoint that it belongs to now.
        endpoint: R::Endpoint,
        /// Its first message that is not final.
        head: QueueHead,
    },
    /// The answer to [`super::effect::Effect::AskNext`].
    NextHead {
        /// The queue.
        queue: R::Queue,
        /// The question that is answered.
        question: QuestionId,
        /// The queue's first message that is not final; none if all are.
        head: Option<QueueHead>,
    },
    /// The answer to [`super::effect::Effect::PageIn`], after the queues of the page.
    Paged {
        /// The endpoint.
        endpoint: R::Endpoint,
        /// True when the shell has reported every queue of the endpoint that was in the store when the reading was last
        /// complete.
        complete: bool,
    },
    /// An attempt came back. Every [`super::effect::Effect::Send`] is answered with exactly one of these.
    Returned(Box<Returned<R>>),
    /// The queues of a group belong to this endpoint from now on: the scope of callbacks speaks another version.
    GroupMoved {
        /// The group.
        group: R::Group,
        /// The endpoint.
        endpoint: R::Endpoint,
    },
    /// A group was closed, such as a scope that was disconnected: nothing more is sent for it.
    GroupClosed {
        /// The group.
        group: R::Group,
    },
    /// An operator or an account user decides that a message that is not final is not sent.
    Discard {
        /// Its queue.
        queue: R::Queue,
        /// Its number.
        number: OutNumber,
        /// The reason, by the author of the decision.
        why: CancelReason,
    },
    /// Time passed: the timer rang.
    Tick,
    /// The process is about to end: nothing more is sent, what is in flight is still recorded.
    Draining,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned<R: Routing = Callbacks> {
    /// The queue.
    pub queue: R::Queue,
    /// The message.
    pub number: OutNumber,
    /// The attempt.
    pub attempt: u32,
    /// The outcome.
    pub outcome: Outcome,
    /// The facts about it, for the log.
    pub trace: AttemptTrace,
    /// A fresh random number for the waits that follow.
    pub jitter: Jitter,
}

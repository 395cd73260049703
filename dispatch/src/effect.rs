//! The effects that the machine requests.

use std::time::Duration;

use crate::callbacks::Callbacks;
use crate::delivery_queue::{OutNumber, QuestionId};
use crate::reason::Reason;
use crate::record::{HoldReason, LoggedChange};
use crate::routing::Routing;
use crate::schedule::SlotClass;
use switchboard_values::time::UnixMillis;

/// An effect that the machine requests. The shell carries effects out in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<R: Routing = Callbacks> {
    /// Send a message now, once.
    Send {
        /// Its queue.
        queue: R::Queue,
        /// Its endpoint.
        endpoint: R::Endpoint,
        /// Its number.
        number: OutNumber,
        /// The attempt, for `X-Delivery-Attempt`; above 1 whenever the message may have left before.
        attempt: u32,
        /// The share of the slots that is used, for the metrics.
        slot: SlotClass,
    },
    /// Store a change of a delivery. A final state takes the message out of the store's queue. It need not
    /// wait for the disk: losing it makes a duplicate, never a loss or a change of order.
    Record {
        /// The queue.
        queue: R::Queue,
        /// The message.
        number: OutNumber,
        /// The change.
        entry: Box<LoggedChange>,
    },
    /// Answer with the queue's first message that is not final, after everything recorded so far.
    AskNext {
        /// The queue.
        queue: R::Queue,
        /// To be named in the answer.
        question: QuestionId,
    },
    /// Report the next queues of the store's queue for this endpoint, at most `room`. A page begins where the last one
    /// ended; at the end, the reading starts over. Then report the end of the page.
    PageIn {
        /// The endpoint.
        endpoint: R::Endpoint,
        /// The highest number of queues.
        room: usize,
    },
    /// Record as cancelled everything queued of a group but the messages that are in flight.
    CancelGroup {
        /// The group.
        group: R::Group,
        /// The messages in flight.
        except: Vec<(R::Queue, OutNumber)>,
    },
    /// Send a tick at this moment, which is earlier than the moment named before, and takes its place. Nothing may be due
    /// any more when it comes.
    ArmTimer {
        /// The moment, as the wall clock of the last event counts.
        at: UnixMillis,
    },
    /// Notify people and metrics. May be repeated for the same fact.
    Publish(DispatchEvent<R>),
}

/// A notification to people and metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DispatchEvent<R: Routing = Callbacks> {
    /// An endpoint fails: it is probed, and messages are held.
    EndpointOpened {
        /// The endpoint.
        endpoint: R::Endpoint,
    },
    /// An endpoint takes messages again.
    EndpointRecovered {
        /// The endpoint.
        endpoint: R::Endpoint,
    },
    /// An endpoint is left alone until an operator switches it on again. To be stored with its settings.
    EndpointDisabled {
        /// The endpoint.
        endpoint: R::Endpoint,
        /// The reason.
        why: HoldReason,
    },
    /// An endpoint has been probed in vain for another hour. To be stored with its settings.
    EndpointStillFails {
        /// The endpoint.
        endpoint: R::Endpoint,
        /// The time of probing in vain so far.
        probed: Duration,
    },
    /// A message waits for longer than people expect; not an error.
    MessageWaits {
        /// The queue.
        queue: R::Queue,
        /// The message.
        number: OutNumber,
        /// The reason of its endpoint; none when the message waits for its own retry or its turn.
        held: Option<HoldReason>,
    },
    /// A message was given up.
    MessageDied {
        /// The queue.
        queue: R::Queue,
        /// The message.
        number: OutNumber,
        /// The reason.
        reason: Reason,
    },
}

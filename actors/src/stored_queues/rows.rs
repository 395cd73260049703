//! One kind of stored queues: its names, its table and its records.

use std::fmt::Debug;

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::record::DeliveryRecord;
use crate::domain::dispatch::routing::Routing;
use crate::domain::notice::Notice;
use crate::domain::time::UnixMillis;
use switchboard_engine::entries::Key;
use switchboard_engine::state::State;
use switchboard_engine::store::Seq;
use switchboard_engine::table::Table;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::Kernel;

/// One kind of deliveries: its names, its table and its records.
pub(crate) trait QueueRows: Sized + 'static {
    /// A destination.
    type Endpoint: Copy + Debug + Ord;
    /// A queue of a destination.
    type Queue: Copy + Debug + Ord;
    /// The names by which the machine knows them.
    type Names: Routing<Endpoint = Self::Endpoint, Queue = Self::Queue>;
    /// The streams of the records.
    type Deliveries: State<Notice = Notice>;

    /// The owner of the queues, in words for the log.
    const OWNER: &'static str;
    /// The table of the rows.
    const QUEUED: Table;

    /// Returns the destination of a queue.
    fn endpoint(queue: Self::Queue) -> Self::Endpoint;

    /// Returns the stream of the records of a queue.
    fn stream(queue: Self::Queue) -> <Self::Deliveries as State>::Id;

    /// Returns the prefix of the rows of a destination.
    fn endpoint_prefix(endpoint: Self::Endpoint) -> Vec<u8>;

    /// Returns the prefix of the rows of a queue.
    fn queue_prefix(queue: Self::Queue) -> Vec<u8>;

    /// Returns the row of a delivery.
    fn row(queue: Self::Queue, number: OutNumber) -> Vec<u8>;

    /// Reads a row of a destination.
    fn parse_row(endpoint: Self::Endpoint, row: &[u8]) -> Option<(Self::Queue, OutNumber)>;

    /// Returns the key of the newest record of a delivery.
    fn delivery_key(queue: Self::Queue, number: OutNumber) -> Key;

    /// Returns the event of a change.
    fn event(delivery: Delivery<Self>) -> <Self::Deliveries as State>::Event;

    /// Returns the event of a delivery that is queued again.
    fn replay_event(delivery: Delivery<Self>, at: UnixMillis)
    -> <Self::Deliveries as State>::Event;

    /// Returns the delivery of an event, with the kind of its change.
    fn delivery(event: &<Self::Deliveries as State>::Event) -> (Delivery<Self>, Change);

    /// Returns the notice of a delivery that is queued again, or waits no longer.
    fn replay_notice(queue: Self::Queue) -> Notice;

    /// Returns whether the delivery was queued before this process began. `upto` is the last record of that time.
    fn is_inherited(
        kernel: &Kernel,
        upto: Seq,
        queue: Self::Queue,
        number: OutNumber,
    ) -> Result<bool, UnavailableError>;
}

/// The kind of a change of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is not at its end.
    Open,
    /// It is at its end.
    Final,
    /// It is queued again.
    Replay,
}

/// A delivery of a queue, with its whole record.
#[derive(Debug)]
pub(crate) struct Delivery<K: QueueRows> {
    pub(crate) queue: K::Queue,
    pub(crate) number: OutNumber,
    pub(crate) record: DeliveryRecord,
}

impl<K: QueueRows> Clone for Delivery<K> {
    fn clone(&self) -> Self {
        Self {
            queue: self.queue,
            number: self.number,
            record: self.record.clone(),
        }
    }
}

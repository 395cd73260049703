//! The status of the dispatcher: the states of heads, the health of endpoints.

use actix::{Context, Handler, Message};

use crate::dispatcher::Dispatcher;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::dispatch::endpoint::{EndpointId, EndpointState};
use crate::domain::dispatch::{EndpointStatus, HeadStatus, Occupancy};
use crate::domain::endpoint::EndpointRecord;
use switchboard_engine::store::committer::Submitted;

/// Asks for the states of the heads of these queues.
#[derive(Debug, Message)]
#[rtype(result = "Vec<QueueStatus>")]
pub(crate) struct GetQueues(pub(crate) Vec<QueueId>);

/// The status of a queue.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QueueStatus {
    /// Its head, if it is in memory.
    pub(crate) head: Option<OutNumber>,
    /// The state of the head.
    pub(crate) head_status: Option<HeadStatus>,
    /// The health of the endpoint that the queue belongs to; `None` when its scope is not connected.
    pub(crate) health: Option<EndpointState>,
    /// The newest change of the head that readers may not find yet: what is seen here rests on it.
    pub(crate) on_its_way: Option<Submitted>,
}

/// Asks for the health of all endpoints, and the figures of memory.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "EndpointsStatus")]
pub(crate) struct GetEndpoints;

/// The state of all endpoints, with what is stored of each, and how much is in memory.
#[derive(Clone, Debug)]
pub(crate) struct EndpointsStatus {
    pub(crate) occupancy: Occupancy,
    pub(crate) endpoints: Vec<(EndpointStatus, EndpointRecord)>,
}

impl Handler<GetQueues> for Dispatcher {
    type Result = Vec<QueueStatus>;

    fn handle(&mut self, GetQueues(queues): GetQueues, _: &mut Context<Self>) -> Vec<QueueStatus> {
        let statuses = queues.iter().map(|queue| QueueStatus {
            head: self.shell.machine.head(queue),
            on_its_way: self
                .shell
                .machine
                .head(queue)
                .and_then(|head| self.queue_store.on_its_way(queue.conversation, head)),
            head_status: self.shell.machine.head_status(queue),
            health: self.version_of(&queue.scope).map(|version| {
                self.shell.machine.health(&EndpointId {
                    channel: queue.scope.channel().clone(),
                    version,
                })
            }),
        });
        statuses.collect()
    }
}

impl Handler<GetEndpoints> for Dispatcher {
    type Result = actix::MessageResult<GetEndpoints>;

    fn handle(&mut self, _: GetEndpoints, _: &mut Context<Self>) -> Self::Result {
        let endpoint_statuses = self.shell.machine.endpoint_status().into_iter();
        let endpoints = endpoint_statuses.map(|endpoint_status| {
            let record = self
                .known
                .get(&endpoint_status.endpoint)
                .cloned()
                .unwrap_or_default();
            (endpoint_status, record)
        });
        actix::MessageResult(EndpointsStatus {
            occupancy: self.shell.machine.occupancy(),
            endpoints: endpoints.collect(),
        })
    }
}

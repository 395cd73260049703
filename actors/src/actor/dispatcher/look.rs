//! What can be seen of the dispatcher: where heads stand, how endpoints are.

use actix::{Context, Handler, Message};

use crate::actor::dispatcher::Dispatcher;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::dispatch::endpoint::{EndpointId, EndpointState};
use crate::domain::dispatch::{Occupancy, Sight, Survey};
use crate::domain::endpoint::EndpointRecord;

/// Where the heads of these queues stand.
#[derive(Debug, Message)]
#[rtype(result = "Vec<Seen>")]
pub(crate) struct LookAtQueues(pub(crate) Vec<QueueId>);

/// What is seen of a queue.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Its head, if it is in memory.
    pub(crate) head: Option<OutNumber>,
    /// Where that stands.
    pub(crate) sight: Option<Sight>,
    /// How the endpoint is that the queue belongs to; `None` when its scope is not connected.
    pub(crate) health: Option<EndpointState>,
}

/// How all endpoints are, and how much is in memory.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "EndpointsSeen")]
pub(crate) struct LookAtEndpoints;

/// What is seen of the endpoints.
#[derive(Clone, Debug)]
pub(crate) struct EndpointsSeen {
    pub(crate) occupancy: Occupancy,
    pub(crate) endpoints: Vec<(Survey, EndpointRecord)>,
}

impl Handler<LookAtQueues> for Dispatcher {
    type Result = Vec<Seen>;

    fn handle(&mut self, LookAtQueues(queues): LookAtQueues, _: &mut Context<Self>) -> Vec<Seen> {
        let seen = queues.iter().map(|queue| Seen {
            head: self.machine.head(queue),
            sight: self.machine.sight(queue),
            health: self.version_of(&queue.scope).map(|version| {
                self.machine.health(&EndpointId {
                    channel: queue.scope.channel().clone(),
                    version,
                })
            }),
        });
        seen.collect()
    }
}

impl Handler<LookAtEndpoints> for Dispatcher {
    type Result = actix::MessageResult<LookAtEndpoints>;

    fn handle(&mut self, _: LookAtEndpoints, _: &mut Context<Self>) -> Self::Result {
        let surveys = self.machine.survey().into_iter();
        let endpoints = surveys.map(|survey| {
            let known = self.known.get(&survey.endpoint);
            let known = known.cloned().unwrap_or_default();
            (survey, known)
        });
        actix::MessageResult(EndpointsSeen {
            occupancy: self.machine.occupancy(),
            endpoints: endpoints.collect(),
        })
    }
}

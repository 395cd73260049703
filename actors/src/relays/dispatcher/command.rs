//! The messages of the dispatcher of relays.

use actix::{Context, Handler, Message, MessageResult};

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::endpoint::EndpointState;
use crate::domain::relays::{RelayQueueId, RelayTarget};
use crate::domain::time::UnixMillis;
use crate::relays::dispatcher::RelayDispatcher;
use switchboard_engine::store::committer::Submitted;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::port::RelayAttempt;
use switchboard_runtime::shared::test_attempt::TestAttempt;

/// The health of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetHealth {
    /// The target.
    pub target: RelayTarget,
    /// The health.
    pub health: EndpointState,
    /// The time from which it did not succeed.
    pub failing_since: Option<UnixMillis>,
    /// The time at which the oldest hook in memory was taken.
    pub oldest: Option<UnixMillis>,
    /// Attempts in flight.
    pub in_flight: usize,
}

/// Asks for the health of all targets.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "Vec<TargetHealth>")]
pub(crate) struct RelayHealths;

/// Sends a hook again that is final, also one that was delivered. None when it is not.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct ReplayRelayed {
    pub(crate) queue: RelayQueueId,
    pub(crate) number: OutNumber,
}

/// Ends the wait of a hook for its next attempt. None when it does not wait.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "Result<Option<Submitted>, UnavailableError>")]
pub(crate) struct EndRelayWait {
    pub(crate) queue: RelayQueueId,
    pub(crate) number: OutNumber,
}

impl Handler<RelayHealths> for RelayDispatcher {
    type Result = MessageResult<RelayHealths>;

    fn handle(&mut self, _: RelayHealths, _: &mut Context<Self>) -> Self::Result {
        let endpoints = self.shell.machine.endpoint_status().into_iter();
        let healths = endpoints.map(|status| TargetHealth {
            target: status.endpoint,
            health: status.health,
            failing_since: status.failing_since,
            oldest: status.oldest,
            in_flight: status.in_flight,
        });
        MessageResult(healths.collect())
    }
}

impl Handler<ReplayRelayed> for RelayDispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, message: ReplayRelayed, _: &mut Context<Self>) -> Self::Result {
        let change = self.store.replay(message.queue, message.number)?;
        let target = self.kernel.shared.relays.target(message.queue.target);
        if let Some(target) = target.filter(|_| change.is_some()) {
            target.waits(1);
        }
        Ok(change)
    }
}

impl Handler<EndRelayWait> for RelayDispatcher {
    type Result = Result<Option<Submitted>, UnavailableError>;

    fn handle(&mut self, message: EndRelayWait, _: &mut Context<Self>) -> Self::Result {
        self.store.end_wait(message.queue, message.number)
    }
}

impl Handler<TestAttempt<RelayAttempt>> for RelayDispatcher {
    type Result = ();

    fn handle(&mut self, test: TestAttempt<RelayAttempt>, ctx: &mut Context<Self>) {
        test.make(ctx, |attempt| self.sender.send_relayed(attempt));
    }
}

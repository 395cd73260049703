//! One callback sent for an operator who wants to see what comes: apart from the machine, and recorded nowhere.

use actix::{ActorFutureExt, AsyncContext, Context, Handler, Message, WrapFuture};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::dispatcher::Dispatcher;
use crate::domain::dispatch::outcome::Outcome;
use crate::domain::dispatch::record::AttemptTrace;
use switchboard_runtime::port::Attempt;

/// Makes one attempt and answers what came. It leaves by the same way as all callbacks, so it meets the same guard.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub(crate) struct TestAttempt {
    pub(crate) attempt: Attempt,
    pub(crate) answer: oneshot::Sender<(Outcome, AttemptTrace)>,
    /// Kept until the attempt is over, even if the caller no longer waits for it.
    pub(crate) one_of_few: OwnedSemaphorePermit,
}

impl Handler<TestAttempt> for Dispatcher {
    type Result = ();

    fn handle(&mut self, test: TestAttempt, ctx: &mut Context<Self>) {
        let TestAttempt {
            attempt,
            answer,
            one_of_few,
        } = test;
        let sending = self.sender.send(attempt);
        ctx.spawn(sending.into_actor(self).map(|came, _, _| {
            drop(one_of_few);
            // The caller may have stopped waiting.
            drop(answer.send(came));
        }));
    }
}

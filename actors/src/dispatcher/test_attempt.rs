//! One request sent for an operator who wants to see what comes: apart from the machine, and recorded nowhere.

use std::pin::Pin;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, Message, fut};
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::dispatcher::Dispatcher;
use crate::domain::dispatch::outcome::Outcome;
use crate::domain::dispatch::record::AttemptTrace;
use switchboard_runtime::port::Attempt;

/// Makes one attempt and answers what came. It leaves by the same way as all others, so it meets the same guard.
#[derive(Debug)]
pub(crate) struct TestAttempt<A> {
    pub(crate) attempt: A,
    pub(crate) answer: oneshot::Sender<(Outcome, AttemptTrace)>,
    /// Kept until the attempt is over, even if the caller no longer waits for it.
    pub(crate) one_of_few: OwnedSemaphorePermit,
}

/// An attempt under way.
type Sending = Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>>;

impl<A: Send + 'static> Message for TestAttempt<A> {
    type Result = ();
}

impl<A> TestAttempt<A> {
    /// Makes the attempt beside the other work of an actor.
    pub(crate) fn make<D>(self, ctx: &mut Context<D>, send: impl FnOnce(A) -> Sending)
    where
        D: Actor<Context = Context<D>>,
    {
        let Self {
            attempt,
            answer,
            one_of_few,
        } = self;
        let sending = fut::wrap_future::<_, D>(send(attempt));
        ctx.spawn(sending.map(|came, _, _| {
            drop(one_of_few);
            // The caller may have stopped waiting.
            drop(answer.send(came));
        }));
    }
}

impl Handler<TestAttempt<Attempt>> for Dispatcher {
    type Result = ();

    fn handle(&mut self, test: TestAttempt<Attempt>, ctx: &mut Context<Self>) {
        test.make(ctx, |attempt| self.sender.send(attempt));
    }
}

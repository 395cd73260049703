//! One request sent for an operator who wants to see what comes: apart from the machine, and recorded nowhere.

use std::pin::Pin;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Message, fut};
use switchboard_domain::dispatch::outcome::Outcome;
use switchboard_domain::dispatch::record::AttemptTrace;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// Makes one attempt and answers what came. It leaves by the same way as all others, so it meets the same guard.
#[derive(Debug)]
pub struct TestAttempt<A> {
    /// The attempt.
    pub attempt: A,
    /// The place for what came.
    pub answer: oneshot::Sender<(Outcome, AttemptTrace)>,
    /// Kept until the attempt is over, even if the caller no longer waits for it.
    pub one_of_few: OwnedSemaphorePermit,
}

/// An attempt under way.
type Sending = Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>>;

impl<A: Send + 'static> Message for TestAttempt<A> {
    type Result = ();
}

impl<A> TestAttempt<A> {
    /// Makes the attempt beside the other work of an actor.
    pub fn make<D>(self, ctx: &mut Context<D>, send: impl FnOnce(A) -> Sending)
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

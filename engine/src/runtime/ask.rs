//! Asks the owner of a state, with a deadline: on whatever thread it lives, and however often it has retired.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix::dev::{MessageResponse, OneshotSender};
use actix::{Actor, Context, Handler, MailboxError, Message};

use crate::error::{CommandError, UnavailableError};
use crate::runtime::kernel::{Kernel, Product};
use crate::runtime::owner::{Execute, ExecuteError, Owned, Owner};
use crate::runtime::shell::DeclinedError;
use crate::state::{Command, State};

/// The number of owners that a message is handed to before the caller gets an error and has to try again.
const OWNERS_MAX: usize = 4;

/// Sends a message to the owner of the state `id` and waits for its answer, at most for the deadline. If the message
/// is still in the mailbox then, the owner never handles it, and the caller gets the error that the service is busy.
/// If the owner has taken it out, the outcome is unknown: the decision may wait for a slow disk.
pub async fn ask<S, P, M, T, R>(
    kernel: &Kernel<P>,
    id: &S::Id,
    message: M,
) -> Result<T, DeclinedError<R>>
where
    S: Owned<P>,
    P: Product,
    M: Message<Result = Result<T, ExecuteError<M, R>>> + Send + 'static,
    T: Send + 'static,
    R: Send + 'static,
    Owner<S, P>: Actor<Context = Context<Owner<S, P>>> + Handler<M>,
{
    let deadline: Duration = kernel.ask_deadline;
    let taken_flag = Arc::<AtomicBool>::default();
    let reply = hand_over(kernel, id, message, &taken_flag);
    match tokio::time::timeout(deadline, reply).await {
        Ok(answer) => answer,
        Err(_elapsed) if taken_flag.load(Ordering::Relaxed) => {
            Err(UnavailableError::Interrupted.into())
        }
        Err(_elapsed) => Err(UnavailableError::Busy.into()),
    }
}

/// As [`ask`], without a deadline: for an owner that hands its own records to another one. It must learn the outcome.
/// Its wait cannot end in a deadlock, since owners never wait in a circle.
pub async fn ask_without_deadline<S, P, M, T, R>(
    kernel: &Kernel<P>,
    id: &S::Id,
    message: M,
) -> Result<T, DeclinedError<R>>
where
    S: Owned<P>,
    P: Product,
    M: Message<Result = Result<T, ExecuteError<M, R>>> + Send + 'static,
    T: Send + 'static,
    R: Send + 'static,
    Owner<S, P>: Actor<Context = Context<Owner<S, P>>> + Handler<M>,
{
    hand_over(kernel, id, message, &Arc::default()).await
}

/// Hands a message to one owner after the other until one does not give it back. `taken`: whether one has it now.
async fn hand_over<S, P, M, T, R>(
    kernel: &Kernel<P>,
    id: &S::Id,
    mut message: M,
    taken: &Arc<AtomicBool>,
) -> Result<T, DeclinedError<R>>
where
    S: Owned<P>,
    P: Product,
    M: Message<Result = Result<T, ExecuteError<M, R>>> + Send + 'static,
    T: Send + 'static,
    R: Send + 'static,
    Owner<S, P>: Actor<Context = Context<Owner<S, P>>> + Handler<M>,
{
    for _ in 0..OWNERS_MAX {
        taken.store(false, Ordering::Relaxed);
        let flagged = WithTakenFlag {
            message,
            taken: Arc::clone(taken),
        };
        let delivery =
            S::directory(&kernel.shared).send::<WithTakenFlag<M>>(id, kernel, flagged)?;
        match delivery.await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(ExecuteError::Rejected(rejection))) => {
                return Err(DeclinedError::Rejected(rejection));
            }
            Ok(Err(ExecuteError::Unavailable(unavailable))) => return Err(unavailable.into()),
            Ok(Err(ExecuteError::Retired(again))) => message = *again,
            Err(MailboxError::Closed | MailboxError::Timeout) => {
                return Err(UnavailableError::Interrupted.into());
            }
        }
    }
    Err(UnavailableError::Busy.into())
}

/// Has a command carried out by the owner of the state `id`; answers once it is on disk.
pub async fn execute<P, C>(
    kernel: &Kernel<P>,
    id: &<C::Of as State>::Id,
    command: C,
) -> Result<C::Reply, CommandError<C::Rejection>>
where
    P: Product,
    C: Command<Of: Owned<P>>,
{
    let _accepted = kernel.gate.enter()?;
    let pending =
        ask::<C::Of, _, _, _, _>(kernel, id, Execute::from_here(command, &kernel.journal)).await?;
    Ok(pending.stored(&kernel.journal).await?)
}

/// A message with a flag that says whether it was taken out of the mailbox.
struct WithTakenFlag<M> {
    message: M,
    taken: Arc<AtomicBool>,
}

impl<M: Message> Message for WithTakenFlag<M> {
    type Result = M::Result;
}

impl<S, P, M> Handler<WithTakenFlag<M>> for Owner<S, P>
where
    S: Owned<P>,
    P: Product,
    M: Message,
    Owner<S, P>: Actor<Context = Context<Owner<S, P>>> + Handler<M>,
{
    type Result = ForwardedResponse<<Self as Handler<M>>::Result>;

    fn handle(&mut self, flagged: WithTakenFlag<M>, ctx: &mut Context<Self>) -> Self::Result {
        flagged.taken.store(true, Ordering::Relaxed);
        ForwardedResponse(Handler::<M>::handle(self, flagged.message, ctx))
    }
}

/// The response to the message in a [`WithTakenFlag`].
struct ForwardedResponse<R>(R);

impl<A, M, R> MessageResponse<A, WithTakenFlag<M>> for ForwardedResponse<R>
where
    A: Actor,
    M: Message,
    R: MessageResponse<A, M>,
{
    fn handle(self, ctx: &mut A::Context, asker: Option<OneshotSender<M::Result>>) {
        self.0.handle(ctx, asker);
    }
}

impl<R: std::error::Error> From<DeclinedError<R>> for CommandError<R> {
    fn from(declined: DeclinedError<R>) -> Self {
        match declined {
            DeclinedError::Rejected(rejection) => Self::Rejected(rejection),
            DeclinedError::Unavailable(unavailable) => Self::Unavailable(unavailable),
        }
    }
}

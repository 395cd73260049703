//! Asking an owner, with a deadline, wherever it lives and however often it has retired.

use std::time::Duration;

use actix::{Actor, Context, Handler, MailboxError, Message};

use crate::domain::Command;
use crate::error::{Refused, Unavailable};
use crate::runtime::env::Env;
use crate::runtime::owner::{Execute, NotDone, Owned, Owner};
use crate::runtime::shell::Declined;

/// How often a message is handed to the next owner before the caller is told to try again.
const OWNERS_MAX: usize = 4;

/// Sends a message to the owner of the state `id` and waits for its answer, at most for the deadline. A message that
/// still waits in the mailbox then is never handled.
pub(crate) async fn ask<S, M, T, R>(env: &Env, id: &S::Id, message: M) -> Result<T, Declined<R>>
where
    S: Owned,
    M: Message<Result = Result<T, NotDone<M, R>>> + Send + 'static,
    T: Send + 'static,
    R: Send + 'static,
    Owner<S>: Actor<Context = Context<Owner<S>>> + Handler<M>,
{
    let deadline: Duration = env.config.ask_deadline;
    match tokio::time::timeout(deadline, insist(env, id, message)).await {
        Ok(answer) => answer,
        Err(_elapsed) => Err(Unavailable::Busy.into()),
    }
}

/// As [`ask`], without a deadline: for an owner that hands its own records to another. It must learn what became of
/// them, and nobody else can be hurt by its patience, since owners never wait in a circle.
pub(crate) async fn insist<S, M, T, R>(
    env: &Env,
    id: &S::Id,
    mut message: M,
) -> Result<T, Declined<R>>
where
    S: Owned,
    M: Message<Result = Result<T, NotDone<M, R>>> + Send + 'static,
    T: Send + 'static,
    R: Send + 'static,
    Owner<S>: Actor<Context = Context<Owner<S>>> + Handler<M>,
{
    for _ in 0..OWNERS_MAX {
        let owner = S::directory(env).resolve(id, env)?;
        match owner.send(message).await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(NotDone::Rejected(rejection))) => return Err(Declined::Rejected(rejection)),
            Ok(Err(NotDone::Unavailable(unavailable))) => return Err(unavailable.into()),
            Ok(Err(NotDone::Retired(again))) => message = *again,
            Err(MailboxError::Closed | MailboxError::Timeout) => {
                return Err(Unavailable::Interrupted.into());
            }
        }
    }
    Err(Unavailable::Busy.into())
}

/// Has a command carried out by the owner of the state `id`; answers once it is on disk.
pub(crate) async fn execute<S, C>(
    env: &Env,
    id: &S::Id,
    command: C,
) -> Result<C::Reply, Refused<C::Rejection>>
where
    S: Owned,
    C: Command<Of = S>,
{
    let _accepted = env.gate.enter()?;
    let pending = ask::<S, _, _, _>(env, id, Execute::from_here(command, &env.journal)).await?;
    Ok(pending.stored(&env.journal).await?)
}

impl<R: std::error::Error> From<Declined<R>> for Refused<R> {
    fn from(declined: Declined<R>) -> Self {
        match declined {
            Declined::Rejected(rejection) => Self::Rejected(rejection),
            Declined::Unavailable(unavailable) => Self::Unavailable(unavailable),
        }
    }
}

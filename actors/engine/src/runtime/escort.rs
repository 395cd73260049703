//! A group that needs two owners: one prepares, the other decides, adds its own records and submits both.
//!
//! The direction between two kinds of owners is always the same, so nobody waits in a circle. While the other owner
//! decides, the first takes no message (`Context::wait`): this is what makes it right that it applies its own events
//! afterwards, and the one exception to «nothing of the actor is touched after an await».

use std::future::Future;

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{AsyncContext, Context};
use tokio::sync::oneshot;

use crate::error::Unavailable;
use crate::runtime::answer::Rests;
use crate::runtime::owner::{Owned, Owner};
use crate::runtime::pending::Pending;
use crate::store::committer::Submitted;

/// An answer that is there at once, or once another owner has decided.
#[derive(Debug)]
pub enum Step<R> {
    /// It is there.
    Now(Pending<R>),
    /// It will be.
    Later(oneshot::Receiver<Result<Pending<R>, Unavailable>>),
}

impl<R> Rests for Step<R> {
    fn rests_on(&self) -> Option<Submitted> {
        match self {
            Self::Now(pending) => Some(pending.rests_on()),
            Self::Later(_) => None,
        }
    }
}

impl<R> Step<R> {
    /// The answer, once it is there; it still has to be [`stored`](Pending::stored).
    pub async fn settled(self) -> Result<Pending<R>, Unavailable> {
        match self {
            Self::Now(pending) => Ok(pending),
            Self::Later(later) => later.await.unwrap_or(Err(Unavailable::Interrupted)),
        }
    }
}

/// Waits for another owner, taking no message meanwhile, then finishes with what that owner submitted. When nobody can
/// tell what became of the group, the state is given up: whoever needs it next reads it from the store.
pub fn escort<S, T, R>(
    ctx: &mut Context<Owner<S>>,
    owner: &Owner<S>,
    other: impl Future<Output = Result<T, Unavailable>> + 'static,
    finish: impl FnOnce(&mut Owner<S>, T) -> Result<Pending<R>, Unavailable> + 'static,
) -> Step<R>
where
    S: Owned,
    T: 'static,
    R: 'static,
{
    let (answer, later) = oneshot::channel();
    ctx.wait(
        other
            .into_actor(owner)
            .map(move |submitted, owner: &mut Owner<S>, ctx| {
                let result = submitted.and_then(|submitted| finish(owner, submitted));
                match &result {
                    Err(Unavailable::Interrupted) => owner.leave(),
                    _ => owner.publish(ctx),
                }
                // The caller may have gone away; what was decided stands all the same.
                drop(answer.send(result));
            }),
    );
    Step::Later(later)
}

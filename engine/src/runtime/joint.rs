//! A change that two owners decide on. It is one group in the journal, so both parts of it happen or neither.
//!
//! The owner that gets the message decides first and makes its records. It hands them to the second owner, which
//! decides, adds its own records and submits them all. Then the first owner applies its events.
//!
//! Between two kinds of states the direction is always the same, so owners never wait in a circle. While the second
//! owner decides, the first takes no message (`Context::wait`). So it may apply its events afterwards: this is the
//! one exception to «nothing of the actor is touched after an await».

use std::convert::Infallible;
use std::future::Future;

use actix::fut::{ActorFutureExt, WrapFuture};
use actix::{AsyncContext, Context, Handler, Message};
use tokio::sync::oneshot;

use crate::error::{CommandError, UnavailableError};
use crate::runtime::answer::{Depends, DurableAnswer};
use crate::runtime::ask::{ask, ask_without_deadline};
use crate::runtime::kernel::{Kernel, Product};
use crate::runtime::owner::{Execute, ExecuteError, Owned, Owner};
use crate::runtime::pending::Pending;
use crate::runtime::shell::{Carried, DeclinedError, Prepared};
use crate::state::{Command, State};
use crate::store::committer::Submitted;
use crate::store::committer::waiters::ThreadHandle;

/// A change that two owners decide on.
pub trait Joint: Send + Sized + 'static {
    /// The product that owns both states.
    type Product: Product;
    /// The part that the first owner decides.
    type First: Command<Of: Owned<Self::Product>>;
    /// The part that the second owner decides: [`Execute`], or [`ExecuteJoint`] when it needs another owner in turn.
    type Second: Part<Self::Product>;
    /// The input of the second part, while the first is decided.
    type SecondInput;
    /// The answer when both accept.
    type Reply: Send + 'static;
    /// The answer when one of them rejects; nothing is written then.
    type Rejection: Send + 'static;

    /// Takes the change apart.
    fn first(self) -> (Self::First, Self::SecondInput);

    /// The second part and the state it is for; `None`: the first part is all, and is a group of its own.
    fn second(
        second_input: Self::SecondInput,
        first: &FirstReply<Self>,
    ) -> Option<(SecondId<Self>, Self::Second)>;

    /// The answer. A missing part was not written: the second, when it was not needed; the first, when the second
    /// owner wrote nothing, as for a repeat. `None`: there is no answer without the missing part, and the caller gets
    /// the error that the change was interrupted.
    fn reply(
        first: Option<FirstReply<Self>>,
        second: Option<SecondReply<Self>>,
    ) -> Option<Self::Reply>;

    /// The rejection of the whole change.
    fn rejection(by: RejectedBy<FirstRejection<Self>, SecondRejection<Self>>) -> Self::Rejection;
}

/// The state that the first part of a [`Joint`] is for.
pub type FirstState<J> = <<J as Joint>::First as Command>::Of;
/// The answer of the first owner.
pub type FirstReply<J> = <<J as Joint>::First as Command>::Reply;
/// The first owner's reason to reject.
pub type FirstRejection<J> = <<J as Joint>::First as Command>::Rejection;
/// The id of the state that the second part is for.
pub type SecondId<J> = <<<J as Joint>::Second as Part<<J as Joint>::Product>>::Of as State>::Id;
/// The answer of the second owner.
pub type SecondReply<J> = <<J as Joint>::Second as Part<<J as Joint>::Product>>::Reply;
/// The second owner's reason to reject.
pub type SecondRejection<J> = <<J as Joint>::Second as Part<<J as Joint>::Product>>::Rejection;
/// The records of other owners that go along with a change of such a state.
pub type CarriedBy<S> = Carried<<S as State>::Notice>;

/// The one of two owners that rejects a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectedBy<F, S> {
    /// The first.
    First(F),
    /// The second.
    Second(S),
}

impl<F> RejectedBy<F, Infallible> {
    /// The first owner's rejection, since the second accepts everything.
    pub fn first(self) -> F {
        match self {
            Self::First(rejection) => rejection,
            Self::Second(never) => match never {},
        }
    }
}

impl<S> RejectedBy<Infallible, S> {
    /// The second owner's rejection, since the first accepts everything.
    pub fn second(self) -> S {
        match self {
            Self::First(never) => match never {},
            Self::Second(rejection) => rejection,
        }
    }
}

/// A decision of an owner, in one group with records of another owner.
pub trait Part<P: Product>: Send + 'static {
    /// The state it is for.
    type Of: Owned<P>;
    /// The answer when it is accepted.
    type Reply: Send + 'static;
    /// The answer when it is rejected.
    type Rejection: Send + 'static;

    /// Has the owner of the state `id` decide and submit; answers before the group is on disk.
    fn submit(
        self,
        kernel: Kernel<P>,
        id: <Self::Of as State>::Id,
        carried: CarriedBy<Self::Of>,
    ) -> impl Future<Output = Result<Pending<Self::Reply>, DeclinedError<Self::Rejection>>> + 'static;
}

impl<P: Product, C: Command<Of: Owned<P>>> Part<P> for Execute<C> {
    type Of = C::Of;
    type Reply = C::Reply;
    type Rejection = C::Rejection;

    async fn submit(
        mut self,
        kernel: Kernel<P>,
        id: <C::Of as State>::Id,
        carried: CarriedBy<C::Of>,
    ) -> Result<Pending<C::Reply>, DeclinedError<C::Rejection>> {
        self.carried = carried.and(self.carried);
        ask_without_deadline::<C::Of, _, _, _, _>(&kernel, &id, self).await
    }
}

impl<J: Joint> Part<J::Product> for ExecuteJoint<J> {
    type Of = FirstState<J>;
    type Reply = J::Reply;
    type Rejection = J::Rejection;

    async fn submit(
        mut self,
        kernel: Kernel<J::Product>,
        id: <FirstState<J> as State>::Id,
        carried: CarriedBy<FirstState<J>>,
    ) -> Result<Pending<J::Reply>, DeclinedError<J::Rejection>> {
        self.carried = carried.and(self.carried);
        let step = ask_without_deadline::<FirstState<J>, _, _, _, _>(&kernel, &id, self).await?;
        step.submitted().await
    }
}

/// A [`Joint`] on its way to its first owner.
pub struct ExecuteJoint<J: Joint> {
    joint: J,
    carried: CarriedBy<FirstState<J>>,
    /// The caller's thread, when the caller has nothing to do before the records are on disk.
    asker: Option<ThreadHandle>,
}

impl<J: Joint> From<J> for ExecuteJoint<J> {
    /// For an owner whose records go along, and which needs their numbers at once.
    fn from(joint: J) -> Self {
        Self {
            joint,
            carried: Carried::default(),
            asker: None,
        }
    }
}

impl<J: Joint> Message for ExecuteJoint<J> {
    type Result = Result<JointStep<J::Reply, J::Rejection>, ExecuteError<Self, J::Rejection>>;
}

/// An answer that is there at once, or once the second owner has decided.
#[derive(Debug)]
pub enum JointStep<R, E> {
    /// It is there.
    Now(Pending<R>),
    /// It will be.
    Later(oneshot::Receiver<Result<Pending<R>, DeclinedError<E>>>),
}

impl<R, E> Depends for JointStep<R, E> {
    fn depends_on(&self) -> Option<Submitted> {
        match self {
            Self::Now(pending) => Some(pending.depends_on()),
            Self::Later(_) => None,
        }
    }
}

impl<R, E> JointStep<R, E> {
    /// The answer, once it is there; it still has to be [`stored`](Pending::stored).
    async fn submitted(self) -> Result<Pending<R>, DeclinedError<E>> {
        match self {
            Self::Now(pending) => Ok(pending),
            Self::Later(later) => later
                .await
                .unwrap_or(Err(UnavailableError::Interrupted.into())),
        }
    }
}

/// Has a change carried out by the owner of the state `id` and a second owner; answers once it is on disk. The caller
/// holds a pass of the [gate](Kernel).
///
/// # Errors
/// When one of the owners rejects the change, or it cannot be stored now.
pub async fn execute_joint<J>(
    kernel: &Kernel<J::Product>,
    id: &<FirstState<J> as State>::Id,
    joint: J,
) -> Result<J::Reply, CommandError<J::Rejection>>
where
    J: Joint<Rejection: std::error::Error>,
{
    let message = ExecuteJoint {
        asker: Some(kernel.journal.thread_handle()),
        ..ExecuteJoint::from(joint)
    };
    let step = ask::<FirstState<J>, _, _, _, _>(kernel, id, message).await?;
    Ok(step.submitted().await?.stored(&kernel.journal).await?)
}

impl<S, J> Handler<ExecuteJoint<J>> for Owner<S, J::Product>
where
    S: Owned<J::Product>,
    J: Joint<First: Command<Of = S>>,
{
    type Result = DurableAnswer<<ExecuteJoint<J> as Message>::Result, S::Notice>;

    fn handle(&mut self, message: ExecuteJoint<J>, ctx: &mut Context<Self>) -> Self::Result {
        let asker = message.asker.clone();
        let result = start(self, message, ctx);
        DurableAnswer::new(result, asker, &self.journal)
    }
}

/// The first owner decides, and alone if the change needs no other owner.
fn start<S, J>(
    owner: &mut Owner<S, J::Product>,
    message: ExecuteJoint<J>,
    ctx: &mut Context<Owner<S, J::Product>>,
) -> <ExecuteJoint<J> as Message>::Result
where
    S: Owned<J::Product>,
    J: Joint<First: Command<Of = S>>,
{
    let shell = match owner.shell() {
        Ok(shell) => shell,
        Err(None) => return Err(ExecuteError::Retired(Box::new(message))),
        Err(Some(unavailable)) => return Err(ExecuteError::Unavailable(unavailable)),
    };
    let ExecuteJoint { joint, carried, .. } = message;
    let (first, second_input) = joint.first();
    let mut prepared = match shell.prepare(first) {
        Ok(prepared) => prepared,
        Err(DeclinedError::Rejected(rejection)) => {
            return Err(ExecuteError::Rejected(J::rejection(RejectedBy::First(
                rejection,
            ))));
        }
        Err(DeclinedError::Unavailable(unavailable)) => {
            return Err(ExecuteError::Unavailable(unavailable));
        }
    };
    let Some((id, second)) = J::second(second_input, &prepared.reply) else {
        let pending = shell.commit(prepared, carried)?;
        owner.publish(ctx);
        let answer = pending.filter_map(|first| J::reply(Some(first), None));
        return Ok(JointStep::Now(answer.ok_or(UnavailableError::Interrupted)?));
    };
    let group = carried.and(std::mem::take(&mut prepared.carried));
    let second = second.submit(owner.kernel.clone(), id, group);
    let (answer, later) = oneshot::channel();
    ctx.wait(second.into_actor(owner).map(
        move |decided, owner: &mut Owner<S, J::Product>, ctx| {
            let result = finish::<S, J>(owner, prepared, decided);
            match &result {
                // The outcome of the group is unknown: the next owner reads the state from the store.
                Err(DeclinedError::Unavailable(UnavailableError::Interrupted)) => owner.leave(),
                Ok(_) | Err(_) => owner.publish(ctx),
            }
            // The caller may have gone away; the decision stands.
            drop(answer.send(result));
        },
    ));
    Ok(JointStep::Later(later))
}

/// The first owner applies its part, if the second submitted it.
fn finish<S, J>(
    owner: &mut Owner<S, J::Product>,
    prepared: Prepared<S, FirstReply<J>>,
    decided: Result<Pending<SecondReply<J>>, DeclinedError<SecondRejection<J>>>,
) -> Result<Pending<J::Reply>, DeclinedError<J::Rejection>>
where
    S: Owned<J::Product>,
    J: Joint<First: Command<Of = S>>,
{
    let pending = match decided {
        Ok(pending) => pending,
        Err(DeclinedError::Rejected(rejection)) => {
            return Err(DeclinedError::Rejected(J::rejection(RejectedBy::Second(
                rejection,
            ))));
        }
        Err(DeclinedError::Unavailable(unavailable)) => return Err(unavailable.into()),
    };
    let first = match (pending.group(), owner.shell()) {
        (None, _) => None,
        (Some(group), Ok(shell)) => Some(shell.apply(prepared, group)),
        (Some(_), Err(_retired_or_failed)) => return Err(UnavailableError::Interrupted.into()),
    };
    let answer = pending.filter_map(|second| J::reply(first, Some(second)));
    Ok(answer.ok_or(UnavailableError::Interrupted)?)
}

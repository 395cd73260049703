//! The actor that owns one state.

use std::marker::PhantomData;
use std::rc::Rc;

use actix::fut::ActorFutureExt;
use actix::{Actor, AsyncContext, Context, Handler, Message, WrapFuture};

use crate::error::UnavailableError;
use crate::runtime::answer::DurableAnswer;
use crate::runtime::directory::Directory;
use crate::runtime::kernel::{Kernel, Product};
use crate::runtime::pending::Pending;
use crate::runtime::shell::{Carried, DeclinedError, Shell};
use crate::state::{Command, State};
use crate::store::Seq;
use crate::store::committer::waiters::ThreadHandle;
use crate::store::committer::{Journal, Submitted};

/// A state that actors of a product own. The product implements it, also for states of another crate.
pub trait Owned<P: Product>: State<Notice = P::Notice> + Clone + Unpin {
    /// The directory of the actors that own such states.
    fn directory(product: &P) -> &Directory<Self, P>;

    /// True when others read the state without asking its owner.
    const PUBLISHED: bool = false;

    /// Publishes the state, and the record that it rests on, to readers that do not ask the owner.
    fn publish(&self, _rests_on: Submitted, _product: &P) {}
}

/// The actor that owns one state.
pub struct Owner<S: Owned<P>, P: Product> {
    /// The parts that every actor gets.
    pub kernel: Kernel<P>,
    /// The journal, for answers on their way. Only this thread counts its clones: a count that threads share moves to
    /// the processor of each thread that changes it.
    pub journal: Rc<Journal<S::Notice>>,
    id: S::Id,
    /// Distinguishes this actor from earlier owners of the same state.
    instance: u64,
    mode: Mode<S, P>,
}

enum Mode<S: Owned<P>, P: Product> {
    /// Waiting for the store; the mailbox waits too.
    Loading,
    Owning(Shell<S, P>),
    /// Another actor may own the state now: commands are handed back.
    Retired,
    /// The state could not be loaded.
    Failed(UnavailableError),
}

/// The reason for which an owner did not carry out a command.
#[derive(Debug)]
pub enum ExecuteError<C, R> {
    /// The rules forbid it.
    Rejected(R),
    /// Not now.
    Unavailable(UnavailableError),
    /// The owner has retired: ask the directory for another and send it this.
    Retired(Box<C>),
}

impl<C, R> From<UnavailableError> for ExecuteError<C, R> {
    fn from(unavailable: UnavailableError) -> Self {
        Self::Unavailable(unavailable)
    }
}

impl<C, R> From<DeclinedError<R>> for ExecuteError<C, R> {
    fn from(declined: DeclinedError<R>) -> Self {
        match declined {
            DeclinedError::Rejected(rejection) => Self::Rejected(rejection),
            DeclinedError::Unavailable(unavailable) => Self::Unavailable(unavailable),
        }
    }
}

/// The notices of a command.
pub type NoticeOf<C> = <<C as Command>::Of as State>::Notice;

/// A command on its way to the owner of its state, with records of others that are to be in the same group.
#[derive(Debug)]
pub struct Execute<C: Command> {
    command: C,
    pub(crate) carried: Carried<NoticeOf<C>>,
    /// The caller's thread, when the caller has nothing to do before the records are on disk.
    asker: Option<ThreadHandle>,
}

impl<C: Command> Execute<C> {
    /// For a caller on this thread that only waits for the disk.
    pub fn from_here(command: C, journal: &Journal<NoticeOf<C>>) -> Self {
        Self {
            command,
            carried: Carried::default(),
            asker: Some(journal.thread_handle()),
        }
    }

    /// For a caller that goes on before the records are on disk, such as an owner with records in the same group.
    pub fn at_once(command: C) -> Self {
        Self {
            command,
            carried: Carried::default(),
            asker: None,
        }
    }
}

impl<C: Command> Message for Execute<C> {
    type Result = Result<Pending<C::Reply>, ExecuteError<Self, C::Rejection>>;
}

/// Asks an owner to leave memory if it has nothing to do.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub struct Retire;

impl<S: Owned<P>, P: Product> Owner<S, P> {
    pub(crate) fn new(kernel: Kernel<P>, id: S::Id, instance: u64) -> Self {
        Self {
            journal: Rc::new(kernel.journal.clone()),
            kernel,
            id,
            instance,
            mode: Mode::Loading,
        }
    }

    /// The shell, if this actor may use it; otherwise why not.
    ///
    /// # Errors
    /// Why not; `None`: the owner has retired, and the message is for another one.
    pub fn shell(&mut self) -> Result<&mut Shell<S, P>, Option<UnavailableError>> {
        if matches!(&self.mode, Mode::Owning(shell) if shell.is_stale()) {
            self.leave();
        }
        match &mut self.mode {
            Mode::Owning(shell) => Ok(shell),
            Mode::Retired => Err(None),
            Mode::Loading => Err(Some(UnavailableError::Interrupted)),
            Mode::Failed(unavailable) => Err(Some(unavailable.clone())),
        }
    }

    fn execute<C: Command<Of = S>>(
        &mut self,
        message: Execute<C>,
        ctx: &mut Context<Self>,
    ) -> Result<Pending<C::Reply>, ExecuteError<Execute<C>, C::Rejection>> {
        let shell = match self.shell() {
            Ok(shell) => shell,
            Err(None) => return Err(ExecuteError::Retired(Box::new(message))),
            Err(Some(unavailable)) => return Err(ExecuteError::Unavailable(unavailable)),
        };
        let pending = shell.execute(message.command, message.carried)?;
        self.publish(ctx);
        Ok(pending)
    }

    /// Publishes the state to readers. When it turns out that this state was never stored, a successor loads the
    /// stored state and publishes that.
    pub(crate) fn publish(&self, ctx: &mut Context<Self>) {
        let Mode::Owning(shell) = &self.mode else {
            return;
        };
        if !S::PUBLISHED {
            return;
        }
        let depends_on = shell.depends_on();
        shell.with_state(|state| state.publish(depends_on, &self.kernel.shared));
        let journal = &self.kernel.journal;
        if depends_on.last > journal.durable_upto() {
            let durability = journal.durable(depends_on.last, depends_on.epoch);
            ctx.spawn(
                durability.into_actor(self).map(
                    |durability, owner: &mut Self, ctx| match durability {
                        Ok(()) => {}
                        Err(_lost) => {
                            owner.make_way();
                            // Looks into the mailbox once more: what came in until now goes on to the successor.
                            ctx.wait(actix::fut::ready(()));
                        }
                    },
                ),
            );
        }
    }

    fn name(&self) -> String {
        S::stream(&self.id).named(S::KIND.name())
    }

    /// Gives the state up: the next owner reads it from the store.
    pub(crate) fn leave(&mut self) {
        S::directory(&self.kernel.shared).remove(&S::stream(&self.id), self.instance);
        self.mode = Mode::Retired;
    }

    /// Gives the state up to a successor that is started at once.
    fn make_way(&mut self) {
        self.leave();
        if let Err(error) = S::directory(&self.kernel.shared).ensure(&self.id, &self.kernel) {
            tracing::warn!(stream = self.name(), %error, "a state cannot be published again");
        }
    }

    fn loaded(
        &mut self,
        loaded: Result<Option<(S, Seq)>, UnavailableError>,
        ctx: &mut Context<Self>,
    ) {
        let (state, last) = match loaded {
            Ok(Some(found)) => found,
            Ok(None) => (S::initial(&self.id), Seq(0)),
            Err(unavailable) => {
                tracing::error!(stream = self.name(), error = %unavailable, "a state cannot be loaded");
                S::directory(&self.kernel.shared).remove(&S::stream(&self.id), self.instance);
                self.mode = Mode::Failed(unavailable);
                return;
            }
        };
        let shell = Shell::new(self.id.clone(), state, last, self.kernel.clone());
        let directory = S::directory(&self.kernel.shared);
        directory.attach(&S::stream(&self.id), self.instance, shell.live());
        self.mode = Mode::Owning(shell);
        self.publish(ctx);
    }
}

impl<S: Owned<P>, P: Product> Actor for Owner<S, P> {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Context<Self>) {
        // Handing the load to another thread, and being woken by it, takes longer than a few lookups.
        if let Some(result) = self.kernel.load_if_near::<S>(&self.id) {
            self.loaded(result, ctx);
            return;
        }
        if self.kernel.is_new(&S::stream(&self.id)) {
            self.loaded(Ok(None), ctx);
            return;
        }
        let load = self.kernel.load::<S>(self.id.clone());
        ctx.wait(
            load.into_actor(self)
                .map(|loaded, owner, ctx| owner.loaded(loaded, ctx)),
        );
    }
}

impl<S: Owned<P>, P: Product, C: Command<Of = S>> Handler<Execute<C>> for Owner<S, P> {
    type Result =
        DurableAnswer<Result<Pending<C::Reply>, ExecuteError<Execute<C>, C::Rejection>>, S::Notice>;

    fn handle(&mut self, message: Execute<C>, ctx: &mut Context<Self>) -> Self::Result {
        let asker = message.asker.clone();
        let result = self.execute(message, ctx);
        DurableAnswer::new(result, asker, &self.journal)
    }
}

impl<S: Owned<P>, P: Product> Handler<Retire> for Owner<S, P> {
    type Result = ();

    fn handle(&mut self, _: Retire, _: &mut Context<Self>) {
        if let Mode::Owning(shell) = &self.mode
            && shell.is_settled()
        {
            // The next checkpoint may keep the state for a while, but not the events.
            shell.live().passivate(self.kernel.index.indexed_upto());
            self.leave();
        }
    }
}

/// Asks an owner for a copy of its state. An answer that is made from it waits until the state is on disk.
#[derive(Debug)]
pub struct GetState<S>(PhantomData<fn() -> S>);

impl<S> Default for GetState<S> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<S: State> Message for GetState<S> {
    type Result = Option<Pending<S>>;
}

impl<S: Owned<P>, P: Product> Handler<GetState<S>> for Owner<S, P> {
    type Result = Option<Pending<S>>;

    fn handle(&mut self, _: GetState<S>, _: &mut Context<Self>) -> Self::Result {
        let shell = self.shell().ok()?;
        Some(Pending::unchanged(
            shell.with_state(S::clone),
            shell.depends_on(),
        ))
    }
}

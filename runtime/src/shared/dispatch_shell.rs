//! The shell of a dispatch machine: feeds it events, sets its timer, and ends when it is drained. Knows neither what is delivered
//! nor where it is queued.
//!
//! Each kind of deliveries has an actor, which is a [`Carrier`]: it performs the effects.

use std::time::Duration;

use actix::{
    Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message, WrapFuture,
};
use tokio::sync::oneshot;

use crate::shared::Kernel;
use switchboard_domain::dispatch::effect::Effect;
use switchboard_domain::dispatch::event::Event;
use switchboard_domain::dispatch::routing::Routing;
use switchboard_domain::dispatch::{Dispatch, DispatchLimits};
use switchboard_domain::time::UnixMillis;

/// The pause before a failed write is tried again.
pub const AGAIN: Duration = Duration::from_millis(100);

/// There may be something new: notices were heard, the timer rang.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub struct Wake;

/// Stores what could not be stored before.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub struct SaveAgain;

/// Deliveries that were held may go.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub struct Begin;

/// Sends nothing more, and answers when nothing is in flight.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub struct Drain(pub oneshot::Sender<()>);

/// Ends the dispatcher without waiting for attempts in flight: they are repeated after the next start.
#[derive(Clone, Copy, Debug, Message)]
#[rtype(result = "()")]
pub struct Leave;

/// A machine with its timer and those who wait for its end.
pub struct DispatchShell<R: Routing> {
    kernel: Kernel,
    /// The machine that decides on what is sent when.
    pub machine: Dispatch<R>,
    timer: Option<actix::SpawnHandle>,
    /// True when deliveries wait until they are asked for.
    is_held: bool,
    /// True when it will be tried soon to store what could not be stored.
    is_saving: bool,
    drained: Vec<oneshot::Sender<()>>,
}

impl<R: Routing> DispatchShell<R> {
    /// A shell with an empty machine. The settings say whether its deliveries are held at first.
    pub fn new(kernel: Kernel, limits: DispatchLimits) -> Self {
        Self {
            machine: Dispatch::new(limits),
            timer: None,
            is_held: kernel.shared.config.hold_callbacks,
            is_saving: false,
            drained: Vec::new(),
            kernel,
        }
    }

    fn answer_when_drained(&mut self) {
        if self.machine.is_drained() {
            for drained in self.drained.drain(..) {
                // The caller may have stopped waiting.
                drained.send(()).unwrap_or_default();
            }
        }
    }
}

/// An actor that carries one kind of deliveries.
pub trait Carrier: Actor<Context = Context<Self>> + Handler<SaveAgain> {
    /// The names of the deliveries.
    type Names: Routing;

    /// The shell of the carrier.
    fn shell(&mut self) -> &mut DispatchShell<Self::Names>;

    /// Performs an effect; the machine gets the returned events next.
    fn perform(
        &mut self,
        effect: Effect<Self::Names>,
        ctx: &mut Context<Self>,
    ) -> Vec<Event<Self::Names>>;

    /// Returns whether something could not be stored yet.
    fn has_unsaved(&self) -> bool;

    /// Stores what could not be stored before, and goes on with its queues.
    fn save(&mut self, ctx: &mut Context<Self>);

    /// Notes that the wake-up has arrived: what is heard from now on needs another.
    fn note_wake_up(&self);

    /// Takes in what was heard since the last time.
    fn take_in(&mut self, ctx: &mut Context<Self>);

    /// Looks after what the carrier has besides the machine, when the machine has come to rest.
    fn rest(&mut self, _ctx: &mut Context<Self>) {}

    /// Passes an event to the machine, performs its effects, and passes on what they answer until nothing is left.
    fn step(&mut self, event: Event<Self::Names>, ctx: &mut Context<Self>) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            let shell = self.shell();
            let effects = shell.machine.step(event, shell.kernel.clock.now());
            let answers: Vec<_> = effects
                .into_iter()
                .flat_map(|effect| self.perform(effect, ctx))
                .collect();
            // Last in, first out: reversed, so that the machine gets the answers of one step in their order.
            events.extend(answers.into_iter().rev());
        }
        self.save_later(ctx);
        self.rest(ctx);
        self.shell().answer_when_drained();
    }

    /// Has the machine look at its clocks at this time, and at no earlier one that was set before.
    fn arm(&mut self, at: UnixMillis, ctx: &mut Context<Self>) {
        let shell = self.shell();
        if let Some(timer) = shell.timer.take() {
            ctx.cancel_future(timer);
        }
        let clock = &shell.kernel.clock;
        let sleep = clock.sleep(at.since(clock.now()));
        let ring = sleep.into_actor(self).map(|(), carrier: &mut Self, ctx| {
            carrier.shell().timer = None;
            carrier.step(Event::Tick, ctx);
        });
        self.shell().timer = Some(ctx.spawn(ring));
    }

    /// Tries soon to store what could not be stored, if there is anything.
    fn save_later(&mut self, ctx: &mut Context<Self>) {
        if self.has_unsaved() && !self.shell().is_saving {
            self.shell().is_saving = true;
            ctx.notify_later(SaveAgain, AGAIN);
        }
    }

    /// Answers [`SaveAgain`]: stores what could not be stored, and tries again later if it still cannot.
    fn save_again(&mut self, _: SaveAgain, ctx: &mut Context<Self>) {
        self.shell().is_saving = false;
        self.save(ctx);
        self.save_later(ctx);
    }

    /// Answers [`Wake`]: a further wake-up may come from now on.
    fn wake(&mut self, _: Wake, ctx: &mut Context<Self>) {
        self.note_wake_up();
        self.take_hints(ctx);
    }

    /// Answers [`Begin`]: nothing is held from now on.
    fn begin(&mut self, _: Begin, ctx: &mut Context<Self>) {
        self.shell().is_held = false;
        self.take_hints(ctx);
    }

    /// Answers [`Leave`]: ends the actor at once.
    fn leave(&mut self, _: Leave, ctx: &mut Context<Self>) {
        ctx.stop();
    }

    /// Takes in what was heard, unless deliveries are held.
    fn take_hints(&mut self, ctx: &mut Context<Self>) {
        if !self.shell().is_held {
            self.take_in(ctx);
        }
    }

    /// Answers [`Drain`]: no new attempt begins, and the sender hears when none is in flight.
    fn drain(&mut self, Drain(drained): Drain, ctx: &mut Context<Self>) {
        self.shell().drained.push(drained);
        self.step(Event::Draining, ctx);
    }
}

/// Makes a [`Carrier`] an actor that hears the messages of its shell.
#[macro_export]
macro_rules! carrier_actor {
    ($carrier:ty) => {
        impl actix::Actor for $carrier {
            type Context = actix::Context<Self>;

            fn started(&mut self, ctx: &mut actix::Context<Self>) {
                ctx.set_mailbox_capacity(1_024);
                $crate::shared::dispatch_shell::Carrier::take_hints(self, ctx);
            }
        }

        $crate::carrier_actor! {
            $carrier: Wake => wake, SaveAgain => save_again, Begin => begin, Drain => drain, Leave => leave
        }
    };
    ($carrier:ty: $($message:ident => $method:ident),*) => {$(
        impl actix::Handler<$crate::shared::dispatch_shell::$message> for $carrier {
            type Result = ();

            fn handle(
                &mut self,
                message: $crate::shared::dispatch_shell::$message,
                ctx: &mut actix::Context<Self>,
            ) {
                $crate::shared::dispatch_shell::Carrier::$method(self, message, ctx);
            }
        }
    )*};
}

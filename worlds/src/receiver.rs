//! The receiver of callbacks and hooks: it records what reaches it, and misbehaves on order.

mod behaviour;
mod callback;
mod hook;
mod intake;

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;

use switchboard_actors::domain::dispatch::outcome::Outcome;
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt};
use switchboard_engine::testkit::simulation::Machine;
use tokio::sync::watch;

use crate::journal::WorldJournal;

pub use behaviour::{Behaviour, ReceiverBehaviour};
pub use callback::Callback;
pub use hook::Hook;
pub use intake::{Arrival, Intake};

/// The result of an attempt, as a sender gives it.
type Exchange = Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>>;

/// The receiver of all callbacks and all hooks of a system. It is the [intake](Intake) of callbacks, whose orders and records
/// it has, and beside it that of [hooks](Self::hooks). Clones are the same receiver.
///
/// There is no socket: a request arrives as a whole or not at all, and never in pieces.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    callbacks: Intake<Callback>,
    hooks: Intake<Hook>,
    place: Arc<Place>,
}

/// The world around a receiver.
#[derive(Debug, Default)]
struct Place {
    /// The number of attempts that have ended.
    ended: watch::Sender<usize>,
    journal: WorldJournal,
    /// The machine whose power goes before a request leaves, or before its answer arrives.
    machine: Option<Machine>,
}

impl Receiver {
    /// The receiver of a world, on its machine, with the same orders and memories as another one.
    pub(super) fn of_world(&self, machine: Machine, journal: WorldJournal) -> Self {
        Self {
            callbacks: self.callbacks.copied(),
            hooks: self.hooks.copied(),
            place: Arc::new(Place {
                journal,
                machine: Some(machine),
                ..Place::default()
            }),
        }
    }

    /// The intake of hooks: what the webhooks of accounts were sent, whatever their addresses.
    #[must_use]
    pub fn hooks(&self) -> &Intake<Hook> {
        &self.hooks
    }

    /// Waits for the end of another attempt than the `known` ones; gives how many have ended.
    pub(super) async fn ended_after(&self, known: usize) -> usize {
        let mut end_count = self.place.ended.subscribe();
        // The sender lives as long as this clone of it.
        let count = end_count.wait_for(|so_far| *so_far > known).await;
        count.map_or(known, |so_far| *so_far)
    }

    /// Returns the number of attempts that have ended.
    pub(super) fn end_count(&self) -> usize {
        *self.place.ended.borrow()
    }

    /// An attempt of number `number` leaves for an intake.
    fn exchange<T: Arrival>(
        &self,
        intake: &Intake<T>,
        attempt: &T::Attempt,
        number: u32,
    ) -> Exchange {
        if !self.place.step("send", u64::from(number)) {
            return Box::pin(std::future::pending());
        }
        let (arrival, behaviour) = intake.meet(attempt);
        let (at, place) = (arrival.at(), Arc::clone(&self.place));
        let what = format!("{arrival}, attempt {number}: {behaviour}");
        place.journal.note(at, T::NAME, &what);
        Box::pin(async move {
            let answer = behaviour.answer(at).await;
            place.step("answer", u64::from(number));
            place
                .ended
                .send_modify(|count| *count = count.saturating_add(1));
            answer
        })
    }
}

impl Deref for Receiver {
    type Target = Intake<Callback>;
    fn deref(&self) -> &Intake<Callback> {
        &self.callbacks
    }
}

impl Place {
    /// Something happens on the machine that the receiver belongs to. False: it does not, since there is no power.
    fn step(&self, what: &str, detail: u64) -> bool {
        let machine = self.machine.as_ref();
        machine.is_none_or(|machine| machine.step(what, detail))
    }
}

impl CallbackSender for Receiver {
    fn send(&self, attempt: Attempt) -> Exchange {
        self.exchange(&self.callbacks, &attempt, attempt.attempt)
    }

    fn send_hook(&self, attempt: HookAttempt) -> Exchange {
        self.exchange(&self.hooks, &attempt, attempt.attempt)
    }
}

//! The receiver of callbacks: it records what reaches it, and misbehaves on order.

mod behaviour;
mod callback;

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use switchboard_actors::domain::dispatch::outcome::Outcome;
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::port::{Attempt, CallbackSender};
use switchboard_engine::testkit::simulation::Machine;
use tokio::sync::watch;

use crate::PATIENCE;
use crate::chance::Chance;
use crate::journal::WorldJournal;

pub use behaviour::{Behaviour, ReceiverBehaviour};
pub use callback::Callback;

/// The receiver of all callbacks of a system. It is well and answers 200, unless something else is ordered. Clones are
/// the same receiver.
///
/// An attempt meets the first of these that there is: an order for the [next](Self::answer) attempts, a
/// [rule](Self::answer_with), what was ordered for [some](Self::answer_sometimes), and for [all](Self::answer_always).
///
/// There is no socket: a request arrives as a whole or not at all, and never in pieces.
#[derive(Clone, Debug, Default)]
pub struct Receiver {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    /// The number of attempts that were made.
    attempts: watch::Sender<usize>,
    /// The number of attempts that have ended.
    ended: watch::Sender<usize>,
    journal: WorldJournal,
    /// The machine whose power goes before a request leaves, or before its answer arrives.
    machine: Option<Machine>,
}

/// Decides how the receiver behaves towards one attempt; `None`: as towards all others.
type Rule = Arc<dyn Fn(&Callback) -> Option<Behaviour> + Send + Sync>;

#[derive(Clone, Default)]
struct State {
    attempts: Vec<Attempt>,
    arrived: Vec<Callback>,
    next: VecDeque<Behaviour>,
    rule: Option<Rule>,
    sometimes: Option<(Chance, Behaviour)>,
    always: Behaviour,
}

impl Receiver {
    /// The receiver of a world, on its machine, with the same orders and memories as another one.
    pub(super) fn of_world(&self, machine: Machine, journal: WorldJournal) -> Self {
        Self {
            inner: Arc::new(Inner {
                state: Mutex::new(self.state().clone()),
                journal,
                machine: Some(machine),
                ..Inner::default()
            }),
        }
    }

    /// The next attempt that has no order yet meets this.
    pub fn answer(&self, behaviour: impl Into<Behaviour>) {
        self.answer_times(1, behaviour);
    }

    /// So many more attempts that have no order yet meet this.
    pub fn answer_times(&self, times: usize, behaviour: impl Into<Behaviour>) {
        let behaviour = behaviour.into();
        let next = std::iter::repeat_n(behaviour, times);
        self.state().next.extend(next);
    }

    /// From now on, every attempt meets this; earlier orders for the next attempts end.
    pub fn answer_always(&self, behaviour: impl Into<Behaviour>) {
        let mut state = self.state();
        state.next.clear();
        state.rule = None;
        state.sometimes = None;
        state.always = behaviour.into();
    }

    /// From now on, an attempt meets this with this probability, which is more than 0 and at most 1. The same seed strikes
    /// the same attempts again. It replaces an earlier order of this kind.
    ///
    /// # Panics
    /// When the probability is another one.
    #[track_caller]
    pub fn answer_sometimes(&self, probability: f64, seed: u64, behaviour: impl Into<Behaviour>) {
        let chance = Chance::new(probability, seed);
        assert!(
            chance.is_some(),
            "a probability is more than 0 and at most 1, not {probability}"
        );
        let behaviour = behaviour.into();
        self.state().sometimes = chance.map(|chance| (chance, behaviour));
    }

    /// From now on, attempts whose body contains this text meet this.
    pub fn answer_to(&self, text: &str, behaviour: impl Into<Behaviour>) {
        let (text, behaviour) = (text.to_owned(), behaviour.into());
        self.answer_with(move |callback| {
            let body = String::from_utf8_lossy(&callback.body);
            body.contains(&text).then_some(behaviour)
        });
    }

    /// From now on, `rule` decides what an attempt meets: the place for the code of an integration that is tested.
    /// `None`: what was ordered for all attempts. It replaces an earlier rule.
    pub fn answer_with(
        &self,
        rule: impl Fn(&Callback) -> Option<Behaviour> + Send + Sync + 'static,
    ) {
        self.state().rule = Some(Arc::new(rule));
    }

    /// All attempts so far, also those that did not arrive.
    #[must_use]
    pub fn attempts(&self) -> Vec<Attempt> {
        self.state().attempts.clone()
    }

    /// All callbacks that arrived, in their order; one that arrived twice is there twice.
    #[must_use]
    pub fn arrived(&self) -> Vec<Callback> {
        self.state().arrived.clone()
    }

    /// Waits until there were this many attempts, then gives all of them. For tests with an event loop of their own.
    ///
    /// # Panics
    /// When there were not in two minutes.
    pub async fn wait_for(&self, count: usize) -> Vec<Attempt> {
        let mut attempt_count = self.inner.attempts.subscribe();
        // The sender lives as long as this clone of it.
        let waiting = attempt_count.wait_for(|so_far| *so_far >= count);
        let is_reached = tokio::time::timeout(PATIENCE, waiting).await.is_ok();
        let attempts = self.attempts();
        assert!(is_reached, "{count} attempts were expected: {attempts:?}");
        attempts
    }

    /// Waits for the end of another attempt than the `known` ones; gives how many have ended.
    pub(super) async fn ended_after(&self, known: usize) -> usize {
        let mut end_count = self.inner.ended.subscribe();
        // The sender lives as long as this clone of it.
        let count = end_count.wait_for(|so_far| *so_far > known).await;
        count.map_or(known, |so_far| *so_far)
    }

    /// Returns the number of attempts that have ended.
    pub(super) fn end_count(&self) -> usize {
        *self.inner.ended.borrow()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// An attempt leaves, and arrives or not.
    fn meet(&self, attempt: &Attempt) -> Behaviour {
        let callback = Callback::from(attempt.clone());
        // A rule may look at the receiver.
        let rule = self.state().rule.clone();
        let mut state = self.state();
        let next = state.next.pop_front();
        drop(state);
        let ruled = next.or_else(|| rule.and_then(|rule| rule(&callback)));
        let mut state = self.state();
        let by_chance = match (&ruled, &mut state.sometimes) {
            (None, Some((chance, behaviour))) => chance.strikes().then_some(*behaviour),
            (Some(_), _) | (None, None) => None,
        };
        let behaviour = ruled.or(by_chance).unwrap_or(state.always);
        for _ in 0..behaviour.arrivals {
            state.arrived.push(callback.clone());
        }
        state.attempts.push(attempt.clone());
        let count = state.attempts.len();
        drop(state);
        let what = format!("{callback}, attempt {}: {behaviour}", attempt.attempt);
        self.inner.journal.note(attempt.at, "callback", &what);
        self.inner.attempts.send_replace(count);
        behaviour
    }

    /// Something happens on the machine that the receiver belongs to. False: it does not, since there is no power.
    fn step(&self, what: &str, detail: u64) -> bool {
        let machine = self.inner.machine.as_ref();
        machine.is_none_or(|machine| machine.step(what, detail))
    }
}

impl CallbackSender for Receiver {
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        if !self.step("send", u64::from(attempt.attempt)) {
            return Box::pin(std::future::pending());
        }
        let behaviour = self.meet(&attempt);
        let receiver = self.clone();
        Box::pin(async move {
            let answer = behaviour.answer(attempt.at).await;
            receiver.step("answer", u64::from(attempt.attempt));
            let end_count = &receiver.inner.ended;
            end_count.send_modify(|count| *count = count.saturating_add(1));
            answer
        })
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("attempts", &self.attempts)
            .field("next", &self.next)
            .field("always", &self.always)
            .finish_non_exhaustive()
    }
}

//! The intake of a receiver: what reaches it of one kind, and the orders for how it answers that.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use switchboard_actors::domain::time::UnixMillis;
use tokio::sync::watch;

use crate::PATIENCE;
use crate::chance::Chance;
use crate::receiver::Behaviour;

/// A kind of requests that reach receivers.
pub trait Arrival: Clone + fmt::Display + From<Self::Attempt> + Send + Sync + 'static {
    /// One attempt to hand such a request over.
    type Attempt: Clone + fmt::Debug + Send + Sync + 'static;

    /// The name of the kind in journals.
    const NAME: &'static str;

    /// The time of the attempt.
    fn at(&self) -> UnixMillis;

    /// Returns whether it has this text.
    fn has(&self, text: &str) -> bool;
}

/// What reaches a receiver of one kind. It is answered with 200, unless something else is ordered. Clones are the same
/// intake.
///
/// An attempt meets the first of these that there is: an order for the [next](Self::answer) attempts, a
/// [rule](Self::answer_with), what was ordered for [some](Self::answer_sometimes), and for [all](Self::answer_always).
pub struct Intake<T: Arrival> {
    inner: Arc<Inner<T>>,
}

struct Inner<T: Arrival> {
    state: Mutex<State<T>>,
    /// The number of attempts that were made.
    attempts: watch::Sender<usize>,
}

/// Decides how the receiver behaves towards one attempt; `None`: as towards all others.
type Rule<T> = Arc<dyn Fn(&T) -> Option<Behaviour> + Send + Sync>;

#[derive(Clone)]
struct State<T: Arrival> {
    attempts: Vec<T::Attempt>,
    arrived: Vec<T>,
    next: VecDeque<Behaviour>,
    rule: Option<Rule<T>>,
    sometimes: Option<(Chance, Behaviour)>,
    always: Behaviour,
}

impl<T: Arrival> Intake<T> {
    fn with(state: State<T>) -> Self {
        let inner = Inner {
            state: Mutex::new(state),
            attempts: watch::Sender::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Another intake with the same orders and memories.
    pub(super) fn copied(&self) -> Self {
        Self::with(self.state().clone())
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

    /// From now on, attempts that have this text meet this: in the body of a callback, in the code or a field of a hook.
    pub fn answer_to(&self, text: &str, behaviour: impl Into<Behaviour>) {
        let (text, behaviour) = (text.to_owned(), behaviour.into());
        self.answer_with(move |arrival| arrival.has(&text).then_some(behaviour));
    }

    /// From now on, `rule` decides what an attempt meets: the place for the code of an integration that is tested.
    /// `None`: what was ordered for all attempts. It replaces an earlier rule.
    pub fn answer_with(&self, rule: impl Fn(&T) -> Option<Behaviour> + Send + Sync + 'static) {
        self.state().rule = Some(Arc::new(rule));
    }

    /// All attempts so far, also those that did not arrive.
    #[must_use]
    pub fn attempts(&self) -> Vec<T::Attempt> {
        self.state().attempts.clone()
    }

    /// All that arrived, in their order; what arrived twice is there twice.
    #[must_use]
    pub fn arrived(&self) -> Vec<T> {
        self.state().arrived.clone()
    }

    /// Waits until there were this many attempts, then gives all of them. For tests with an event loop of their own.
    ///
    /// # Panics
    /// When there were not in two minutes.
    pub async fn wait_for(&self, count: usize) -> Vec<T::Attempt> {
        let mut attempt_count = self.inner.attempts.subscribe();
        // The sender lives as long as this clone of it.
        let waiting = attempt_count.wait_for(|so_far| *so_far >= count);
        let is_reached = tokio::time::timeout(PATIENCE, waiting).await.is_ok();
        let attempts = self.attempts();
        assert!(is_reached, "{count} attempts were expected: {attempts:?}");
        attempts
    }

    /// An attempt leaves, and arrives or not; gives what it meets.
    pub(super) fn meet(&self, attempt: &T::Attempt) -> (T, Behaviour) {
        let arrival = T::from(attempt.clone());
        // A rule may look at the receiver.
        let rule = self.state().rule.clone();
        let next = self.state().next.pop_front();
        let ruled = next.or_else(|| rule.and_then(|rule| rule(&arrival)));
        let mut state = self.state();
        let by_chance = match (&ruled, &mut state.sometimes) {
            (None, Some((chance, behaviour))) => chance.strikes().then_some(*behaviour),
            (Some(_), _) | (None, None) => None,
        };
        let behaviour = ruled.or(by_chance).unwrap_or(state.always);
        for _ in 0..behaviour.arrivals {
            state.arrived.push(arrival.clone());
        }
        state.attempts.push(attempt.clone());
        let count = state.attempts.len();
        drop(state);
        self.inner.attempts.send_replace(count);
        (arrival, behaviour)
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Arrival> Default for Intake<T> {
    fn default() -> Self {
        Self::with(State {
            attempts: Vec::new(),
            arrived: Vec::new(),
            next: VecDeque::new(),
            rule: None,
            sometimes: None,
            always: Behaviour::default(),
        })
    }
}

impl<T: Arrival> Clone for Intake<T> {
    fn clone(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl<T: Arrival> fmt::Debug for Intake<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("Intake")
            .field("attempts", &state.attempts)
            .field("next", &state.next)
            .field("always", &state.always)
            .finish_non_exhaustive()
    }
}

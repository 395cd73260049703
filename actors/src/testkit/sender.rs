//! A sender that records its input and gives configured answers.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::domain::dispatch::outcome::{Outcome, ReceiverAnswer};
use crate::domain::dispatch::record::AttemptTrace;
use crate::port::{Attempt, CallbackSender};
use crate::testkit::PATIENCE;

/// A sender that records its input and gives configured answers; 200 when none is configured. Clones are the same
/// sender.
#[derive(Clone, Debug)]
pub struct RecordingSender {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    count: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct State {
    attempts: Vec<Attempt>,
    answers: VecDeque<Outcome>,
    /// What comes of attempts whose body holds a text.
    poison: Option<(String, Outcome)>,
}

impl Default for RecordingSender {
    fn default() -> Self {
        Self {
            inner: Arc::new(Inner {
                state: Mutex::default(),
                count: watch::Sender::new(0),
            }),
        }
    }
}

impl RecordingSender {
    /// The next attempt that has no answer yet gets this one.
    pub fn answer(&self, outcome: Outcome) {
        self.state().answers.push_back(outcome);
    }

    /// From now on, attempts whose body holds this text get this answer when there is no other.
    pub fn answer_to(&self, text: &str, outcome: Outcome) {
        self.state().poison = Some((text.to_owned(), outcome));
    }

    /// All attempts so far.
    #[must_use]
    pub fn attempts(&self) -> Vec<Attempt> {
        self.state().attempts.clone()
    }

    /// Waits until there were this many attempts, then gives all of them.
    ///
    /// # Panics
    /// When there were not in two minutes.
    pub async fn wait_for(&self, count: usize) -> Vec<Attempt> {
        let mut counted = self.inner.count.subscribe();
        // The sender lives as long as this clone of it.
        let waiting = counted.wait_for(|so_far| *so_far >= count);
        let waited = tokio::time::timeout(PATIENCE, waiting).await.is_ok();
        let attempts = self.attempts();
        assert!(waited, "{count} attempts were expected: {attempts:?}");
        attempts
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallbackSender for RecordingSender {
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let trace = AttemptTrace {
            began: attempt.at,
            address: None,
            answered_ms: None,
            took_ms: 0,
            excerpt: String::new(),
        };
        let mut state = self.state();
        let body = String::from_utf8_lossy(&attempt.body);
        let poison = state.poison.as_ref();
        let poisoned = poison.filter(|(text, _)| body.contains(text.as_str()));
        let usual = poisoned.map_or(
            Outcome::Answered(ReceiverAnswer::plain(200)),
            |(_, outcome)| *outcome,
        );
        let outcome = state.answers.pop_front().unwrap_or(usual);
        drop(body);
        state.attempts.push(attempt);
        let count = state.attempts.len();
        drop(state);
        self.inner.count.send_replace(count);
        Box::pin(std::future::ready((outcome, trace)))
    }
}

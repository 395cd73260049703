//! The sender of a world: orders of faults first, then the receiver, which is a program or, without one, a receiver in
//! memory that takes everything.

mod altered;
mod pieces;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::signature::SharedSecret;
use switchboard_actors::port::{Attempt, CallbackSender};
use switchboard_network::outbound::pace::Pace;
use tokio::sync::Notify;

use crate::dev::worlds::fault::{CallbackFault, Faults};
use crate::dev::worlds::journal::{Event, Journal};
use crate::dev::worlds::mask;
use crate::dev::worlds::order::{Order, Orders};
use crate::dev::worlds::outside::{Ended, Outside, unknown};

/// The attempts of a world that are under way.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    count: AtomicUsize,
    /// An attempt has begun.
    pub(super) begun: Notify,
    /// A callback that arrives behind the next one.
    held: Mutex<Option<Attempt>>,
}

impl UnderWay {
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Returns whether a callback is held back until the next one has arrived.
    pub(super) fn holds(&self) -> bool {
        self.held().is_some()
    }

    /// Drops it: the world goes back to a moment before.
    pub(super) fn forget_held(&self) {
        self.held().take();
    }

    fn held(&self) -> MutexGuard<'_, Option<Attempt>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An attempt that is under way, until this is dropped.
struct Under(Arc<UnderWay>);

impl Under {
    fn begin(way: &Arc<UnderWay>) -> Self {
        way.count.fetch_add(1, Ordering::AcqRel);
        way.begun.notify_one();
        Self(Arc::clone(way))
    }
}

impl Drop for Under {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The sender of a world.
#[derive(Clone)]
pub(super) struct WorldSender {
    pub(super) outside: Outside,
    pub(super) faults: Faults,
    pub(super) journal: Journal,
    pub(super) under_way: Arc<UnderWay>,
    /// True while there is a program that receives callbacks.
    pub(super) goes_out: Arc<AtomicBool>,
    /// Wakes the world when an outcome is there.
    pub(super) orders: Orders,
    /// That of the channel, for callbacks that a fault changes.
    pub(super) secret: SharedSecret,
}

impl fmt::Debug for WorldSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorldSender")
            .field("under_way", &self.under_way)
            .finish_non_exhaustive()
    }
}

impl CallbackSender for WorldSender {
    fn send(&self, attempt: Attempt) -> Pin<Box<dyn Future<Output = Ended>>> {
        let body = String::from_utf8_lossy(&attempt.body);
        let fault = self.faults.of_callback(&body);
        let (fault, name) = fault.unzip();
        let sender = self.clone();
        Box::pin(async move {
            // Time passes while it has not begun, and stands still while it is under way.
            if let Some(CallbackFault::Delay(late)) = fault {
                tokio::time::sleep(late).await;
            }
            let under = Under::begin(&sender.under_way);
            let result = sender.meet(&attempt, fault).await;
            sender.note(&attempt, name, &result.0);
            drop(under);
            result
        })
    }
}

impl WorldSender {
    async fn meet(&self, attempt: &Attempt, fault: Option<CallbackFault>) -> Ended {
        let began = attempt.at;
        let as_if = |outcome| {
            let (_, mut trace) = unknown();
            trace.began = began;
            (outcome, trace)
        };
        let answer_with = |status| as_if(Outcome::Answered(ReceiverAnswer::plain(status)));
        let reset = || as_if(Outcome::Failed(AttemptFailure::Reset));
        let mut pace = None;
        let altered = match fault {
            None | Some(CallbackFault::Delay(_)) => attempt.clone(),
            Some(CallbackFault::Paced(pacing)) => {
                pace = Some(pieces::pace(attempt, pacing));
                attempt.clone()
            }
            Some(CallbackFault::Status(status)) => return answer_with(status),
            Some(CallbackFault::Drop) => return reset(),
            Some(CallbackFault::Reorder) => {
                // One that is held already is the next one's predecessor.
                let earlier = self.under_way.held().replace(attempt.clone());
                return match earlier {
                    Some(earlier) => self.deliver(earlier).await,
                    None => answer_with(200),
                };
            }
            Some(CallbackFault::AnswerLost) => {
                self.deliver(attempt.clone()).await;
                return reset();
            }
            Some(CallbackFault::Duplicate) => {
                self.deliver(attempt.clone()).await;
                attempt.clone()
            }
            Some(CallbackFault::TwiceAtOnce) => {
                let twice = (self.deliver(attempt.clone()), self.deliver(attempt.clone()));
                let (_, ended) = tokio::join!(twice.0, twice.1);
                return ended;
            }
            Some(CallbackFault::BadSignature) => altered::with_bad_signature(attempt, &self.secret),
            Some(CallbackFault::OldSecret) => altered::with_old_secret(attempt),
            Some(CallbackFault::OtherScope) => altered::with_other_scope(attempt, &self.secret),
            Some(CallbackFault::UnknownField) => altered::with_unknown_field(attempt, &self.secret),
            Some(CallbackFault::UnknownType) => altered::with_unknown_type(attempt, &self.secret),
            Some(CallbackFault::Huge) => altered::huge(attempt, &self.secret),
        };
        let result = self.deliver_at(altered, pace).await;
        // What was held back comes behind this one.
        let earlier = self.under_way.held().take();
        if let Some(earlier) = earlier {
            let (outcome, _) = self.deliver(earlier.clone()).await;
            self.note(&earlier, Some("reorder".to_owned()), &outcome);
        }
        result
    }

    /// Hands a callback to the program, or to the receiver in memory.
    async fn deliver(&self, attempt: Attempt) -> Ended {
        self.deliver_at(attempt, None).await
    }

    async fn deliver_at(&self, attempt: Attempt, pace: Option<Pace>) -> Ended {
        let began = attempt.at;
        if !self.goes_out.load(Ordering::Acquire) {
            let (_, mut trace) = unknown();
            trace.began = began;
            return (Outcome::Answered(ReceiverAnswer::plain(200)), trace);
        }
        let orders = self.orders.clone();
        let outcome = self.outside.send(attempt, pace, move || {
            // A world that has ended needs no waking, nor one that has other orders.
            drop(orders.try_send(Order::Look));
        });
        let (outcome, mut trace) = outcome.await.unwrap_or_else(|_process_ends| unknown());
        trace.began = began;
        (outcome, trace)
    }

    fn note(&self, attempt: &Attempt, fault: Option<String>, outcome: &Outcome) {
        let what = if self.goes_out.load(Ordering::Acquire) {
            &attempt.url
        } else {
            "the receiver in memory"
        };
        let event = Event::Callback {
            message_id: attempt.message,
            attempt: attempt.attempt,
            what: what.to_owned(),
            outcome: in_words(outcome),
            fault,
            body: mask::shown(&attempt.body),
        };
        self.journal.add(attempt.at, event);
    }
}

fn in_words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered(answer) => format!("answered {}", answer.status),
        Outcome::Failed(failure) => format!("no answer ({failure:?})"),
    }
}

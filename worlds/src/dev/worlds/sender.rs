//! The sender of a world: orders of faults first, then the receiver, which is a program or, without one, a receiver in
//! memory that takes everything. Callbacks, hooks and questions are parcels on one way, with the same faults there.

mod altered;
mod altered_hook;
mod noted;
mod pieces;
mod strike;

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::id::SubscriptionId;
use switchboard_actors::domain::signature::SharedSecret;
use switchboard_actors::port::{Attempt, CallbackSender, HookAttempt, QuestionAttempt};
use switchboard_network::outbound::pace::Pace;
use tokio::sync::Notify;

use crate::dev::worlds::fault::{Faults, WayFault};
use crate::dev::worlds::journal::Journal;
use crate::dev::worlds::order::{Order, Orders};
use crate::dev::worlds::outside::{Departure, Ended, Outside, Parcel, unknown};
use crate::dev::worlds::sender::strike::Strike;
use crate::hook_form::HookForm;

/// The address of the webhook or program that the receiver in memory stands for. No host has this name.
pub(super) const IN_MEMORY: &str = "http://receiver-in-memory.invalid/hooks";

/// The attempts of a world that are under way.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    count: AtomicUsize,
    /// An attempt has begun.
    pub(super) begun: Notify,
    /// What arrives behind the next one of its lane: one parcel for each at most.
    held: Mutex<BTreeMap<Lane, Parcel>>,
}

/// The parcels among which one arrives behind the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lane {
    Callbacks,
    /// The hooks of a webhook.
    Hooks(SubscriptionId),
    /// The questions of salesbots, none of which waits for another one.
    Questions,
}

impl Lane {
    fn from_parcel(parcel: &Parcel) -> Self {
        match parcel {
            Parcel::Callback(_) => Self::Callbacks,
            Parcel::Hook(attempt) => Self::Hooks(attempt.webhook.number),
            Parcel::Question(_) => Self::Questions,
        }
    }
}

impl UnderWay {
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Returns whether a callback or a hook is held back until the next one has arrived.
    pub(super) fn holds(&self) -> bool {
        !self.held().is_empty()
    }

    /// Drops what is held back: the world goes back to a moment before.
    pub(super) fn forget_held(&self) {
        self.held().clear();
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<Lane, Parcel>> {
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
        let strike = Strike::on_callback(&attempt, fault, &self.secret);
        Box::pin(self.clone().carry(Parcel::Callback(attempt), strike))
    }

    fn send_hook(&self, attempt: HookAttempt) -> Pin<Box<dyn Future<Output = Ended>>> {
        let form = HookForm::parse(&attempt.body);
        let has = |text: &str| attempt.code.as_str().contains(text) || form.has(text);
        let strike = Strike::on_hook(&attempt, self.faults.of_hook(has));
        // The journal has what was sent.
        Box::pin(self.clone().carry(strike.parcel.clone(), strike))
    }

    fn send_question(&self, attempt: QuestionAttempt) -> Pin<Box<dyn Future<Output = Ended>>> {
        let body = String::from_utf8_lossy(&attempt.body);
        let strike = Strike::on_question(&attempt, self.faults.of_question(&body));
        Box::pin(self.clone().carry(Parcel::Question(attempt), strike))
    }
}

impl WorldSender {
    /// Carries a parcel to its receiver, as its fault has it; the journal has `noted`.
    async fn carry(self, noted: Parcel, strike: Strike) -> Ended {
        // Time passes while it has not begun, and stands still while it is under way.
        if let Some(WayFault::Delay(late)) = strike.way {
            tokio::time::sleep(late).await;
        }
        let under = Under::begin(&self.under_way);
        let name = strike.name.clone();
        let result = self.meet(strike).await;
        self.note(&noted, name, &result.0);
        drop(under);
        result
    }

    async fn meet(&self, strike: Strike) -> Ended {
        let Strike {
            parcel, pace, way, ..
        } = strike;
        let began = parcel.at();
        let as_if = |outcome| {
            let (_, mut trace) = unknown();
            trace.began = began;
            (outcome, trace)
        };
        let answer_with = |status| as_if(Outcome::Answered(ReceiverAnswer::plain(status)));
        let reset = || as_if(Outcome::Failed(AttemptFailure::Reset));
        let lane = Lane::from_parcel(&parcel);
        match way {
            None | Some(WayFault::Delay(_)) => {}
            Some(WayFault::Status(status)) => return answer_with(status),
            Some(WayFault::Drop) => return reset(),
            Some(WayFault::Reorder) => {
                // One that is held already is the next one's predecessor.
                let earlier = self.under_way.held().insert(lane, parcel);
                return match earlier {
                    Some(earlier) => self.deliver(earlier, None).await,
                    None => answer_with(200),
                };
            }
            Some(WayFault::AnswerLost) => {
                self.deliver(parcel, None).await;
                return reset();
            }
            Some(WayFault::Duplicate) => {
                self.deliver(parcel.clone(), None).await;
            }
            Some(WayFault::TwiceAtOnce) => {
                let twice = (
                    self.deliver(parcel.clone(), None),
                    self.deliver(parcel, None),
                );
                let (_, ended) = tokio::join!(twice.0, twice.1);
                return ended;
            }
        }
        let result = self.deliver(parcel, pace).await;
        // What was held back comes behind this one.
        let earlier = self.under_way.held().remove(&lane);
        if let Some(earlier) = earlier {
            let (outcome, _) = self.deliver(earlier.clone(), None).await;
            let name = match lane {
                Lane::Callbacks => "reorder",
                Lane::Hooks(_) | Lane::Questions => "reordered",
            };
            self.note(&earlier, Some(name.to_owned()), &outcome);
        }
        result
    }

    /// Hands a parcel to the program, or to the receiver in memory.
    async fn deliver(&self, parcel: Parcel, pace: Option<Pace>) -> Ended {
        if self.stays_inside(&parcel) {
            let (_, mut trace) = unknown();
            trace.began = parcel.at();
            return (Outcome::Answered(ReceiverAnswer::plain(200)), trace);
        }
        let began = parcel.at();
        let orders = self.orders.clone();
        let departure = Departure::from_parcel(parcel, pace);
        let outcome = self.outside.send(departure, move || {
            // A world that has ended needs no waking, nor one that has other orders.
            drop(orders.try_send(Order::Look));
        });
        let (outcome, mut trace) = outcome.await.unwrap_or_else(|_process_ends| unknown());
        trace.began = began;
        (outcome, trace)
    }

    /// Returns whether the receiver in memory takes it.
    fn stays_inside(&self, parcel: &Parcel) -> bool {
        match parcel {
            Parcel::Callback(_) => !self.goes_out.load(Ordering::Acquire),
            Parcel::Hook(HookAttempt { url, .. })
            | Parcel::Question(QuestionAttempt { url, .. }) => &**url == IN_MEMORY,
        }
    }

    fn note(&self, parcel: &Parcel, fault: Option<String>, outcome: &Outcome) {
        let what = match parcel {
            _ if self.stays_inside(parcel) => "the receiver in memory",
            Parcel::Callback(attempt) => &attempt.url,
            // Programs put secrets into the query.
            Parcel::Hook(HookAttempt { url, .. })
            | Parcel::Question(QuestionAttempt { url, .. }) => {
                url.split('?').next().unwrap_or_default()
            }
        };
        let event = noted::event(parcel, what.to_owned(), fault, outcome);
        self.journal.add(parcel.at(), event);
    }
}

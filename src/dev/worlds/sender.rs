//! The sender of a world: orders of faults first, then the receiver, which is a program or, without one, a receiver in
//! memory that takes everything.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use serde_json::Value;
use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::signature::sign_body;
use switchboard_actors::port::{Attempt, CallbackSender};
use switchboard_actors::testkit::fixtures;
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
}

impl UnderWay {
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
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
    /// Whether there is a program that receives callbacks.
    pub(super) goes_out: Arc<AtomicBool>,
    /// Wakes the world when an outcome is there.
    pub(super) orders: Orders,
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
        let sender = self.clone();
        let under = Under::begin(&self.under_way);
        Box::pin(async move {
            let ended = sender.meet(&attempt, fault).await;
            sender.note(&attempt, fault, &ended.0);
            drop(under);
            ended
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
        let lost = || as_if(Outcome::Failed(AttemptFailure::Reset));
        match fault {
            None => self.deliver(attempt.clone()).await,
            Some(CallbackFault::Status(status)) => {
                as_if(Outcome::Answered(ReceiverAnswer::plain(status)))
            }
            Some(CallbackFault::Drop) => lost(),
            Some(CallbackFault::AnswerLost) => {
                self.deliver(attempt.clone()).await;
                lost()
            }
            Some(CallbackFault::Duplicate) => {
                self.deliver(attempt.clone()).await;
                self.deliver(attempt.clone()).await
            }
            Some(CallbackFault::BadSignature) => {
                let wrong = sign_body(&fixtures::channel().secret, b"another body");
                self.deliver(Attempt {
                    signature: wrong.to_string(),
                    ..attempt.clone()
                })
                .await
            }
            Some(CallbackFault::UnknownField) => {
                let body = with_unknown_field(&attempt.body);
                let signature = sign_body(&fixtures::channel().secret, &body).to_string();
                self.deliver(Attempt {
                    body,
                    signature,
                    ..attempt.clone()
                })
                .await
            }
        }
    }

    /// Hands a callback to the program, or to the receiver in memory.
    async fn deliver(&self, attempt: Attempt) -> Ended {
        let began = attempt.at;
        if !self.goes_out.load(Ordering::Acquire) {
            let (_, mut trace) = unknown();
            trace.began = began;
            return (Outcome::Answered(ReceiverAnswer::plain(200)), trace);
        }
        let orders = self.orders.clone();
        let outcome = self.outside.send(attempt, move || {
            // A world that has ended needs no waking, nor one that has other orders.
            drop(orders.try_send(Order::Look));
        });
        let (outcome, mut trace) = outcome.await.unwrap_or_else(|_process_ends| unknown());
        trace.began = began;
        (outcome, trace)
    }

    fn note(&self, attempt: &Attempt, fault: Option<CallbackFault>, outcome: &Outcome) {
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
            fault: fault.map(CallbackFault::name),
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

fn with_unknown_field(body: &Bytes) -> Bytes {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(body) else {
        return body.clone();
    };
    let value = Value::from("a field that receivers do not know");
    fields.insert("unknown_field".to_owned(), value);
    Value::Object(fields).to_string().into()
}

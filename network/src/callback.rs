//! The library's sender of callbacks, over the guarded HTTP client.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::dispatch::retry;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::port;
use switchboard_engine::store::shared_log::lease::Lease;

use crate::outbound::callback::{self, CallbackClient, Exchange, Wish};
use crate::outbound::failure::FailureKind;
use crate::outbound::pace::Pace;

/// How often an attempt asks whether the lease holds again.
const LEASE_CHECK: Duration = Duration::from_millis(50);

/// Sends callbacks over HTTP.
#[derive(Clone, Debug)]
pub struct HttpSender {
    client: Arc<CallbackClient>,
    timeout: Duration,
    /// That of the owner of a shared log: behind it another node may send.
    lease: Option<Lease>,
}

impl HttpSender {
    /// A sender whose whole exchange takes at most `timeout`, unless the attempt says otherwise.
    pub fn new(client: CallbackClient, timeout: Duration) -> Self {
        Self {
            client: Arc::new(client),
            timeout,
            lease: None,
        }
    }

    /// As the owner of a shared log: nothing is sent behind its lease.
    pub fn under(self, lease: Option<Lease>) -> Self {
        Self { lease, ..self }
    }

    /// Sends a callback at this pace.
    pub fn send_at(
        &self,
        attempt: port::Attempt,
        pace: Option<Pace>,
    ) -> impl Future<Output = (Outcome, AttemptTrace)> + 'static {
        let client = Arc::clone(&self.client);
        let timeout = attempt.timeout.unwrap_or(self.timeout);
        let lease = self.lease.clone();
        async move {
            let waited = granted(lease.as_ref()).await;
            let began = attempt.at.plus(waited);
            let exchange = client
                .attempt(callback::OutboundCallback {
                    url: attempt.url,
                    body: attempt.body,
                    signature: attempt.signature,
                    webhook_id: attempt.message.to_string(),
                    webhook_timestamp: began.secs(),
                    number: attempt.attempt,
                    timeout,
                    pace,
                })
                .await;
            outcome(exchange, began)
        }
    }
}

impl port::CallbackSender for HttpSender {
    fn send(
        &self,
        attempt: port::Attempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        Box::pin(self.send_at(attempt, None))
    }
}

/// Waits until the lease holds; gives how long that took. A process whose log is owned by another node ends.
async fn granted(lease: Option<&Lease>) -> Duration {
    let mut waited = Duration::ZERO;
    while lease.is_some_and(|lease| !lease.holds()) {
        tokio::time::sleep(LEASE_CHECK).await;
        waited = waited.saturating_add(LEASE_CHECK);
    }
    waited
}

fn outcome(exchange: Exchange, began: UnixMillis) -> (Outcome, AttemptTrace) {
    let mut trace = AttemptTrace {
        began,
        address: exchange.remote,
        answered_ms: exchange.head.map(millis),
        took_ms: millis(exchange.duration),
        excerpt: String::new(),
    };
    let outcome = match exchange.outcome {
        callback::ExchangeOutcome::Answered(answer) => {
            trace.excerpt = answer.excerpt.text;
            let now = began.plus(exchange.duration);
            Outcome::Answered(ReceiverAnswer {
                status: answer.status,
                retry_after: answer
                    .retry_after
                    .and_then(|text| retry::retry_after(&text, now)),
                no_retry: answer.wish == Wish::NoMoreAttempts,
            })
        }
        callback::ExchangeOutcome::Failed(failure) => {
            trace.excerpt = failure.detail;
            Outcome::Failed(kind(failure.kind))
        }
    };
    (outcome, trace)
}

fn kind(kind: FailureKind) -> AttemptFailure {
    match kind {
        FailureKind::Connect => AttemptFailure::Refused,
        FailureKind::Timeout => AttemptFailure::TimedOut,
        FailureKind::Reset | FailureKind::Protocol => AttemptFailure::Reset,
        FailureKind::HeadTooLarge => AttemptFailure::HeadTooLarge,
        FailureKind::Tls => AttemptFailure::Tls,
        FailureKind::Dns => AttemptFailure::Dns,
        FailureKind::Forbidden | FailureKind::Invalid => AttemptFailure::ForbiddenAddress,
    }
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

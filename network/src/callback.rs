//! The library's sender of callbacks, over the guarded HTTP client.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;

use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::dispatch::retry;
use switchboard_actors::domain::time::{UnixMillis, iso};
use switchboard_actors::port::{self, PostAnswer, PostAttempt};

use crate::outbound::callback::{
    self, CallbackClient, Envelope, Exchange, OutboundCallback, RelayedEnvelope, Wish,
};
use crate::outbound::error::FailureKind;
use crate::outbound::pace::Pace;

/// The pause between two looks at the permission of an attempt.
const PERMISSION_CHECK: Duration = Duration::from_millis(50);

/// A function that returns whether this process may do now what others see.
pub type Permission = Arc<dyn Fn() -> bool + Send + Sync>;

/// Sends callbacks over HTTP.
#[derive(Clone)]
pub struct HttpSender {
    client: Arc<CallbackClient>,
    timeout: Duration,
    /// That of the owner of a shared log: behind its lease another node may send.
    permission: Option<Permission>,
}

impl fmt::Debug for HttpSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSender")
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl HttpSender {
    /// A sender whose whole exchange takes at most `timeout`, unless the attempt says otherwise.
    pub fn new(client: CallbackClient, timeout: Duration) -> Self {
        Self {
            client: Arc::new(client),
            timeout,
            permission: None,
        }
    }

    /// As the owner of a shared log: nothing is sent while this is false.
    #[must_use]
    pub fn under(self, permission: Option<Permission>) -> Self {
        Self { permission, ..self }
    }

    /// Sends a callback at this pace.
    pub fn send_at(
        &self,
        attempt: port::Attempt,
        pace: Option<Pace>,
    ) -> impl Future<Output = (Outcome, AttemptTrace)> + 'static {
        let timeout = attempt.timeout.unwrap_or(self.timeout);
        self.exchange(attempt.at, move |began| OutboundCallback {
            url: attempt.url,
            body: attempt.body,
            envelope: Envelope::Signed {
                signature: attempt.signature,
                webhook_id: attempt.message.to_string(),
                webhook_timestamp: began.secs(),
            },
            number: attempt.attempt,
            timeout,
            pace,
        })
    }

    /// Makes the request of an attempt as soon as it may be made.
    fn exchange(
        &self,
        at: UnixMillis,
        request: impl FnOnce(UnixMillis) -> OutboundCallback + 'static,
    ) -> impl Future<Output = (Outcome, AttemptTrace)> + 'static {
        let answer = self.answer(at, request);
        answer.map(|PostAnswer { outcome, trace, .. }| (outcome, trace))
    }

    /// Makes the request of an attempt as soon as it may be made; gives the beginning of the answer, too.
    fn answer(
        &self,
        at: UnixMillis,
        request: impl FnOnce(UnixMillis) -> OutboundCallback + 'static,
    ) -> impl Future<Output = PostAnswer> + 'static {
        let client = Arc::clone(&self.client);
        let permission = self.permission.clone();
        async move {
            let wait = granted(permission.as_ref()).await;
            let began = at.plus(wait);
            let exchange = client.attempt(request(began)).await;
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

    fn send_hook(
        &self,
        attempt: port::HookAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        Box::pin(self.exchange(attempt.at, move |_| OutboundCallback {
            url: attempt.url,
            body: attempt.body,
            envelope: Envelope::Form {
                request_id: attempt.request.to_string(),
            },
            number: attempt.attempt,
            timeout: attempt.timeout,
            pace: None,
        }))
    }

    fn send_question(
        &self,
        attempt: port::QuestionAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        Box::pin(self.exchange(attempt.at, move |_| OutboundCallback {
            url: attempt.url,
            body: attempt.body,
            envelope: Envelope::Json,
            number: 1,
            timeout: attempt.timeout,
            pace: None,
        }))
    }

    fn send_relayed(
        &self,
        attempt: port::RelayAttempt,
    ) -> Pin<Box<dyn Future<Output = (Outcome, AttemptTrace)>>> {
        let envelope = attempt.envelope;
        Box::pin(self.exchange(attempt.at, move |_| OutboundCallback {
            url: attempt.url,
            body: attempt.body,
            envelope: Envelope::Relayed(Box::new(RelayedEnvelope {
                content_type: envelope.content_type,
                signature: envelope.signature,
                user_agent: envelope.user_agent,
                webhook_id: attempt.id,
                received: iso(attempt.received),
                is_unverified: attempt.is_unverified,
            })),
            number: attempt.attempt,
            timeout: attempt.timeout,
            pace: None,
        }))
    }

    fn send_post(&self, attempt: PostAttempt) -> Pin<Box<dyn Future<Output = PostAnswer>>> {
        Box::pin(self.answer(attempt.at, move |_| OutboundCallback {
            url: attempt.url,
            body: attempt.body,
            envelope: Envelope::Post(attempt.headers),
            number: 1,
            timeout: attempt.timeout,
            pace: None,
        }))
    }
}

/// Waits until the attempt may be made; gives how long that took. A process whose log is owned by another node ends.
async fn granted(permission: Option<&Permission>) -> Duration {
    let mut wait = Duration::ZERO;
    while permission.is_some_and(|is_given| !is_given()) {
        tokio::time::sleep(PERMISSION_CHECK).await;
        wait = wait.saturating_add(PERMISSION_CHECK);
    }
    wait
}

fn outcome(exchange: Exchange, began: UnixMillis) -> PostAnswer {
    let mut trace = AttemptTrace {
        began,
        address: exchange.remote,
        answered_ms: exchange.head.map(millis),
        took_ms: millis(exchange.duration),
        excerpt: String::new(),
    };
    let mut body = Bytes::new();
    let outcome = match exchange.outcome {
        callback::ExchangeOutcome::Answered(answer) => {
            trace.excerpt = answer.excerpt.text;
            body = answer.excerpt.bytes;
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
    PostAnswer {
        outcome,
        trace,
        body,
    }
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

#[cfg(test)]
mod tests {
    use switchboard_actors::domain::hooks::hook::{HookNumber, WebhookId};
    use switchboard_actors::domain::id::{AccountId, HookRequestId, SubscriptionId};
    use switchboard_actors::domain::webhooks::code::WebhookCode;
    use switchboard_actors::port::{CallbackSender as _, HookAttempt};
    use switchboard_worlds::sink::{Behaviour, Reply, Sink};

    use super::*;
    use crate::outbound::address::Policy;
    use crate::outbound::client::ClientSettings;
    use crate::outbound::guard::AddressGuard;
    use crate::outbound::scripted_names::Names;

    /// A sender that may reach loopback, which plays the public network, and knows only scripted names.
    fn sender(names: &Names) -> HttpSender {
        let guard = AddressGuard::new(Policy {
            allow_private_networks: false,
            allow_cidrs: vec!["127.0.0.0/8".parse().unwrap()],
        });
        let settings = ClientSettings::default();
        let client = CallbackClient::new(&settings, Arc::new(guard), Arc::new(names.clone()));
        HttpSender::new(client.unwrap(), Duration::from_secs(120))
    }

    fn hook(url: &str) -> HookAttempt {
        HookAttempt {
            url: url.into(),
            body: Bytes::from_static(b"account%5Bid%5D=1"),
            request: HookRequestId::from_random([1; 16]),
            webhook: WebhookId {
                account: AccountId::from_random([2; 16]),
                number: SubscriptionId(1),
            },
            number: HookNumber(8),
            code: WebhookCode::AddMessage,
            attempt: 1,
            at: UnixMillis::from_secs(1_764_000_000),
            timeout: Duration::from_secs(120),
        }
    }

    /// The guard looks at the addresses of a name with each attempt, also of a webhook to which hooks went before.
    #[tokio::test]
    async fn a_hook_to_a_name_that_turned_private_does_not_leave() {
        let closing = Behaviour::AnswerAndClose(Reply::new(200));
        let sink = Sink::start(closing).await.unwrap();
        let names = Names::new();
        names.answer("hook.test", &["127.0.0.1"]);
        names.answer("hook.test", &["10.0.0.1"]);
        let sender = sender(&names);
        let url = format!("http://hook.test:{}/in", sink.address().port());
        let (first, _) = sender.send_hook(hook(&url)).await;
        assert_eq!(first.status(), Some(200));
        sink.until(|ledger| ledger.ended == 1).await.unwrap();
        let (outcome, trace) = sender.send_hook(hook(&url)).await;
        assert_eq!(outcome, Outcome::Failed(AttemptFailure::ForbiddenAddress));
        assert!(
            trace.excerpt.contains("10.0.0.1 is a private address"),
            "{}",
            trace.excerpt
        );
        assert_eq!(trace.address, None);
        assert_eq!(sink.ledger().connections, 1);
    }
}

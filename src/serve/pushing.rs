//! Pushes notifications to the browsers of users who have no page open (Web Push).
//!
//! Nothing of it is stored: a notification that waits when the service stops is lost, as one is that comes while no page is open
//! and no browser subscribed. A push service that is slow or asks for patience delays its own browsers alone ([`lanes`]).

mod lanes;
mod payload;

use std::cell::{Cell, OnceCell};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use switchboard_actors::System;
use switchboard_actors::domain::dispatch::retry;
use switchboard_actors::domain::notifications::PushOutcome;
use switchboard_actors::system::pushes::PushedNotification;
use switchboard_network::callback::Permission;
use switchboard_network::outbound::error::FailureKind;
use switchboard_network::outbound::push::{OutboundPush, PushAnswer, PushClient};
use switchboard_push::message::{self, SubscriberKeys};
use switchboard_push::vapid::{Claims, VapidKey};
use tokio::time::{Instant, sleep_until};
use url::Url;

use self::lanes::{Lanes, Message};

/// The time limit of a request.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The time for which a push service keeps a push for a browser that is not connected, and for which it is tried again.
const TTL: Duration = Duration::from_secs(4 * 3_600);
/// The lifetime of a proof; push services take none of more than 24 hours.
const PROOF_LIFE: Duration = Duration::from_secs(12 * 3_600);
/// The pause of a push after each attempt that failed; there are no more attempts than these and one.
const PAUSES: [Duration; 3] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(300),
];
/// The pause when a push service asks for patience and does not say how long.
const PATIENCE: Duration = Duration::from_secs(60);
/// The time after which it is looked again whether this node may send.
const UNPERMITTED: Duration = Duration::from_secs(1);

/// Sends pushes.
pub(super) struct Pushing {
    pub(super) system: System,
    pub(super) client: PushClient,
    /// The address under which push services reach the operator.
    pub(super) subject: String,
    /// That of the owner of a shared log: behind its lease another node may send.
    pub(super) permission: Option<Permission>,
    pub(super) state: SenderState,
}

/// The memory of the sender.
#[derive(Default)]
pub(super) struct SenderState {
    key: OnceCell<VapidKey>,
    /// True when the log says already that the key is refused.
    is_refused: Cell<bool>,
}

/// The result of an attempt.
enum Attempt {
    /// The push has ended.
    Ended(PushOutcome),
    /// It is tried again after this pause, or after the usual one.
    Again(Option<Duration>),
    /// It could not even be tried, and waits without a count.
    Waits(Duration),
}

/// The address under which push services reach the operator: that of the service, if it has one of https.
pub(super) fn subject(public_url: Option<&Url>) -> String {
    match public_url {
        Some(url) if url.scheme() == "https" => url.origin().ascii_serialization(),
        Some(_) | None => "mailto:postmaster@localhost".to_owned(),
    }
}

impl Pushing {
    /// Goes on for as long as it is let.
    pub(super) async fn run(self) {
        let mut lanes = Lanes::default();
        let mut in_progress = FuturesUnordered::new();
        loop {
            while let Some(message) = lanes.next(Instant::now()) {
                in_progress.push(self.attempt(message));
            }
            let due = lanes.due(Instant::now());
            tokio::select! {
                Some((message, attempt)) = in_progress.next(), if !in_progress.is_empty() => {
                    self.settle(&mut lanes, message, &attempt);
                }
                notification = self.system.next_push() => self.add(&mut lanes, &notification).await,
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {}
            }
        }
    }

    /// Adds a notification for each browser of its user.
    async fn add(&self, lanes: &mut Lanes, pushed: &PushedNotification) {
        let targets = match self.system.push_targets(pushed.holder).await {
            Ok(Some(targets)) => targets,
            Ok(None) => return,
            Err(unavailable) => {
                tracing::warn!(%unavailable, "the browsers of a user cannot be read now: a notification is pushed to none of them");
                return;
            }
        };
        let now = Instant::now();
        let notification = &pushed.notification;
        let text = payload::payload(notification, targets.lang, pushed.text.as_deref());
        for push in targets.pushes {
            let message = Message {
                holder: pushed.holder,
                push,
                text: text.clone(),
                topic: message::topic(&notification.subject.tag()),
                urgency: payload::urgency(notification),
                ends: now + TTL,
                attempts: 0,
            };
            if lanes.add(message, now).is_some() {
                self.system.count_push(PushOutcome::NoRoom);
            }
        }
    }

    /// Makes an attempt. A subscription that has ended is deleted.
    async fn attempt(&self, message: Message) -> (Message, Attempt) {
        let attempt = self.request(&message).await;
        if matches!(attempt, Attempt::Ended(PushOutcome::Gone)) {
            let ended = self.system.end_push(message.holder, message.push.id).await;
            if let Err(unavailable) = ended {
                tracing::warn!(%unavailable, "a subscription to pushes that has ended cannot be deleted now");
            }
        }
        (message, attempt)
    }

    async fn request(&self, message: &Message) -> Attempt {
        if self.permission.as_ref().is_some_and(|is_given| !is_given()) {
            return Attempt::Waits(UNPERMITTED);
        }
        let host = message.push.endpoint.host();
        let push = match self.outbound(message) {
            Ok(push) => push,
            Err(error) => {
                tracing::warn!(%host, %error, "a notification cannot be pushed");
                return Attempt::Ended(PushOutcome::Refused);
            }
        };
        match self.client.send(push, TIMEOUT).await {
            Ok(answer) => self.judge(message, &answer),
            Err(failure) if failure.kind == FailureKind::Forbidden => {
                tracing::warn!(%host, detail = failure.detail, "a notification is not pushed: its push service may not be reached");
                Attempt::Ended(PushOutcome::Refused)
            }
            Err(failure) => {
                tracing::debug!(%host, kind = failure.kind.name(), "a push service cannot be reached");
                Attempt::Again(None)
            }
        }
    }

    /// The request of a push: encrypted for its browser, with a proof for its push service.
    fn outbound(&self, message: &Message) -> Result<OutboundPush, Box<dyn std::error::Error>> {
        let endpoint = &message.push.endpoint;
        let keys = SubscriberKeys::parse(&message.push.keys.p256dh, &message.push.keys.auth)?;
        let expires = self.system.now().plus(PROOF_LIFE);
        let authorization = self.key()?.authorization(&Claims {
            audience: &endpoint.origin(),
            subject: &self.subject,
            expires_at: expires.secs(),
        })?;
        Ok(OutboundPush {
            endpoint: endpoint.url().clone(),
            body: message::encrypt(&keys, message.text.as_bytes())?,
            authorization,
            ttl: message.ends.saturating_duration_since(Instant::now()),
            urgency: message.urgency,
            topic: message.topic.clone(),
        })
    }

    fn key(&self) -> Result<&VapidKey, Box<dyn std::error::Error>> {
        if let Some(key) = self.state.key.get() {
            return Ok(key);
        }
        let push_key = self
            .system
            .push_key()
            .ok_or("no key of pushes was made yet")?;
        let key = VapidKey::parse(&push_key.secret)?;
        Ok(self.state.key.get_or_init(|| key))
    }

    fn judge(&self, message: &Message, answer: &PushAnswer) -> Attempt {
        let host = message.push.endpoint.host();
        let status = answer.status;
        let pause = || {
            let text = answer.retry_after.as_deref();
            text.and_then(|text| retry::retry_after(text, self.system.now()))
        };
        match status {
            200..=299 => {
                self.state.is_refused.set(false);
                Attempt::Ended(PushOutcome::Sent)
            }
            404 | 410 => Attempt::Ended(PushOutcome::Gone),
            413 => {
                let bytes = message.text.len();
                tracing::warn!(%host, bytes, "a notification is too large for its push service, and dropped");
                Attempt::Ended(PushOutcome::TooLarge)
            }
            429 => Attempt::Again(Some(pause().unwrap_or(PATIENCE))),
            401 | 403 => {
                if !self.state.is_refused.replace(true) {
                    tracing::error!(%host, status, "a push service refuses the key of this installation: no notification reaches browsers there until they subscribe again");
                }
                Attempt::Ended(PushOutcome::Refused)
            }
            500..=599 => Attempt::Again(pause()),
            _ => {
                tracing::warn!(%host, status, "a push service refuses a notification");
                Attempt::Ended(PushOutcome::Refused)
            }
        }
    }

    /// Takes in the end of an attempt.
    fn settle(&self, lanes: &mut Lanes, message: Message, attempt: &Attempt) {
        let (browser, now) = (message.browser(), Instant::now());
        lanes.end(browser);
        match attempt {
            Attempt::Ended(outcome) => {
                self.system.count_push(*outcome);
                if *outcome == PushOutcome::Gone {
                    lanes.forget(browser);
                }
            }
            Attempt::Waits(pause) => lanes.again(message, *pause, now),
            Attempt::Again(pause) => {
                let place = usize::try_from(message.attempts).unwrap_or(usize::MAX);
                let usual = PAUSES.get(place).copied();
                let attempts = message.attempts.saturating_add(1);
                match usual.map(|usual| pause.unwrap_or(usual)) {
                    Some(pause) if now + pause < message.ends => {
                        let message = Message {
                            attempts,
                            ..message
                        };
                        lanes.again(message, pause, now);
                    }
                    Some(_) | None => {
                        let host = message.push.endpoint.host();
                        tracing::warn!(%host, attempts, "a notification could not be pushed");
                        self.system.count_push(PushOutcome::Failed);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn push_services_reach_the_operator_by_https_or_mail() {
        let url = |text: &str| Url::parse(text).unwrap();
        for (public_url, expected) in [
            (Some(url("https://chat.example/")), "https://chat.example"),
            (
                Some(url("http://127.0.0.1:8080/")),
                "mailto:postmaster@localhost",
            ),
            (None, "mailto:postmaster@localhost"),
        ] {
            assert_eq!(subject(public_url.as_ref()), expected);
        }
    }
}

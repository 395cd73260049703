//! Behaviour of receivers towards an attempt.

use std::fmt;
use std::time::Duration;

use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_actors::domain::dispatch::record::AttemptTrace;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_engine::testkit::Dice;

/// So long the sender waits for an answer that does not come.
const HANGS_FOR: Duration = Duration::from_secs(10);

/// The behaviour that an attempt meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// The outcome that the sender learns.
    pub outcome: Outcome,
    /// The number of times that the callback arrives: usually once.
    pub arrivals: u32,
    /// The time until the sender knows the outcome.
    pub takes: Duration,
}

impl Behaviour {
    /// The callback arrives, and this HTTP status is the answer.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self::from(Outcome::Answered(ReceiverAnswer::plain(status)))
    }

    /// This HTTP status is the answer, with `Retry-After`.
    #[must_use]
    pub fn retry_after(status: u16, pause: Duration) -> Self {
        Self::from(Outcome::Answered(ReceiverAnswer {
            retry_after: Some(pause),
            ..ReceiverAnswer::plain(status)
        }))
    }

    /// This HTTP status is the answer, and the receiver wants no further attempt (`X-No-Retry: 1`).
    #[must_use]
    pub fn no_retry(status: u16) -> Self {
        Self::from(Outcome::Answered(ReceiverAnswer {
            no_retry: true,
            ..ReceiverAnswer::plain(status)
        }))
    }

    /// The connection breaks before the callback arrives.
    #[must_use]
    pub fn drops() -> Self {
        Self::from(Outcome::Failed(AttemptFailure::Reset)).arriving(0)
    }

    /// The callback arrives, and the answer is lost.
    #[must_use]
    pub fn loses_answer() -> Self {
        Self::from(Outcome::Failed(AttemptFailure::Reset))
    }

    /// The callback arrives, and no answer comes within ten seconds.
    #[must_use]
    pub fn hangs() -> Self {
        Self::from(Outcome::Failed(AttemptFailure::TimedOut)).after(HANGS_FOR)
    }

    /// The callback arrives twice, and is answered with 200.
    #[must_use]
    pub fn duplicates() -> Self {
        Self::status(200).arriving(2)
    }

    /// The same, and the sender learns of it after `takes`.
    #[must_use]
    pub fn after(self, takes: Duration) -> Self {
        Self { takes, ..self }
    }

    fn arriving(self, arrivals: u32) -> Self {
        Self { arrivals, ..self }
    }

    /// Ends when the sender learns of it; the result of a sender for an attempt that began at `began`.
    pub async fn answer(self, began: UnixMillis) -> (Outcome, AttemptTrace) {
        if !self.takes.is_zero() {
            tokio::time::sleep(self.takes).await;
        }
        let trace = AttemptTrace {
            began,
            address: None,
            answered_ms: None,
            took_ms: u32::try_from(self.takes.as_millis()).unwrap_or(u32::MAX),
            excerpt: String::new(),
        };
        (self.outcome, trace)
    }
}

impl Default for Behaviour {
    /// The callback arrives and is answered with 200.
    fn default() -> Self {
        Self::status(200)
    }
}

impl From<Outcome> for Behaviour {
    /// The callback arrives once, and that is the outcome, at once.
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            arrivals: 1,
            takes: Duration::ZERO,
        }
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.arrivals {
            0 => f.write_str("does not arrive, ")?,
            1 => {}
            times => write!(f, "arrives {times} times, ")?,
        }
        match self.outcome {
            Outcome::Answered(answer) => write!(f, "answered with {}", answer.status)?,
            Outcome::Failed(failure) => write!(f, "no answer ({failure:?})")?,
        }
        if !self.takes.is_zero() {
            write!(f, " after {:?}", self.takes)?;
        }
        Ok(())
    }
}

/// The behaviour of a receiver for some time, in a simulation: the details differ from attempt to attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverBehaviour {
    /// Answers 200.
    Well,
    /// Answers late.
    Slow,
    /// Answers 500.
    Fails,
    /// Takes the callback and does not answer.
    Hangs,
    /// Takes the callback; the answer is lost.
    Forgets,
    /// Each request arrives twice.
    Doubles,
    /// Answers 422: it does not take this callback.
    Refuses,
    /// Answers 429 with a pause.
    TooMany,
    /// Answers 503 with a pause.
    Away,
    /// Answers 410.
    Gone,
    /// Answers 400 and wants no further attempt.
    Aborts,
}

impl ReceiverBehaviour {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Well,
        Self::Slow,
        Self::Fails,
        Self::Hangs,
        Self::Forgets,
        Self::Doubles,
        Self::Refuses,
        Self::TooMany,
        Self::Away,
        Self::Gone,
        Self::Aborts,
    ];

    /// Its name in a count of what was met.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Well => "receiver well",
            Self::Slow => "receiver slow",
            Self::Fails => "receiver fails",
            Self::Hangs => "receiver hangs",
            Self::Forgets => "answer lost",
            Self::Doubles => "request doubled",
            Self::Refuses => "receiver refuses",
            Self::TooMany => "receiver asks for fewer",
            Self::Away => "receiver away",
            Self::Gone => "receiver gone",
            Self::Aborts => "receiver wants no more of it",
        }
    }

    /// Returns the behaviour that the next attempt meets. A callback that is refused does not count as one that
    /// arrived.
    pub fn meets(self, dice: &mut Dice) -> Behaviour {
        let soon = Duration::from_millis(5_u64.saturating_add(dice.next() % 60));
        let secs = Duration::from_secs;
        let behaviour = match self {
            Self::Well => Behaviour::status(200),
            Self::Slow => return Behaviour::status(204).after(soon.saturating_mul(100)),
            Self::Fails => Behaviour::status(500).arriving(0),
            Self::Hangs => return Behaviour::hangs(),
            Self::Forgets => Behaviour::loses_answer(),
            Self::Doubles => Behaviour::duplicates(),
            Self::Refuses => Behaviour::status(422).arriving(0),
            Self::TooMany => Behaviour::retry_after(429, secs(7)).arriving(0),
            Self::Away => Behaviour::retry_after(503, secs(60)).arriving(0),
            Self::Gone => Behaviour::status(410).arriving(0),
            Self::Aborts => Behaviour::no_retry(400).arriving(0),
        };
        behaviour.after(soon)
    }
}

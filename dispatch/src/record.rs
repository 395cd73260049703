//! The stored record of a delivery: its state with the reason, and the log of its attempts.
//!
//! A person can always see where a reply is and why. «Sending» is not among the stored states: it does not
//! survive a crash, and [`super::Dispatch::head_status`] knows it while it lasts.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::outcome::{AttemptFailure, Class, Outcome, OutcomeBrief};
use switchboard_values::text::beginning;
use switchboard_values::time::UnixMillis;
use switchboard_values::words;

/// The number of attempts that stay from the beginning of the log, and from its end.
pub const LOG_HALF: usize = 10;
/// The highest number of bytes of a response that an attempt keeps.
pub const EXCERPT_BYTES_MAX: usize = 4 * 1_024;

/// The counts that decide how a message goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Attempts that were made and came back.
    pub made: u32,
    /// Attempts that were charged to the message.
    pub charged: u32,
    /// Of them, those that the receiver refused in a way that cannot change.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused: u32,
    /// The time the message spent on its own attempts and retries, in milliseconds. The time it had to wait
    /// for its endpoint, or for its turn, is not in it: that is not the message's age.
    pub spent_ms: u64,
    /// Before when it is not to be tried again; zero when nothing is known.
    pub due: UnixMillis,
}

/// The state of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum DeliveryState {
    /// Waits for its turn.
    Queued,
    /// Waits for its next attempt.
    Waiting {
        /// The time of the next attempt.
        until: UnixMillis,
        /// The class of the last outcome.
        why: Class,
    },
    /// Waits for its endpoint; what the attempts cost is not charged.
    Held {
        /// The reason of the endpoint.
        why: HoldReason,
    },
    /// The receiver has it.
    Delivered {
        /// The time of the delivery.
        at: UnixMillis,
    },
    /// Was given up.
    Dead {
        /// The time of the end.
        at: UnixMillis,
        /// The reason.
        why: DeathReason,
    },
    /// Is not to be sent any more.
    Cancelled {
        /// The time of the cancellation.
        at: UnixMillis,
        /// The reason.
        why: CancelReason,
    },
}

impl DeliveryState {
    /// The words of the states.
    pub const WORDS: [&'static str; 6] = [
        "queued",
        "waiting",
        "held",
        "delivered",
        "dead",
        "cancelled",
    ];

    /// The word of the state.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Waiting { .. } => "waiting",
            Self::Held { .. } => "held",
            Self::Delivered { .. } => "delivered",
            Self::Dead { .. } => "dead",
            Self::Cancelled { .. } => "cancelled",
        }
    }

    /// Returns whether the queue may go on: only an operator's replay leaves a final state.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match self {
            Self::Queued | Self::Waiting { .. } | Self::Held { .. } => false,
            Self::Delivered { .. } | Self::Dead { .. } | Self::Cancelled { .. } => true,
        }
    }
}

impl DeliveryState {
    /// Returns whether an account user withdrew the message.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        let why = CancelReason::Withdrawn;
        matches!(self, Self::Cancelled { why: found, .. } if *found == why)
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The reason that messages wait for their endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HoldReason {
    /// It failed too often and is probed.
    Failing,
    /// Only messages of this conversation fail, too often; they are tried again one at a time.
    Conversation,
    /// It asked for a pause.
    PauseAsked,
    /// It answered 410.
    Gone,
    /// It did not succeed for days, or too often within a time, and is not even probed any more.
    GivenUp,
    /// Its channel has no address for its version.
    NoAddress,
    /// An operator paused its channel.
    Paused,
}

/// The reason to give up a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeathReason {
    /// All charged attempts are used.
    Attempts {
        /// The class of the last outcome.
        last: Class,
    },
    /// It was tried for too long.
    Age {
        /// The class of the last outcome.
        last: Class,
    },
    /// The receiver wants no further attempt.
    Aborted,
    /// The version of its callback has no form for it.
    NotExpressible,
}

impl DeathReason {
    /// The names that people read.
    pub const NAMES: [&'static str; 4] = ["attempts", "age", "aborted", "not_expressible"];

    /// The name that people read.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Attempts { .. } => "attempts",
            Self::Age { .. } => "age",
            Self::Aborted => "aborted",
            Self::NotExpressible => "not_expressible",
        }
    }
}

words! {
    /// The reason to cancel a message.
    pub enum CancelReason {
        /// Its scope was disconnected.
        Disconnected = "disconnected",
        /// An operator discarded it.
        Discarded = "discarded",
        /// An account user withdrew it.
        Withdrawn = "withdrawn",
    }
}

/// The facts about an attempt that only its sender knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptTrace {
    /// The time at which it began.
    pub began: UnixMillis,
    /// The address that was connected to.
    pub address: Option<SocketAddr>,
    /// The milliseconds until the head of the response; for a new connection, with look-up and handshake.
    pub answered_ms: Option<u32>,
    /// The time until the end of the attempt, in milliseconds.
    pub took_ms: u32,
    /// The beginning of the answer's body; what is longer than [`EXCERPT_BYTES_MAX`] is cut off.
    pub excerpt: String,
}

impl AttemptTrace {
    /// Returns the trace of an attempt without an exchange: it connected to no address and got no answer.
    #[must_use]
    pub fn unsent(began: UnixMillis, reason: &str) -> Self {
        Self {
            began,
            address: None,
            answered_ms: None,
            took_ms: 0,
            excerpt: reason.to_owned(),
        }
    }

    /// Returns the duration of the attempt.
    #[must_use]
    pub fn took(&self) -> Duration {
        Duration::from_millis(u64::from(self.took_ms))
    }
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedAttempt {
    /// The number of the attempt, as in `X-Delivery-Attempt`.
    pub number: u32,
    /// The facts of its sender.
    #[serde(flatten)]
    pub trace: AttemptTrace,
    /// The HTTP status of the answer.
    pub status: Option<u16>,
    /// The reason that no response came.
    pub failure: Option<AttemptFailure>,
    /// The class of the outcome.
    pub class: Class,
    /// True when the attempt was charged to the message.
    pub charged: bool,
    /// The time of the next attempt, if there is one yet.
    pub next: Option<UnixMillis>,
}

impl LoggedAttempt {
    /// The outcome of the attempt.
    #[must_use]
    pub fn brief(&self) -> OutcomeBrief {
        OutcomeBrief {
            class: self.class,
            status: self.status,
            failure: self.failure,
        }
    }

    /// The entry for what came of an attempt.
    #[must_use]
    pub fn new(number: u32, outcome: &Outcome, mut trace: AttemptTrace) -> Self {
        let length = beginning(&trace.excerpt, EXCERPT_BYTES_MAX).len();
        trace.excerpt.truncate(length);
        Self {
            number,
            trace,
            status: outcome.status(),
            failure: outcome.failure(),
            class: outcome.class(),
            charged: false,
            next: None,
        }
    }
}

/// One change of a delivery, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedChange {
    /// The attempt that led to the change; none when nothing was sent.
    pub attempt: Option<LoggedAttempt>,
    /// The counts after it; none when they did not change.
    pub tally: Option<Tally>,
    /// The state after it.
    pub state: DeliveryState,
}

/// A delivery as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryRecord {
    /// The state.
    pub state: DeliveryState,
    /// Its counts.
    pub tally: Tally,
    /// Its first attempts, at most [`LOG_HALF`].
    pub first: Vec<LoggedAttempt>,
    /// Its last attempts after those, at most [`LOG_HALF`].
    pub last: VecDeque<LoggedAttempt>,
    /// The number of times that an operator sent it again.
    pub replays: u32,
}

impl Default for DeliveryRecord {
    fn default() -> Self {
        Self {
            state: DeliveryState::Queued,
            tally: Tally::default(),
            first: Vec::new(),
            last: VecDeque::new(),
            replays: 0,
        }
    }
}

impl DeliveryRecord {
    /// Takes a change in. A final state stays: a discard that comes too late changes nothing.
    pub fn apply(&mut self, entry: &LoggedChange) {
        if self.state.is_final() {
            return;
        }
        self.state = entry.state;
        if let Some(tally) = entry.tally {
            self.tally = tally;
        }
        if let Some(attempt) = &entry.attempt {
            self.log(attempt.clone());
        }
    }

    /// The last attempt that came back.
    #[must_use]
    pub fn last_attempt(&self) -> Option<&LoggedAttempt> {
        self.last.back().or(self.first.last())
    }

    /// Queues a delivery again that is final, with a fresh budget; one that was delivered only if `delivered` says so.
    /// The attempts already made still count for `X-Delivery-Attempt`. False, and nothing changes, if it is in another
    /// state.
    pub fn replay(&mut self, delivered: bool) -> bool {
        match self.state {
            DeliveryState::Delivered { .. } if !delivered => false,
            DeliveryState::Dead { .. }
            | DeliveryState::Cancelled { .. }
            | DeliveryState::Delivered { .. } => {
                self.begin_again();
                true
            }
            DeliveryState::Queued | DeliveryState::Waiting { .. } | DeliveryState::Held { .. } => {
                false
            }
        }
    }

    /// Ends the wait for the next attempt, with a fresh budget, as [`Self::replay`] does for what is final. False, and
    /// nothing changes, if the delivery does not wait after an attempt. One that was held may wait for its next attempt since
    /// its endpoint has recovered.
    pub fn end_wait(&mut self) -> bool {
        let waits = matches!(
            self.state,
            DeliveryState::Waiting { .. } | DeliveryState::Held { .. }
        );
        if waits {
            self.begin_again();
        }
        waits
    }

    fn begin_again(&mut self) {
        self.state = DeliveryState::Queued;
        self.tally = Tally {
            made: self.tally.made,
            ..Tally::default()
        };
        self.replays = self.replays.saturating_add(1);
    }

    fn log(&mut self, attempt: LoggedAttempt) {
        if self.first.len() < LOG_HALF {
            self.first.push(attempt);
            return;
        }
        if self.last.len() == LOG_HALF {
            self.last.pop_front();
        }
        self.last.push_back(attempt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::ReceiverAnswer;

    fn attempt(number: u32) -> LoggedAttempt {
        let trace = AttemptTrace {
            began: UnixMillis::from_secs(7),
            address: Some("192.0.2.1:443".parse().unwrap()),
            answered_ms: None,
            took_ms: 12,
            excerpt: "é".repeat(EXCERPT_BYTES_MAX),
        };
        LoggedAttempt::new(
            number,
            &Outcome::Answered(ReceiverAnswer::plain(500)),
            trace,
        )
    }

    fn waiting(number: u32) -> LoggedChange {
        LoggedChange {
            attempt: Some(attempt(number)),
            tally: Some(Tally {
                made: number,
                charged: 1,
                ..Tally::default()
            }),
            state: DeliveryState::Waiting {
                until: UnixMillis::from_secs(9),
                why: Class::Failing,
            },
        }
    }

    fn dead() -> LoggedChange {
        LoggedChange {
            attempt: None,
            tally: None,
            state: DeliveryState::Dead {
                at: UnixMillis::from_secs(9),
                why: DeathReason::Attempts {
                    last: Class::Failing,
                },
            },
        }
    }

    #[test]
    fn the_log_keeps_the_first_ten_and_the_last_ten() {
        let mut record = DeliveryRecord::default();
        (1..=50).for_each(|number| record.apply(&waiting(number)));
        let numbers: Vec<_> = record
            .first
            .iter()
            .chain(&record.last)
            .map(|a| a.number)
            .collect();
        assert_eq!(numbers, (1..=10).chain(41..=50).collect::<Vec<_>>());
        assert_eq!(record.tally.made, 50);
    }

    #[test]
    fn an_excerpt_is_cut_between_characters() {
        let excerpt = attempt(1).trace.excerpt;
        assert_eq!(excerpt.len(), EXCERPT_BYTES_MAX);
        assert!(excerpt.chars().all(|c| c == 'é'));
    }

    #[test]
    fn a_final_state_stays_until_a_replay() {
        let mut record = DeliveryRecord::default();
        record.apply(&waiting(1));
        assert!(!record.replay(true));
        record.apply(&dead());
        record.apply(&waiting(2));
        assert_eq!(record.state, dead().state);
        assert!(record.replay(false));
        assert_eq!(record.state, DeliveryState::Queued);
        assert_eq!((record.tally.made, record.tally.charged), (1, 0));
    }

    #[test]
    fn a_delivered_callback_is_replayed_only_on_explicit_request() {
        let mut record = DeliveryRecord::default();
        record.apply(&LoggedChange {
            state: DeliveryState::Delivered {
                at: UnixMillis::ZERO,
            },
            ..dead()
        });
        assert!(!record.replay(false));
        assert!(record.replay(true));
        assert_eq!((record.state, record.replays), (DeliveryState::Queued, 1));
    }

    #[test]
    fn only_what_waits_for_an_attempt_stops_waiting() {
        let mut record = DeliveryRecord::default();
        assert!(!record.end_wait());
        record.apply(&waiting(3));
        assert!(record.end_wait());
        assert_eq!((record.state, record.replays), (DeliveryState::Queued, 1));
        assert_eq!((record.tally.made, record.tally.charged), (3, 0));
        record.apply(&dead());
        assert!(!record.end_wait());
    }

    #[test]
    fn a_record_is_stored_and_read_again() {
        let mut record = DeliveryRecord::default();
        record.apply(&waiting(1));
        record.apply(&dead());
        let text = serde_json::to_string(&record).unwrap();
        assert!(text.contains(r#""state":"dead""#), "{text}");
        assert_eq!(
            serde_json::from_str::<DeliveryRecord>(&text).unwrap(),
            record
        );
    }
}

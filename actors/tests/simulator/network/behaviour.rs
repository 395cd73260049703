//! How receivers behave.

use std::time::Duration;

use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Outcome, ReceiverAnswer};
use switchboard_engine::testkit::Dice;

/// How a receiver behaves at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReceiverBehaviour {
    Well,
    Slow,
    Fails,
    /// Takes the message and says nothing.
    Hangs,
    /// Takes the message; the answer is lost.
    Forgets,
    /// Each request arrives twice.
    Doubles,
    Refuses,
    TooMany,
    Away,
    Gone,
    Aborts,
}

impl ReceiverBehaviour {
    pub(crate) const ALL: [Self; 11] = [
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

    pub(super) fn name(self) -> &'static str {
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

    /// What comes of a request, how often it arrives, and how long it takes.
    pub(super) fn meets(self, dice: &mut Dice) -> (Outcome, u32, u64) {
        let plain = |status| Outcome::Answered(ReceiverAnswer::plain(status));
        let pause = |status, secs| {
            let retry_after = Some(Duration::from_secs(secs));
            Outcome::Answered(ReceiverAnswer {
                retry_after,
                ..ReceiverAnswer::plain(status)
            })
        };
        let soon = 5 + u64::try_from(dice.below(60)).unwrap();
        match self {
            Self::Well => (plain(200), 1, soon),
            Self::Slow => (plain(204), 1, soon * 100),
            Self::Fails => (plain(500), 0, soon),
            Self::Hangs => (Outcome::Failed(AttemptFailure::TimedOut), 1, 10_000),
            Self::Forgets => (Outcome::Failed(AttemptFailure::Reset), 1, soon),
            Self::Doubles => (plain(200), 2, soon),
            Self::Refuses => (plain(422), 0, soon),
            Self::TooMany => (pause(429, 7), 0, soon),
            Self::Away => (pause(503, 60), 0, soon),
            Self::Gone => (plain(410), 0, soon),
            Self::Aborts => {
                let no_retry = true;
                let answer = ReceiverAnswer {
                    no_retry,
                    ..ReceiverAnswer::plain(400)
                };
                (Outcome::Answered(answer), 0, soon)
            }
        }
    }
}

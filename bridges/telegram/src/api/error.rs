//! The reasons why a call of the Bot API has no result.

use std::time::Duration;

use thiserror::Error;

/// A refusal in the words of Telegram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub code: u16,
    /// The text for people, without the token, and of at most 300 bytes.
    pub description: String,
    /// The time for which the chat, or the bot, has to wait.
    pub retry_after: Option<Duration>,
    /// The supergroup that the group has become.
    pub migrate_to: Option<i64>,
}

/// The reason why a call has no result. It has neither an address nor the token.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ApiError {
    /// Telegram answered, and did nothing.
    #[error("Telegram answers {} «{}»", .0.code, .0.description)]
    Refused(Refusal),
    /// The call left, and has no whole answer: Telegram may have done it.
    #[error("Telegram gives no whole answer: {0}")]
    Lost(String),
    /// The call never left.
    #[error("Telegram cannot be reached: {0}")]
    Unreachable(String),
}

impl ApiError {
    /// Returns whether Telegram refuses the token: it was revoked, or is none.
    #[must_use]
    pub fn is_token_refused(&self) -> bool {
        matches!(self, Self::Refused(it) if matches!(it.code, 401 | 404))
    }

    /// Returns whether another program reads the updates of this bot, or a webhook is set.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Refused(it) if it.code == 409)
    }

    /// Builds the error of a request that has no answer.
    pub(super) fn from_request(error: reqwest::Error) -> Self {
        let (is_unsent, why) = (error.is_connect() || error.is_builder(), describe(error));
        if is_unsent {
            Self::Unreachable(why)
        } else {
            Self::Lost(why)
        }
    }
}

/// Describes an error with its causes, and without the address, which has the token in it.
pub(super) fn describe(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "it takes too long".to_owned();
    }
    let bare = error.without_url();
    let mut words = bare.to_string();
    let mut cause = std::error::Error::source(&bare);
    while let Some(error) = cause {
        let text = error.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        cause = error.source();
    }
    words
}

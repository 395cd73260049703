//! The consequence of a call that has no result: a report for the account user, a wait, or another attempt.

use std::time::Duration;

use crate::api::{ApiError, Refusal};
use crate::words::beginning;

/// The time for which a message is tried.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// The longest pause between two attempts.
const PAUSE_MAX: Duration = Duration::from_secs(60);
/// The largest upload that is repeated although it may have arrived.
const REPEATED_MAX: u64 = 1 << 20;
/// The longest text of a report, in bytes.
const TEXT_MAX: usize = 900;

/// A failure as it is reported to the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// One of 901 to 905.
    pub code: u16,
    /// The text for the account user.
    pub text: String,
}

impl Report {
    /// Builds a report.
    #[must_use]
    pub fn new(code: u16, text: &str) -> Self {
        Self {
            code,
            text: beginning(text, TEXT_MAX).to_owned(),
        }
    }
}

/// A report with a text that says why.
pub(super) fn refused(text: &str) -> Report {
    Report::new(905, text)
}

/// A call that has failed.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// The chat that it names; `None` when it names none.
    pub chat: Option<i64>,
    /// The time since the message came.
    pub age: Duration,
    /// The number of failures before.
    pub tries: u32,
    /// The size of the file that went along, in bytes; 0 for none.
    pub upload: u64,
}

/// The consequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is done: the message has this content already.
    Done,
    /// It never will be done.
    Report(Report),
    /// This chat waits, and others go on.
    WaitChat(Duration),
    /// Every chat waits.
    WaitAll(Duration),
    /// The same call, to the supergroup that the group has become.
    Migrate(i64),
}

/// Judges a failure.
#[must_use]
pub fn judge(error: &ApiError, attempt: &Attempt) -> Verdict {
    match error {
        ApiError::Refused(refusal) => on_refusal(refusal, attempt),
        // A text that comes twice is better than one that never comes. A large file takes the customer's time and money.
        ApiError::Lost(_) if attempt.upload > REPEATED_MAX => Verdict::Report(refused(
            "The connection to Telegram broke while the file was sent, so it may have arrived or not. Ask the customer before you send it again.",
        )),
        ApiError::Lost(why) | ApiError::Unreachable(why) => {
            again(attempt, pause(attempt.tries), why)
        }
    }
}

fn on_refusal(refusal: &Refusal, attempt: &Attempt) -> Verdict {
    let words = refusal.description.as_str();
    let is_group = attempt.chat.is_some_and(|chat| chat < 0);
    match refusal.code {
        429 => again(
            attempt,
            refusal.retry_after.unwrap_or_else(|| pause(attempt.tries)),
            words,
        ),
        500.. => again(attempt, pause(attempt.tries), words),
        400 if refusal
            .migrate_to
            .is_some_and(|chat| Some(chat) != attempt.chat) =>
        {
            Verdict::Migrate(refusal.migrate_to.unwrap_or_default())
        }
        // The code alone says neither of these.
        400 if words.contains("message is not modified") => Verdict::Done,
        400 if words.contains("chat not found") => report(
            904,
            "Telegram has no such chat: the customer has to write to the bot first.",
        ),
        401 | 404 => report(
            902,
            "Telegram refuses the token of the bot: it was revoked. The operator of the bridge has to set the new one.",
        ),
        403 if is_group => report(901, "The bot is no longer in the group."),
        403 => report(
            905,
            &format!(
                "The customer has blocked the bot, or has no account any more. Telegram says: {words}"
            ),
        ),
        413 => report(
            905,
            "The file is too large for Telegram. Send a smaller one, or a link.",
        ),
        _ => report(
            905,
            &format!("Telegram does not take the message. It says: {words}"),
        ),
    }
}

fn report(code: u16, text: &str) -> Verdict {
    Verdict::Report(Report::new(code, text))
}

/// Another attempt within an hour. A wait that names no chat is for all.
fn again(attempt: &Attempt, wait: Duration, why: &str) -> Verdict {
    if attempt.age >= PATIENCE {
        return report(
            903,
            &format!("Telegram has taken no message for an hour. The last reason: {why}"),
        );
    }
    match attempt.chat {
        Some(_) => Verdict::WaitChat(wait),
        None => Verdict::WaitAll(wait),
    }
}

/// The pause before another attempt: a second, then twice as long each time, up to a minute.
#[must_use]
pub fn pause(tries: u32) -> Duration {
    Duration::from_secs(1_u64 << tries.min(6)).min(PAUSE_MAX)
}

//! Posts one message, patiently: a service that is busy or being restarted is asked again.

use std::cell::Cell;
use std::time::{Duration, Instant};

use reqwest::StatusCode;

use super::super::chat::{As, Chat, ServiceAnswer};
use super::super::output::CliError;
use super::super::web::unreachable;
use super::line::Message;
use crate::config::program::command;

/// The time limit of one request.
pub(super) const TIMEOUT: Duration = Duration::from_secs(30);
/// The time limit of all attempts for a message while nothing gets through.
const PATIENCE: Duration = Duration::from_secs(60);
/// The first and the longest pause between two tries.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(5)];

/// The result for one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PostOutcome {
    /// It is on disk.
    Stored,
    /// It was there before.
    Repeated,
    /// One of its id was there before, with other content.
    Differs,
    /// The service refuses it, for these reasons.
    Refused(Vec<String>),
}

/// Posts messages to one scope.
pub(super) struct Poster {
    chat: Chat,
    /// The service has answered once. One that never did is not about to come back.
    answered: Cell<bool>,
}

enum Attempt {
    Final(PostOutcome),
    /// Not now; after this long it may work.
    Later(CliError, Option<Duration>),
}

impl Poster {
    pub(super) fn new(chat: Chat) -> Self {
        Self {
            chat,
            answered: Cell::new(false),
        }
    }

    /// Posts a message until there is an answer to it.
    pub(super) async fn post(&self, message: &Message) -> Result<PostOutcome, CliError> {
        let [mut pause, longest] = PAUSES;
        let start = Instant::now();
        loop {
            let (why, wanted) = match self.attempt(message).await? {
                Attempt::Final(posted) => return Ok(posted),
                Attempt::Later(why, wanted) => (why, wanted),
            };
            let wait = wanted.unwrap_or(pause).min(longest);
            if start.elapsed().saturating_add(wait) > PATIENCE {
                return Err(goes_on(why));
            }
            tokio::time::sleep(wait).await;
            pause = pause.saturating_mul(2).min(longest);
        }
    }

    async fn attempt(&self, message: &Message) -> Result<Attempt, CliError> {
        let answer = match self.chat.send(&message.body, message.signed).await {
            Ok(answer) => answer,
            Err(error) => {
                let why = unreachable(self.chat.url(), &error);
                if error.is_connect() && !self.answered.get() {
                    return Err(why);
                }
                return Ok(Attempt::Later(why, None));
            }
        };
        self.answered.set(true);
        Ok(match answer.status {
            StatusCode::OK if answer.is_repeated => Attempt::Final(PostOutcome::Repeated),
            StatusCode::OK => Attempt::Final(PostOutcome::Stored),
            StatusCode::CONFLICT => Attempt::Final(PostOutcome::Differs),
            StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => {
                Attempt::Final(PostOutcome::Refused(wrong(&answer)))
            }
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => later(&answer),
            status if status.is_server_error() => later(&answer),
            _ => return Err(self.refused(&answer, message.signed).await),
        })
    }

    /// Explains why no message gets through.
    async fn refused(&self, answer: &ServiceAnswer, signed: As) -> CliError {
        let mut text = refusal_text(answer);
        if answer.refuses_the_signature() && signed == As::Current {
            let set = format!(
                "channel update {} --generation any",
                self.chat.scope().channel()
            );
            text.push_str(&format!(
                "\n  help: a message to a customer is signed as one of the current generation; if the channel accepts only that of 2019, this lets it accept both:  {}",
                command(&set)
            ));
        }
        if let Some(remedy) = self.chat.remedy(answer).await {
            text.push('\n');
            text.push_str(&remedy);
        }
        CliError::Failed(text)
    }
}

/// The same command can go on where this one ends.
pub(super) fn goes_on(failure: CliError) -> CliError {
    let help = |why| {
        format!("{why}\n  help: run the same command again to continue where this one stopped")
    };
    match failure {
        CliError::Failed(why) => CliError::Failed(help(why)),
        CliError::Unreachable(why) => CliError::Unreachable(help(why)),
        other @ (CliError::Usage(_)
        | CliError::Config(_)
        | CliError::Told
        | CliError::Unread
        | CliError::Found(_)) => other,
    }
}

fn later(answer: &ServiceAnswer) -> Attempt {
    Attempt::Later(CliError::Failed(refusal_text(answer)), answer.retry_after)
}

fn refusal_text(answer: &ServiceAnswer) -> String {
    format!("the service answered {}", answer.refusal())
}

/// Every wrong field, or the sentence when none is named.
fn wrong(answer: &ServiceAnswer) -> Vec<String> {
    let fields = answer.wrong_fields();
    if fields.is_empty() {
        vec![refusal_text(answer)]
    } else {
        fields
    }
}

//! The state of the bridge in sentences: for the log, `/health` and the page.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use tokio::time::Instant;

/// The time for which another reader counts as running after it ended a poll.
const READER_SECONDS: Duration = Duration::from_secs(60);

/// The state of reading from Telegram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// No answer has come yet.
    Begins,
    Reads,
    /// The bridge holds as many jobs as it may.
    NoRoom,
    /// Telegram refuses the token.
    TokenRefused,
    /// A webhook is set, at this host.
    Webhook(String),
    /// Telegram does not answer as it should.
    Fails(String),
}

/// The bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bot {
    pub(crate) id: i64,
    pub(crate) username: String,
    /// False: in groups it gets only what is for it.
    pub(crate) reads_groups: bool,
}

/// The state, as far as the bridge knows it.
pub(crate) struct Status {
    reading: RefCell<Reading>,
    conflict_at: Cell<Option<Instant>>,
    bot: RefCell<Option<Bot>>,
}

impl Status {
    pub(crate) fn new() -> Self {
        Self {
            reading: RefCell::new(Reading::Begins),
            conflict_at: Cell::new(None),
            bot: RefCell::new(None),
        }
    }

    /// Notes the state of reading, and logs its sentence when it is another than before.
    pub(crate) fn set_reading(&self, reading: Reading) {
        let before = self.reading.replace(reading.clone());
        if before == reading {
            return;
        }
        match sentence(&reading) {
            Some(text) => tracing::error!("{text}"),
            None if before != Reading::Begins => tracing::info!("reading from Telegram goes on"),
            None => {}
        }
    }

    /// Notes that another reader has ended a poll.
    pub(crate) fn note_conflict(&self) {
        if !self.has_other_reader() {
            tracing::error!("{OTHER_READER}");
        }
        self.conflict_at.set(Some(Instant::now()));
    }

    pub(crate) fn has_other_reader(&self) -> bool {
        let at = self.conflict_at.get();
        at.is_some_and(|at| at.elapsed() < READER_SECONDS)
    }

    pub(crate) fn set_bot(&self, bot: Bot) {
        self.bot.replace(Some(bot));
    }

    pub(crate) fn bot(&self) -> Option<Bot> {
        self.bot.borrow().clone()
    }

    /// The sentences about what keeps Telegram from being read.
    pub(crate) fn problems(&self) -> Vec<String> {
        let reading = sentence(&self.reading.borrow());
        let other = self.has_other_reader().then(|| OTHER_READER.to_owned());
        reading.into_iter().chain(other).collect()
    }
}

/// Said when another program reads with the same token.
pub(crate) const OTHER_READER: &str = "another reader is running: another program reads the updates of this bot with the same token, \
     and each ends the polls of the other. Stop one of them. No update is lost meanwhile";

/// Said when a token is refused.
pub(crate) const TOKEN_REFUSED: &str = "Telegram refuses the token of the bot (401): it is wrong, or it was revoked. @BotFather gives the \
     present one (/token); put it in the place of the other, and start the bridge again. The bridge tries again each minute";

/// Returns the sentence about a webhook that is set at this host.
pub(crate) fn webhook_sentence(host: &str) -> String {
    format!(
        "a webhook of this bot is set at {host}, so Telegram lets no program read its updates. Stop the program there, and remove the \
         webhook with deleteWebhook of the Bot API; or use the token of another bot"
    )
}

fn sentence(reading: &Reading) -> Option<String> {
    match reading {
        Reading::Begins | Reading::Reads => None,
        Reading::NoRoom => Some(
            "the bridge holds as many jobs as it may, and reads no updates until there is room: see why the service takes no messages"
                .to_owned(),
        ),
        Reading::TokenRefused => Some(TOKEN_REFUSED.to_owned()),
        Reading::Webhook(host) => Some(webhook_sentence(host)),
        Reading::Fails(why) => Some(format!(
            "Telegram does not answer as it should, and is asked again: {why}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn another_reader_is_a_problem_for_a_minute() {
        let status = Status::new();
        assert_eq!(status.problems(), Vec::<String>::new());
        status.note_conflict();
        assert_eq!(status.problems(), [OTHER_READER]);
        tokio::time::advance(READER_SECONDS).await;
        assert_eq!(status.problems(), Vec::<String>::new());
    }

    #[test]
    fn a_webhook_is_named_with_its_host() {
        let status = Status::new();
        status.set_reading(Reading::Webhook("shop.example".to_owned()));
        assert!(status.problems().concat().contains("at shop.example"));
        status.set_reading(Reading::Reads);
        assert!(status.problems().is_empty());
    }
}

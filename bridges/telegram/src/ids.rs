//! The ids that the bridge gives what comes from Telegram. The id of the bot is in each: two bots of an account share none.

/// The ids of a bot's chats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    /// The id of the bot, which is the first part of its token.
    pub bot: i64,
}

impl Ids {
    /// The id of a conversation, by the chat in which it began.
    #[must_use]
    pub fn conversation(self, chat: i64) -> String {
        format!("tg-{}-{chat}", self.bot)
    }

    /// The id of a message.
    #[must_use]
    pub fn message(self, chat: i64, message: i64) -> String {
        format!("tg-{}-{chat}-{message}", self.bot)
    }

    /// The id of a customer: a person, or a chat in whose name people write.
    #[must_use]
    pub fn customer(self, user: i64) -> String {
        format!("tg-{}-user-{user}", self.bot)
    }

    /// The id of the message that a press is. A press has no number of its own in its chat.
    #[must_use]
    pub fn press(self, query: &str) -> String {
        format!("tg-{}-press-{query}", self.bot)
    }

    /// The chat of a conversation; `None` when the id is not of this bot.
    #[must_use]
    pub fn chat(self, conversation: &str) -> Option<i64> {
        self.own_part(conversation)?.parse().ok()
    }

    /// The person that a customer is; `None` when the id is not of this bot.
    #[must_use]
    pub fn user(self, customer: &str) -> Option<i64> {
        self.own_part(customer)?.strip_prefix("user-")?.parse().ok()
    }

    /// The chat and the number of a message; `None` when the id is not of this bot.
    #[must_use]
    pub fn chat_and_message(self, msgid: &str) -> Option<(i64, i64)> {
        let (chat, message) = self.own_part(msgid)?.rsplit_once('-')?;
        Some((chat.parse().ok()?, message.parse().ok()?))
    }

    fn own_part(self, id: &str) -> Option<&str> {
        let rest = id.strip_prefix("tg-")?;
        rest.strip_prefix(&self.bot.to_string())?.strip_prefix('-')
    }
}

#[cfg(test)]
mod tests {
    use super::Ids;

    const IDS: Ids = Ids { bot: 42 };

    #[test]
    fn ids_are_read_as_they_are_written() {
        for chat in [7, -7, -1_001_234_567_890] {
            assert_eq!(IDS.chat(&IDS.conversation(chat)), Some(chat));
            let message = IDS.message(chat, 19);
            assert_eq!(IDS.chat_and_message(&message), Some((chat, 19)));
        }
        assert_eq!(IDS.message(-7, 19), "tg-42--7-19");
        assert_eq!(IDS.customer(7), "tg-42-user-7");
        assert_eq!(IDS.user("tg-42-user-7"), Some(7));
        assert_eq!(IDS.user("tg-42-7"), None);
    }

    #[test]
    fn ids_of_others_are_not_read() {
        let others = [
            "", "tg-", "tg-43-7", "tg-4-2-7", "tg-42", "chat-7", "tg-42-x", "tg-42-7x",
        ];
        for id in others {
            assert_eq!(IDS.chat(id), None, "{id}");
        }
        for id in ["tg-43-7-1", "tg-42-7", "tg-42-7-", "tg-42-user-7x", "m-1"] {
            assert_eq!(IDS.chat_and_message(id), None, "{id}");
        }
        assert_eq!(IDS.chat_and_message(&IDS.press("99")), None);
        assert_eq!(IDS.chat_and_message(&IDS.customer(7)), None);
    }
}

//! Shows the state to tests.

use super::Machine;
use super::bot::Bot;
use super::chat::{Author, Chat, ChatKind, Message, Standing};
use crate::clock::Moment;
use crate::orders::{BotShown, ChatShown, ClockState, MessageShown, PressShown, World};

impl Machine {
    /// Returns the world of one bot, or of all.
    pub(crate) fn world(&mut self, bot: Option<i64>, now: Moment, is_held: bool) -> World {
        for it in self.bots.values_mut() {
            it.queue.expire(now);
        }
        let bots = self
            .bots
            .values()
            .filter(|it| bot.is_none_or(|id| id == it.id));
        World {
            clock: ClockState { now, is_held },
            rates: self.rates,
            people: self
                .people
                .list
                .values()
                .map(|it| it.person.clone())
                .collect(),
            bots: bots.map(shown).collect(),
        }
    }
}

fn shown(bot: &Bot) -> BotShown {
    let mut presses: Vec<_> = bot.queries.iter().collect();
    presses.sort_by_key(|(_, query)| query.number);
    let press = |id: &String, query: &super::bot::Query| PressShown {
        callback_query_id: id.clone(),
        from: query.person,
        data: query.data.clone(),
        at: query.at,
        answered_at: query.answer.as_ref().map(|it| it.at),
        text: query.answer.as_ref().and_then(|it| it.text.clone()),
        is_alert: query.answer.as_ref().is_some_and(|it| it.is_alert),
    };
    BotShown {
        id: bot.id,
        username: bot.username.clone(),
        webhook_url: bot.webhook.as_ref().map(|it| it.settings.url.clone()),
        is_polling: bot.poll.is_some(),
        pending: bot.queue.len(),
        confirmed: bot.queue.confirmed_count,
        dropped: bot.queue.dropped,
        presses: presses
            .into_iter()
            .map(|(id, query)| press(id, query))
            .collect(),
        chats: bot.chats.values().map(chat_shown).collect(),
    }
}

fn chat_shown(chat: &Chat) -> ChatShown {
    let kind = match chat.kind {
        ChatKind::Private if chat.business.is_some() => "business",
        ChatKind::Private => "private",
        ChatKind::Group => "group",
        ChatKind::Supergroup => "supergroup",
    };
    let upgraded_to = match chat.standing {
        Standing::Upgraded(id) => Some(id),
        Standing::Member | Standing::Kicked => None,
    };
    ChatShown {
        id: chat.id,
        kind: kind.to_owned(),
        title: chat.title.clone(),
        members: chat.members.iter().copied().collect(),
        is_blocked: chat.standing == Standing::Kicked,
        upgraded_to,
        messages: chat.messages().map(message_shown).collect(),
        actions: chat.actions.clone(),
    }
}

fn message_shown(message: &Message) -> MessageShown {
    MessageShown {
        message_id: message.id,
        at: message.at,
        from: match message.author {
            Author::Bot => None,
            Author::Person(id) => Some(id),
        },
        method: message.method.clone(),
        content: message.body.clone(),
        reply_markup: message.markup.clone(),
        edits: message.edits.clone(),
        reactions: message.reactions.clone(),
        deleted_at: message.deleted_at,
    }
}

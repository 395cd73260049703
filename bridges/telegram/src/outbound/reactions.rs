//! Reactions of account users. A bot has one on a message, out of a fixed list.

use serde_json::{Value, json};
use switchboard_bridge_core::forms::{part, text};

use super::{Memory, Outbound, call, chat_of};
use crate::ids::Ids;
use crate::inbound::is_business;

/// The emoji that a bot may react with, without selectors of their form.
const EMOJI: &str = "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤\u{200d}🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨\u{200d}💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷\u{200d}♂ 🤷 🤷\u{200d}♀ 😡";

pub(super) fn read(reaction: &Value, ids: Ids, memory: &dyn Memory) -> Outbound {
    let Some(chat) = chat_of(reaction, ids, memory) else {
        return Outbound::Nothing("reaction");
    };
    if is_business(chat) {
        // The method knows no business chats.
        return Outbound::Nothing("reaction in a business chat");
    }
    let message = part(reaction, "message");
    let place = [text(reaction, "msgid"), text(message, "msgid")]
        .into_iter()
        .find_map(|msgid| ids.chat_and_message(msgid))
        .or_else(|| memory.shown(text(message, "id")));
    let Some((_, number)) = place.filter(|(at, _)| *at == chat) else {
        return Outbound::Nothing("reaction to an unknown message");
    };
    let list = match text(reaction, "type") {
        "react" => match telegram_emoji(text(reaction, "emoji")) {
            Some(emoji) => json!([{ "type": "emoji", "emoji": emoji }]),
            None => return Outbound::Nothing("reaction that Telegram lacks"),
        },
        "unreact" => json!([]),
        _ => return Outbound::Nothing("reaction"),
    };
    let params = [("message_id", json!(number)), ("reaction", list)];
    Outbound::Reaction(call("setMessageReaction", chat, &params))
}

/// The emoji as Telegram spells it.
fn telegram_emoji(emoji: &str) -> Option<&'static str> {
    let bare = emoji.replace('\u{fe0f}', "");
    EMOJI.split(' ').find(|it| *it == bare)
}

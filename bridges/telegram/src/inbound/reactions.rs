//! Reactions. Telegram sends the lists before and after a change, and the service takes one emoji at a time.

use serde_json::{Value, json};
use switchboard_bridge_core::forms::set;
use switchboard_bridge_core::posts::Post;

use super::{Context, Inbound, Posts, conversation};
use crate::api::types::{MessageReaction, Reaction};

/// The longest emoji that the service takes, in characters.
const EMOJI_MAX: usize = 32;
/// The most reactions of one person that are compared.
const REACTIONS_MAX: usize = 32;

pub(super) fn on_reaction(change: &MessageReaction, context: &Context<'_>) -> Option<Inbound> {
    let chat = change.chat.as_ref()?.id;
    let user = match (&change.user, &change.actor_chat) {
        (Some(user), _) => user.id,
        (None, Some(chat)) => chat.id,
        (None, None) => return None,
    };
    let (before, after) = (emoji(&change.old_reaction), emoji(&change.new_reaction));
    let removals = before
        .iter()
        .filter(|it| !after.contains(it))
        .map(|it| ("unreact", *it));
    let additions = after
        .iter()
        .filter(|it| !before.contains(it))
        .map(|it| ("react", *it));
    let changes: Vec<Post> = removals
        .chain(additions)
        .map(|(kind, emoji)| {
            Post::reaction(body(kind, emoji, change.message_id, chat, user, context))
        })
        .collect();
    if changes.is_empty() {
        // Those that are no emoji: pictures of the sender's own, and paid ones.
        return Some(Inbound::Skipped("message_reaction"));
    }
    Some(Inbound::Posts(Posts {
        chat,
        first_chat: context.memory.first_chat(chat),
        message: change.message_id,
        album: None,
        posts: changes,
    }))
}

/// The emoji of a list, each once.
fn emoji(list: &[Reaction]) -> Vec<&str> {
    let mut texts = Vec::new();
    for reaction in list.iter().take(REACTIONS_MAX) {
        let text = reaction.emoji.as_str();
        let fits =
            (1..=EMOJI_MAX).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        if fits && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

fn body(
    kind: &str,
    emoji: &str,
    message: i64,
    chat: i64,
    user: i64,
    context: &Context<'_>,
) -> Value {
    let mut body = json!({
        "conversation_id": conversation(chat, context),
        "user": { "id": context.ids.customer(user) },
        "type": kind,
        "emoji": emoji,
    });
    let (field, id) = match context.memory.service_id(chat, message) {
        Some(id) => ("id", id),
        None => ("msgid", context.ids.message(chat, message)),
    };
    set(&mut body, field, id);
    body
}

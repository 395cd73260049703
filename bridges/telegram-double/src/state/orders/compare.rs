//! What was confirmed, and what of it was never posted.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::shown;
use crate::bounds::UPDATES_MAX;
use crate::clock::Moment;
use crate::orders::{Comparison, ConfirmedList, MessageRef, OrderError, Unposted};
use crate::state::Machine;
use crate::state::bot::Bot;
use crate::state::chat::Author;
use crate::state::queue::About;

fn reference(about: &About) -> Option<MessageRef> {
    Some(MessageRef {
        chat: about.chat,
        message_id: about.message_id?,
    })
}

/// Returns whether a message is one of a person, and not a notice of a group.
fn is_said(bot: &Bot, at: MessageRef) -> bool {
    let chat = bot.chats.get(&at.chat);
    let message = chat.and_then(|chat| chat.any(at.message_id));
    message.is_some_and(|it| it.author != Author::Bot && it.method != "service")
}

impl Machine {
    pub(crate) fn confirmed(
        &mut self,
        bot: Option<i64>,
        now: Moment,
    ) -> Result<ConfirmedList, OrderError> {
        let id = self.bot_id(bot)?;
        let desk = self.desk_for(Some(id), now)?;
        let queue = &desk.bot.queue;
        Ok(ConfirmedList {
            bot: id,
            count: queue.confirmed_count,
            updates: queue.confirmed.iter().cloned().collect(),
            pending: queue.len(),
            dropped: queue.dropped,
        })
    }

    pub(super) fn compare(&mut self, order: Unposted, now: Moment) -> Result<Value, OrderError> {
        let desk = self.desk_for(order.bot, now)?;
        if order.posted.len() > 2 * UPDATES_MAX {
            let text = format!("at most {} messages are compared", 2 * UPDATES_MAX);
            return Err(OrderError::one("posted", text));
        }
        let bot = &*desk.bot;
        let mut counts: BTreeMap<MessageRef, u64> = BTreeMap::new();
        for at in &order.posted {
            *counts.entry(*at).or_default() += 1;
        }
        let updates = bot.queue.confirmed.iter().filter(|it| it.kind == "message");
        let messages: Vec<&About> = updates
            .filter(|it| {
                let at = reference(it);
                order.with_service_messages || at.is_some_and(|at| is_said(bot, at))
            })
            .collect();
        let is_lost = |it: &&&About| reference(it).is_none_or(|at| !counts.contains_key(&at));
        let losses: Vec<About> = messages
            .iter()
            .filter(is_lost)
            .map(|it| (*it).clone())
            .collect();
        let repeats = counts.iter().filter(|(_, count)| **count > 1);
        let confirmed: BTreeSet<MessageRef> =
            messages.iter().filter_map(|it| reference(it)).collect();
        let is_unknown = |at: &MessageRef| !is_said(bot, *at) && !confirmed.contains(at);
        let unknown = counts.keys().copied().filter(is_unknown);
        shown(Comparison {
            confirmed: messages.len(),
            count: losses.len(),
            lost: losses,
            repeated: repeats.map(|(at, _)| *at).collect(),
            unknown: unknown.collect(),
        })
    }
}

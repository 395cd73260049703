//! The scheduled replies in one conversation: what account users have written to be sent at a time.
//!
//! A scheduled reply is no message before it is sent, so no list of messages, callback or search knows of it. The state has
//! those that are not at their end, with their timers; their texts are in the records.

pub mod change;
pub mod create;
pub mod delete;
pub mod scheduled_reply;
pub mod settle;
pub mod update;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::audit::AuditEntry;
use crate::id::ConversationId;
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::scheduled_replies::scheduled_reply::ScheduledReply;
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The most scheduled replies of one conversation that are not at their end.
pub const OPEN_MAX: usize = 20;

/// The scheduled replies in one conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledReplies {
    conversation: ConversationId,
    /// The number of the newest one; 0 before the first.
    newest: u64,
    /// Those that are not at their end, by number: the time at which each is sent, or `None` while it is held.
    pub open: BTreeMap<u64, Option<UnixMillis>>,
}

/// A scheduled reply is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledRepliesEvent {
    /// The scheduled reply.
    pub reply: Box<ScheduledReply>,
    /// The audit entry, when a user cancelled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Box<AuditEntry>>,
}

impl State for ScheduledReplies {
    type Id = ConversationId;
    type Event = ScheduledRepliesEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::SCHEDULED_REPLIES;

    fn initial(id: &ConversationId) -> Self {
        Self {
            conversation: *id,
            newest: 0,
            open: BTreeMap::new(),
        }
    }

    fn apply(&mut self, event: &ScheduledRepliesEvent) {
        let reply = &event.reply;
        self.newest = self.newest.max(reply.number);
        if reply.status.is_open() {
            self.open.insert(reply.number, reply.due());
        } else {
            self.open.remove(&reply.number);
        }
    }

    fn index(&self, event: &ScheduledRepliesEvent, entries: &mut IndexEntries) {
        let (id, reply) = (self.conversation, &event.reply);
        entries.key(keys::team::scheduled_reply(id, reply.number));
        if let Some(request) = reply.request.as_ref().filter(|_| reply.version == 1) {
            let user = reply.by.user;
            entries.key(keys::team::scheduled_reply_request(id, user, request));
        }
        let before = self.open.get(&reply.number).copied().flatten();
        if before != reply.due() {
            let row = |due| keys::snooze::scheduled_row(due, id, reply.number);
            if let Some(due) = before {
                entries.delete(tables::SCHEDULED, row(due));
            }
            if let Some(due) = reply.due() {
                entries.put(tables::SCHEDULED, row(due), Vec::new());
            }
        }
        if let Some(audit) = &event.audit {
            audit.index(entries);
        }
    }
}

#[cfg(test)]
mod tests;

//! A conversation: what customers wrote, what account users answered, and what became of the answers.
//!
//! The state is small whatever the length of the conversation. Messages are records of the journal, found by
//! their keys ([`crate::keys`]); the state only counts them.

mod addresses;
mod answers;
pub mod assign_by_rule;
pub mod assign_group;
pub mod condensed;
pub mod customer;
pub mod dismiss_failures;
pub mod edit;
mod event;
pub mod fetch;
pub mod filters;
pub mod first_answer;
#[cfg(test)]
mod fixture;
mod lists;
pub mod mark_read;
pub mod mark_unread;
mod markup;
pub mod mention_users;
mod messages;
pub mod note_lead;
pub mod open_chat;
pub mod outgoing;
pub mod react;
pub mod reply;
pub mod reply_if_unanswered;
pub mod reply_when_due;
pub mod report_delivery;
pub mod send_message;
pub mod snooze;
pub mod snooze_conversation;
mod snooze_timer;
pub mod start_conversation;
pub mod status;
mod team;
mod volume;
pub mod waiting;
pub mod wake_conversation;
pub mod window;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use self::answers::Answers;
pub use self::customer::{Customer, Origin};
pub use self::event::{
    ConversationEvent, Edited, Mark, Marked, Opened, Reacted, Read, Received, Reported,
};
pub use self::outgoing::{Author, Outgoing, ReactionCallback, Replied};
pub use self::snooze::{Snooze, WakeCause, Woken};
pub use self::team::{GroupAssigned, Mentioned};
pub use self::waiting::Waiting;

use crate::account_quota::Volume;
use crate::chat::delivery::{DeliveryStatus, Trouble};
use crate::chat::fetch::{AvatarMark, FetchPlace, FetchSubject};
use crate::id::{ConversationId, GroupId, ScopeId, UserId};
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::tables;
use crate::text::{PostId, SourceId};
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The state of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    /// The service's id.
    pub id: ConversationId,
    /// The place of the conversation; `None` before the first event.
    pub origin: Option<Origin>,
    /// The last customer who wrote, or the first who was written to: the receiver of replies.
    pub customer: Option<Customer>,
    /// The number of messages, in both directions.
    pub messages: u64,
    /// The number of messages that account users wrote.
    pub outgoing: u64,
    /// The number of loud messages since an account user last replied or read.
    pub unread: u64,
    /// The number of the last message that was loud or that an account user wrote.
    #[serde(default)]
    pub spoken: u64,
    /// The time of the last activity. Imported history is active at its time of writing.
    pub active_at: UnixMillis,
    /// True while a lead from this conversation is open.
    pub lead: bool,
    /// The last entrance of the integration that a message came through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceId>,
    /// The post whose comments it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<PostId>,
    /// The volume of the messages for the quotas of the account.
    #[serde(default)]
    pub volume: Volume,
    /// The responsible user of the newest lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<UserId>,
    /// The group to which it is assigned; it may be deleted by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupId>,
    /// The subscribers of the chat: the users who answered here, the first [`FOLLOWERS_MAX`] of them, and those who were mentioned.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub followers: BTreeSet<UserId>,
    /// The users whom a note of the team mentioned; they are subscribers.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub mentioned: BTreeSet<UserId>,
    /// The newest answers to the customer.
    #[serde(default, skip_serializing_if = "Answers::is_empty")]
    pub answers: Answers,
    /// The number of the customer's last message that was loud.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard: Option<u64>,
    /// The snooze; `None` while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snooze: Option<Box<Snooze>>,
    /// The number of messages when a snooze was last due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_behind: Option<u64>,
    /// The number of the newest outgoing message with buttons or a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markup: Option<u64>,
    /// The time of the customer's newest message that is not silent: the time window of a channel begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_at: Option<UnixMillis>,
    /// The number of the last message when the talk of the newest lead was closed; `None` when it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk_closed: Option<u64>,
    /// Since when the customer waits for an answer; `None` while it is not the account's turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Waiting>,
    /// The last responsible user of an earlier lead, while the newest one has had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_responsible: Option<UserId>,
}

/// The highest number of users who follow a conversation since they answered. Each has it in a list, in which it moves with every message.
pub const FOLLOWERS_MAX: usize = 32;

impl State for Conversation {
    type Id = ConversationId;
    type Event = ConversationEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::CONVERSATION;

    fn initial(id: &ConversationId) -> Self {
        Self {
            id: *id,
            origin: None,
            customer: None,
            messages: 0,
            outgoing: 0,
            unread: 0,
            spoken: 0,
            active_at: UnixMillis::ZERO,
            lead: false,
            source: None,
            post: None,
            volume: Volume::default(),
            responsible: None,
            group: None,
            followers: BTreeSet::new(),
            mentioned: BTreeSet::new(),
            answers: Answers::default(),
            heard: None,
            snooze: None,
            due_behind: None,
            markup: None,
            heard_at: None,
            talk_closed: None,
            waiting: None,
            last_responsible: None,
        }
    }

    fn apply(&mut self, event: &ConversationEvent) {
        self.volume = self.volume_after(event);
        self.apply_to_waiting(event);
        self.apply_to_snooze(event);
        self.apply_to_markup(event);
        self.apply_to_window(event);
        match event {
            ConversationEvent::Opened(opened) => {
                self.origin = Some(opened.origin.clone());
                self.customer.clone_from(&opened.customer);
                self.source.clone_from(&opened.source);
            }
            ConversationEvent::Received(received) => self.apply_received(received, event),
            ConversationEvent::Replied(replied) => self.apply_replied(replied, event),
            ConversationEvent::Reacted(reacted) => {
                if let Some(callback) = &reacted.callback {
                    self.outgoing = callback.out;
                }
            }
            ConversationEvent::Edited(_)
            | ConversationEvent::Fetched(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::Snoozed(_)
            | ConversationEvent::Woken(_) => {}
            ConversationEvent::LeadOpened => {
                self.lead = true;
                self.responsible = None;
            }
            ConversationEvent::LeadChanged {
                open, responsible, ..
            } => {
                self.lead = *open;
                self.responsible = *responsible;
            }
            ConversationEvent::Read(_) | ConversationEvent::Marked(_) => {
                self.unread = self.unread_after(event);
            }
            ConversationEvent::Mentioned(mentioned) => {
                self.followers.extend(&mentioned.users);
                self.mentioned.extend(&mentioned.users);
            }
            ConversationEvent::GroupAssigned(assigned) => self.group = assigned.group,
            ConversationEvent::Condensed(condensed) => self.clone_from(&condensed.state),
        }
    }

    fn index(&self, event: &ConversationEvent, entries: &mut IndexEntries) {
        self.list_snooze(event, entries);
        self.list_waiting(event, entries);
        match event {
            ConversationEvent::Opened(opened) => {
                if let Some(customer) = &opened.customer {
                    let scope = &opened.origin.scope;
                    entries.key(match self.messages {
                        0 => keys::expected(scope, customer.person),
                        1.. => keys::person(scope, customer.person),
                    });
                    self.list_addresses(opened.origin.scope.account(), customer, entries);
                }
            }
            ConversationEvent::Edited(edited) => self.index_edit(edited, entries),
            ConversationEvent::Reacted(reacted) => {
                entries.key(keys::reactions(reacted.id));
                if let Some(callback) = &reacted.callback {
                    entries.key(keys::message(callback.id));
                    self.queue(&callback.scope, callback.out, callback.at, entries);
                }
            }
            ConversationEvent::Received(received) => self.index_received(received, event, entries),
            ConversationEvent::Replied(replied) => {
                self.index_reply(replied, self.volume_after(event), entries);
                self.list_unread(&replied.origin(), event, entries);
            }
            ConversationEvent::Reported(reported) => self.index_report(reported, entries),
            ConversationEvent::LeadOpened => self.change_responsible(None, entries),
            ConversationEvent::LeadChanged { responsible, .. } => {
                self.change_responsible(*responsible, entries);
            }
            ConversationEvent::Read(_) => {
                if let Some(origin) = &self.origin {
                    self.list_unread(origin, event, entries);
                }
            }
            ConversationEvent::Marked(marked) => {
                if let Some(origin) = &self.origin {
                    self.list_unread(origin, event, entries);
                    self.unlist_failures(origin, &marked.mark, entries);
                }
            }
            ConversationEvent::Fetched(fetched) => {
                fetched.index(self.id, entries);
                self.list_copy(event, entries);
            }
            ConversationEvent::Mentioned(mentioned) => self.list_mentioned(mentioned, entries),
            ConversationEvent::Condensed(condensed) => condensed.index(self, entries),
            ConversationEvent::Snoozed(_)
            | ConversationEvent::Woken(_)
            | ConversationEvent::GroupAssigned(_) => {}
        }
    }
}

impl Conversation {
    /// Lists the files of a message that are to be fetched: its own file, and the customer's new picture.
    fn list_files(&self, origin: &Origin, received: &Received, entries: &mut IndexEntries) {
        let due = received.at;
        if let Some(host) = received.media_from {
            let subject = FetchSubject::Message(received.id);
            let row = keys::fetch::row(&FetchPlace { due, subject });
            let about = keys::fetch::about(self.id, host, 0);
            entries.insert(tables::UNFETCHED, row, about);
        }
        let customer = received.customer.as_ref();
        if let (Some(host), Some(avatar)) = (
            received.avatar_from,
            customer.and_then(|customer| customer.avatar.as_ref()),
        ) {
            let subject = FetchSubject::Avatar(AvatarMark::new(origin.scope.account(), avatar));
            let place = FetchPlace { due, subject };
            fetch::list(self.id, &place, host, 0, entries);
        }
    }

    /// It waits for its callback.
    fn queue(&self, scope: &ScopeId, out: u64, since: UnixMillis, entries: &mut IndexEntries) {
        entries.key(keys::outgoing(self.id, out));
        entries.insert(
            tables::QUEUED,
            keys::queue_row(scope, self.id, out),
            since.get().to_be_bytes().to_vec(),
        );
    }

    fn index_edit(&self, edited: &Edited, entries: &mut IndexEntries) {
        if edited.content {
            entries.key(keys::edit(edited.id));
        }
        if let Some(host) = edited.media_from {
            let place = FetchPlace {
                due: edited.at,
                subject: FetchSubject::Message(edited.id),
            };
            fetch::list(self.id, &place, host, 0, entries);
        }
        if let Some(msgid) = &edited.msgid {
            entries.key(keys::msgid(self.id, msgid));
            entries.key(keys::named(edited.id));
        }
    }

    fn index_report(&self, reported: &Reported, entries: &mut IndexEntries) {
        entries.key(keys::report(reported.id));
        if let (Some(out), Some(origin)) = (reported.out, &self.origin) {
            let row = keys::failed_row(origin.scope.account(), self.id, out);
            match &reported.status {
                DeliveryStatus::Error(_) => {
                    entries.put(tables::FAILED, row, vec![Trouble::Error.code()]);
                }
                DeliveryStatus::Delivered | DeliveryStatus::Read => {
                    entries.delete(tables::FAILED, row);
                }
            }
        }
    }

    fn index_reply(&self, replied: &Replied, volume: Volume, entries: &mut IndexEntries) {
        entries.key(keys::message(replied.id));
        entries.key(keys::numbered(self.id, replied.number));
        self.queue(&replied.scope, replied.out, replied.at, entries);
        if let Some(request) = &replied.request {
            entries.key(keys::request(self.id, replied.by.user, request));
        }
        let origin = match &self.origin {
            Some(origin) => origin.clone(),
            None => {
                // The service knows this person from now on: the integration may bind an id to them.
                entries.key(keys::person(&replied.scope, replied.to.person));
                self.list_addresses(replied.scope.account(), &replied.to, entries);
                replied.origin()
            }
        };
        if let Some(failed) = replied.resends {
            let row = keys::failed_row(replied.scope.account(), self.id, failed);
            entries.delete(tables::FAILED, row);
        }
        if !replied.by.is_bot {
            entries.insert(
                tables::WRITTEN,
                keys::written_row(replied.scope.account(), replied.by.user, replied.id),
                Vec::new(),
            );
        }
        let mut readers = self.readers();
        if self.can_be_followed_by(&replied.by) {
            let account = origin.scope.account();
            readers.insert(replied.by.user);
            if let Some(lead) = replied.lead {
                let row = keys::lead_of_row(account, replied.by.user, lead, true);
                entries.put(tables::LEADS_OF, row, Vec::new());
            }
        }
        self.move_in_list(&origin, replied.at, volume, &readers, entries);
    }

    /// Returns whether the conversation came through this scope.
    #[must_use]
    pub fn is_of(&self, scope: &ScopeId) -> bool {
        let origin = self.origin.as_ref();
        origin.is_some_and(|origin| &origin.scope == scope)
    }

    /// The number of the next message.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.messages.saturating_add(1)
    }
}

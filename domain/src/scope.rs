//! A scope: the connection of one account to one channel, and what the integration's ids are bound to in it.

pub mod bind;
pub mod connect;
pub mod disconnect;

use serde::{Deserialize, Serialize};

use crate::hook_version::HookVersion;
use crate::id::{ClientConversationId, ClientPersonId, ConversationId, PersonId, ScopeId};
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::tables;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The state of a scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// Its id.
    pub id: ScopeId,
    /// The connection; `None` when there never was one, or it was ended.
    pub connection: Option<Connection>,
    /// The number of the integration's conversation ids that are bound to conversations of the service.
    pub bound_conversations: u64,
    /// The number of the integration's person ids that are bound to persons of the service.
    pub bound_people: u64,
}

/// The settings of an account's connection; the last call wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// The name of the scope, for example a messenger number.
    pub title: String,
    /// The form of callbacks.
    pub version: HookVersion,
    /// True when people may write at any time, whatever window the messenger has.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub time_window_disabled: bool,
}

/// An event of a scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeEvent {
    /// The account was connected, or its connection changed.
    Connected(Connection),
    /// The account was disconnected.
    Disconnected,
    /// From now on this conversation id of the integration means that conversation.
    ConversationBound {
        /// The integration's id.
        client: ClientConversationId,
        /// The conversation.
        conversation: ConversationId,
    },
    /// From now on this person id of the integration means that person.
    PersonBound {
        /// The integration's id.
        client: ClientPersonId,
        /// The person.
        person: PersonId,
    },
}

impl State for Scope {
    type Id = ScopeId;
    type Event = ScopeEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::SCOPE;

    fn initial(id: &ScopeId) -> Self {
        Self {
            id: id.clone(),
            connection: None,
            bound_conversations: 0,
            bound_people: 0,
        }
    }

    fn apply(&mut self, event: &ScopeEvent) {
        match event {
            ScopeEvent::Connected(connection) => self.connection = Some(connection.clone()),
            ScopeEvent::Disconnected => self.connection = None,
            ScopeEvent::ConversationBound { .. } => {
                self.bound_conversations = self.bound_conversations.saturating_add(1);
            }
            ScopeEvent::PersonBound { .. } => {
                self.bound_people = self.bound_people.saturating_add(1)
            }
        }
    }

    fn index(&self, event: &ScopeEvent, entries: &mut IndexEntries) {
        match event {
            ScopeEvent::Connected(_) => {
                entries.put(tables::SCOPES, keys::scope_row(&self.id), Vec::new())
            }
            ScopeEvent::Disconnected => entries.delete(tables::SCOPES, keys::scope_row(&self.id)),
            ScopeEvent::ConversationBound { client, .. } => {
                entries.key(keys::bound_conversation(&self.id, client));
            }
            ScopeEvent::PersonBound { client, .. } => {
                entries.key(keys::bound_person(&self.id, client))
            }
        }
    }
}

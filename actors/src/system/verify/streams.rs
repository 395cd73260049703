//! The accounts of damaged streams: those of conversations stand in their other records.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::domain::id::{AccountId, ConversationId, MediaId, ScopeId};
use crate::domain::{keys, kinds};
use crate::system::verify::files::files_named_in;
use switchboard_engine::store::Record;
use switchboard_engine::store::verify::touched::Describe;
use switchboard_engine::stream::StreamKey;

/// Says what damaged streams are about.
#[derive(Debug, Default)]
pub(super) struct Streams {
    wanted: BTreeSet<ConversationId>,
    scopes: BTreeMap<ConversationId, ScopeId>,
    files: BTreeSet<MediaId>,
}

impl Streams {
    /// The files that the records name.
    pub(super) fn files(self) -> BTreeSet<MediaId> {
        self.files
    }
}

impl Describe for Streams {
    fn read(&mut self, record: &Record) {
        self.files.extend(files_named_in(record));
    }

    fn lost(&mut self, streams: &BTreeSet<StreamKey>) {
        self.wanted = streams.iter().filter_map(conversation).collect();
    }

    fn is_curious(&self) -> bool {
        self.scopes.len() < self.wanted.len()
    }

    fn look(&mut self, record: &Record) {
        let Some(id) = conversation(&record.stream).filter(|id| self.wanted.contains(id)) else {
            return;
        };
        let event = serde_json::from_slice(&record.event).unwrap_or_default();
        if let Some(scope) = scope_in(&event) {
            self.scopes.insert(id, scope);
        }
    }

    fn describe(&self, stream: &StreamKey) -> (String, Option<String>) {
        let account = <[u8; 16]>::try_from(stream.id())
            .ok()
            .map(|bytes| AccountId::from_bytes(bytes).to_string());
        let text = || String::from_utf8_lossy(stream.id()).into_owned();
        let of_conversation = |what: &str| {
            let id = conversation(stream);
            let name = id.map_or_else(text, |id| id.to_string());
            let scope = id.and_then(|id| self.scopes.get(&id));
            let account = scope.map(|scope| scope.account().to_string());
            (format!("{what} {name}"), account)
        };
        let is = |kind| stream.is(kind);
        if is(kinds::CONVERSATION) {
            of_conversation("conversation")
        } else if is(kinds::QUEUE) {
            of_conversation("callbacks of conversation")
        } else if is(kinds::DRAFTS) {
            of_conversation("drafts in conversation")
        } else if is(kinds::TEAM_NOTES) {
            of_conversation("notes in conversation")
        } else if is(kinds::SCHEDULED_REPLIES) {
            of_conversation("scheduled replies in conversation")
        } else if is(kinds::SCOPE) {
            let scope = text().parse::<ScopeId>().ok();
            let account = scope.map(|scope| scope.account().to_string());
            (format!("scope {}", text()), account)
        } else if is(kinds::CRM) {
            ("leads and contacts".to_owned(), account)
        } else if is(kinds::USERS) {
            ("users".to_owned(), account)
        } else if is(kinds::ROLES) {
            ("roles".to_owned(), account)
        } else if is(kinds::CREDENTIALS) {
            match keys::parse_credentials_name(stream.id()) {
                Some((account, user)) => (
                    format!("tokens and sessions of user {user}"),
                    Some(account.to_string()),
                ),
                None => ("tokens and sessions of a user".to_owned(), None),
            }
        } else if is(kinds::ENDPOINTS) {
            (format!("addresses of channel {}", text()), None)
        } else {
            let kind = kinds::ALL.iter().find(|kind| is(**kind));
            let name = kind.map_or_else(|| format!("{stream:?}"), |kind| kind.name().to_owned());
            (name.to_lowercase(), None)
        }
    }
}

fn conversation(stream: &StreamKey) -> Option<ConversationId> {
    let of_one = [
        kinds::CONVERSATION,
        kinds::QUEUE,
        kinds::DRAFTS,
        kinds::TEAM_NOTES,
        kinds::SCHEDULED_REPLIES,
    ]
    .iter()
    .any(|kind| stream.is(*kind));
    let bytes = <[u8; 16]>::try_from(stream.id()).ok()?;
    of_one.then(|| ConversationId::from_bytes(bytes))
}

/// The scope that an event names, wherever in it.
fn scope_in(event: &Value) -> Option<ScopeId> {
    match event {
        Value::Object(fields) => fields.iter().find_map(|(key, value)| {
            let scope = value.as_str().filter(|_| key == "scope");
            scope.map_or_else(|| scope_in(value), |text| text.parse().ok())
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    }
}

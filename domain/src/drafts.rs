//! The drafts in one conversation: what account users have written and not sent.
//!
//! A draft belongs to a user, a conversation and a kind. It is no part of the conversation: no message, no search and no
//! callback knows of it. The state counts the versions; the texts are in the records.

pub mod delete_sent;
pub mod draft;
pub mod update;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::drafts::draft::{Draft, DraftKind};
use crate::id::{ConversationId, UserId};
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The most users whose drafts one conversation keeps.
pub const WRITERS_MAX: usize = 100;

/// The drafts in one conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drafts {
    conversation: ConversationId,
    versions: Vec<Version>,
}

/// The version of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Version {
    user: UserId,
    kind: DraftKind,
    /// The number of the version, which only grows.
    number: u64,
    /// True once the draft was sent or deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_empty: bool,
}

/// An event of drafts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DraftsEvent {
    /// A user wrote a new version, or deleted the draft.
    Updated(Box<Draft>),
}

impl DraftsEvent {
    /// The draft as it is from then on.
    #[must_use]
    pub fn draft(&self) -> &Draft {
        let Self::Updated(draft) = self;
        draft
    }
}

impl Drafts {
    /// The number of the newest version of a draft; 0 before the first.
    #[must_use]
    pub fn number(&self, user: UserId, kind: DraftKind) -> u64 {
        let version = self.versions.iter().find(|it| it.is(user, kind));
        version.map_or(0, |version| version.number)
    }

    /// Returns whether another draft of this user finds room.
    fn has_room(&self, user: UserId) -> bool {
        let drafts = self.versions.iter().filter(|it| !it.is_empty);
        let writers: BTreeSet<UserId> = drafts.map(|it| it.user).collect();
        writers.len() < WRITERS_MAX || writers.contains(&user)
    }
}

impl Version {
    fn is(&self, user: UserId, kind: DraftKind) -> bool {
        self.user == user && self.kind == kind
    }
}

impl State for Drafts {
    type Id = ConversationId;
    type Event = DraftsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::DRAFTS;

    fn initial(id: &ConversationId) -> Self {
        Self {
            conversation: *id,
            versions: Vec::new(),
        }
    }

    fn apply(&mut self, event: &DraftsEvent) {
        let draft = event.draft();
        self.versions.retain(|it| !it.is(draft.user, draft.kind));
        self.versions.push(Version {
            user: draft.user,
            kind: draft.kind,
            number: draft.number,
            is_empty: draft.content.is_empty(),
        });
    }

    fn index(&self, event: &DraftsEvent, entries: &mut IndexEntries) {
        let draft = event.draft();
        entries.key(keys::team::draft(self.conversation, draft.user, draft.kind));
    }
}

#[cfg(test)]
mod tests;

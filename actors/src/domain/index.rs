//! How stored records are found again: by fingerprint, or in order.
//!
//! A *key* is a 128-bit fingerprint that leads to the newest record with that key. A *row* is an entry of an
//! ordered list. Both can be derived again from the records, so an index that is lost is only rebuilt.

use std::fmt;
use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher13};
use smallvec::SmallVec;

/// The kinds of streams; the number is stored, so it never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StreamKind {
    /// The channels of the installation: one stream.
    Channels,
    /// The accounts of the installation: one stream.
    Accounts,
    /// A scope.
    Scope,
    /// A conversation.
    Conversation,
    /// Pipelines, deals and contacts of one account.
    Book,
    /// Callbacks of one conversation.
    Lane,
    /// Users of one account.
    Users,
    /// Roles of one account.
    Roles,
    /// The operator: one stream.
    Operator,
    /// Bearer tokens and sessions of one user.
    Credentials,
    /// The endpoints of one channel.
    Endpoints,
    /// Callbacks that are sent again by a filter: one stream.
    Replays,
}

impl StreamKind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Channels,
        Self::Accounts,
        Self::Scope,
        Self::Conversation,
        Self::Book,
        Self::Lane,
        Self::Users,
        Self::Roles,
        Self::Operator,
        Self::Credentials,
        Self::Endpoints,
        Self::Replays,
    ];

    /// The stored number of the kind.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Channels => 1,
            Self::Accounts => 2,
            Self::Scope => 3,
            Self::Conversation => 4,
            Self::Book => 5,
            Self::Lane => 6,
            Self::Users => 7,
            Self::Roles => 8,
            Self::Operator => 9,
            Self::Credentials => 10,
            Self::Endpoints => 16,
            Self::Replays => 17,
        }
    }

    /// The kind with this stored number.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// The bytes of a stream's id. Those of most streams are a UUID's and need no memory of their own.
pub type StreamId = SmallVec<[u8; 16]>;

/// The name of a stream: its kind and the bytes of its id (at most 255).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StreamKey {
    kind: StreamKind,
    id: StreamId,
    /// Kept, because each record asks for it several times.
    key: Key,
}

impl StreamKey {
    /// The stream of this kind with this id.
    #[must_use]
    pub fn new(kind: StreamKind, id: &[u8]) -> Self {
        Self {
            kind,
            id: StreamId::from_slice(id),
            key: Key::of("stream", &(kind.code(), id)),
        }
    }

    /// The kind of the stream.
    #[must_use]
    pub fn kind(&self) -> StreamKind {
        self.kind
    }

    /// The bytes of the id; empty for a stream of which there is one.
    #[must_use]
    pub fn id(&self) -> &[u8] {
        &self.id
    }

    /// The fingerprint under which the stream's first record is found: tells new streams from old ones.
    #[must_use]
    pub fn key(&self) -> Key {
        self.key
    }
}

impl Hash for StreamKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Debug for StreamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}:{}", self.kind, hex::encode(&self.id))
    }
}

/// A 128-bit fingerprint of what a record can be found by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u128);

impl Key {
    /// The fingerprint of `parts` within the family `family`.
    #[must_use]
    pub fn of(family: &'static str, parts: &impl Hash) -> Self {
        let mut hasher = SipHasher13::new_with_keys(0x7377_6974_6368_626f, 0x6172_645f_6b65_7973);
        family.hash(&mut hasher);
        parts.hash(&mut hasher);
        hasher.write_u8(0xff);
        Self(hasher.finish128().as_u128())
    }
}

/// Keys of one record, or that one command asks for: seldom more than four, and so many take no memory of their own.
pub type Keys = SmallVec<[Key; 4]>;

/// The key of a row; one of ordinary length takes no memory of its own.
pub type RowBytes = SmallVec<[u8; 48]>;

/// Changes of rows by one record, likewise.
pub type RowChanges = SmallVec<[Row; 2]>;

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The ordered lists; the number is stored, so it never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Snapshots of states: stream → snapshot. Written by checkpoints only, never by events.
    Snapshots,
    /// Snapshots of conversations and of what became of their callbacks, as [`Self::Snapshots`].
    ConversationSnapshots,
    /// Conversations of an account, newest activity first.
    Conversations,
    /// Leads of an account by number.
    Leads,
    /// Leads of an account by pipeline and stage, newest first.
    LeadsByStage,
    /// Contacts of an account by number.
    Contacts,
    /// Messages that wait for their callback: scope, conversation, number.
    Queued,
    /// Connected scopes.
    Scopes,
    /// Audit entries, newest last: those of the installation, and those of each account.
    Audit,
    /// Messages whose callback was given up or cancelled: fate, scope, conversation, number.
    Undelivered,
    /// Messages that account users wrote, by user.
    Written,
    /// Users who ever had a bearer token or a session.
    Credentials,
    /// Leads by user: those that the user answers for, and those whose chat the user follows.
    LeadsOf,
    /// Contacts by the user who answers for them.
    ContactsOf,
    /// Conversations by user, newest activity first: those whose deal the user answers for, and those the user follows.
    ConversationsOf,
    /// Chats by the contact that they belong to.
    ChatsOf,
    /// Files that are to be looked at, by when they may be.
    Unfetched,
    /// Conversations of an account with unread messages.
    Unread,
    /// Messages of account users that failed and were not sent again: account, conversation, number.
    Failed,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 19] = [
        Self::Snapshots,
        Self::ConversationSnapshots,
        Self::Conversations,
        Self::Leads,
        Self::LeadsByStage,
        Self::Contacts,
        Self::Queued,
        Self::Scopes,
        Self::Audit,
        Self::Undelivered,
        Self::Written,
        Self::Credentials,
        Self::LeadsOf,
        Self::ContactsOf,
        Self::ConversationsOf,
        Self::ChatsOf,
        Self::Unfetched,
        Self::Unread,
        Self::Failed,
    ];

    /// The stored name of the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Snapshots => "snapshots",
            Self::ConversationSnapshots => "conversation_snapshots",
            Self::Conversations => "conversations",
            Self::Leads => "leads",
            Self::LeadsByStage => "leads_by_stage",
            Self::Contacts => "contacts",
            Self::Queued => "queued",
            Self::Scopes => "scopes",
            Self::Audit => "audit",
            Self::Undelivered => "undelivered",
            Self::Written => "written",
            Self::Credentials => "credentials",
            Self::LeadsOf => "leads_of",
            Self::ContactsOf => "contacts_of",
            Self::ConversationsOf => "conversations_of",
            Self::ChatsOf => "chats_of",
            Self::Unfetched => "unfetched",
            Self::Unread => "unread",
            Self::Failed => "failed",
        }
    }

    /// The stored number of the table.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Snapshots => 1,
            Self::ConversationSnapshots => 17,
            Self::Conversations => 2,
            Self::Leads => 3,
            Self::LeadsByStage => 4,
            Self::Contacts => 5,
            Self::Queued => 6,
            Self::Scopes => 7,
            Self::Audit => 8,
            Self::Undelivered => 9,
            Self::Written => 10,
            Self::Credentials => 11,
            Self::LeadsOf => 12,
            Self::ContactsOf => 13,
            Self::ConversationsOf => 14,
            Self::ChatsOf => 15,
            Self::Unfetched => 16,
            Self::Unread => 18,
            Self::Failed => 19,
        }
    }

    /// Whether its rows are snapshots of states, which no event writes.
    #[must_use]
    pub fn has_snapshots(self) -> bool {
        matches!(self, Self::Snapshots | Self::ConversationSnapshots)
    }

    /// Whether its rows come with messages or with conversations, so that they are kept in sorted files: one row costs
    /// the tables' engine ten times as much.
    #[must_use]
    pub fn lies_in_runs(self) -> bool {
        match self {
            Self::ConversationSnapshots
            | Self::Conversations
            | Self::ConversationsOf
            | Self::Queued
            | Self::Written
            | Self::Unfetched
            | Self::Unread
            | Self::Leads
            | Self::LeadsByStage
            | Self::LeadsOf
            | Self::Contacts
            | Self::ContactsOf
            | Self::ChatsOf => true,
            Self::Snapshots
            | Self::Scopes
            | Self::Audit
            | Self::Undelivered
            | Self::Failed
            | Self::Credentials => false,
        }
    }
}

/// A change of one row of an ordered list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The list.
    pub table: Table,
    /// The place in the list: rows are ordered by the bytes of their keys.
    pub key: RowBytes,
    /// The new content; `None` takes the row away.
    pub value: Option<Vec<u8>>,
    /// Whether the list is known to have no such row yet.
    pub is_new: bool,
}

/// What an event adds to the indexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexEntries {
    /// The keys that lead to the event's record from now on.
    pub keys: Keys,
    /// The rows that change.
    pub rows: RowChanges,
}

impl IndexEntries {
    /// The record is found under `key` from now on.
    pub fn key(&mut self, key: Key) {
        self.keys.push(key);
    }

    /// Puts a row into a list that has no such row. Taken away soon after, it costs nothing.
    pub fn insert(&mut self, table: Table, key: impl Into<RowBytes>, value: Vec<u8>) {
        self.rows.push(Row {
            table,
            key: key.into(),
            value: Some(value),
            is_new: true,
        });
    }

    /// Puts a row into a list, or changes it.
    pub fn put(&mut self, table: Table, key: impl Into<RowBytes>, value: Vec<u8>) {
        self.rows.push(Row {
            table,
            key: key.into(),
            value: Some(value),
            is_new: false,
        });
    }

    /// Takes a row away from a list.
    pub fn delete(&mut self, table: Table, key: impl Into<RowBytes>) {
        self.rows.push(Row {
            table,
            key: key.into(),
            value: None,
            is_new: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_differ_by_family_and_by_the_border_between_parts() {
        assert_ne!(Key::of("a", &("x", "y")), Key::of("b", &("x", "y")));
        assert_ne!(Key::of("a", &("xy", "")), Key::of("a", &("x", "y")));
        assert_eq!(Key::of("a", &("x", 1_u64)), Key::of("a", &("x", 1_u64)));
    }

    #[test]
    fn every_stream_kind_is_found_by_its_stored_number() {
        for kind in StreamKind::ALL {
            assert_eq!(StreamKind::from_code(kind.code()), Some(kind));
        }
        assert_eq!(StreamKind::from_code(0), None);
    }
}

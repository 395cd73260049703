//! Conversations and people as integrations point at them: by either side's id.

use crate::id::{ClientConversationId, ClientPersonId, ConversationId, PersonId};

/// A conversation by at least one of its ids. Ours decides when both are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationRef {
    /// The integration's id.
    pub id: Option<ClientConversationId>,
    /// Our id.
    pub ref_id: Option<ConversationId>,
}

/// A person by at least one of their ids. Ours decides when both are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRef {
    /// The integration's id.
    pub id: Option<ClientPersonId>,
    /// Our id.
    pub ref_id: Option<PersonId>,
}

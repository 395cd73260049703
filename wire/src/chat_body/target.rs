//! The targets of the small operations: a conversation, a message and a person, each by either id.

use crate::body;
use crate::body::Body;
use crate::chat_body::message_fields::either_missing;
use crate::domain::id::{
    ClientConversationId, ClientMessageId, ClientPersonId, ConversationId, MessageId, PersonId,
};
use crate::domain::target::{ConversationRef, PersonRef};
use crate::json::object::ObjectReader;
use crate::schema::Schema;

body!(
    /// The ids of a conversation.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[body(open, lenient, check(check_conversation(conversation_ref_id)))]
    pub struct ConversationIds {
        /// Our id of the conversation; takes precedence over conversation_id.
        conversation_ref_id: Option<ConversationId>,
        /// The integration's id; needed without conversation_ref_id, and in the 2019 generation.
        conversation_id: Option<ClientConversationId>,
    }

    /// The ids of a message.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[body(open, lenient, check(check_message()))]
    pub struct MessageIds {
        /// Our id of the message; or msgid.
        id: Option<MessageId>,
        /// The integration's id of the message; or id.
        msgid: Option<ClientMessageId>,
    }

    /// A person whom the service already knows.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[body(open, lenient, check(check_person()))]
    pub struct KnownPerson {
        /// The integration's id of the person; in the current generation ref_id may replace it.
        id: Option<ClientPersonId>,
        /// Our id of the person.
        ref_id: Option<PersonId>,
    }
);

fn check_conversation(body: &ObjectReader<'_, '_>, reference: &Option<Option<ConversationId>>) {
    if reference.flatten().is_none() {
        body.required("conversation_id");
    }
}

fn check_message(body: &ObjectReader<'_, '_>) {
    if !body.has("id") && !body.has("msgid") {
        either_missing(body, "msgid", "id");
    }
}

fn check_person(person: &ObjectReader<'_, '_>) {
    if !person.has("id") && !person.has("ref_id") {
        either_missing(person, "id", "ref_id");
    }
}

impl KnownPerson {
    /// The schema, with the need of one id.
    pub(super) fn one_id() -> Schema {
        Self::schema().needing_one_of(&["id", "ref_id"])
    }
}

impl From<ConversationIds> for ConversationRef {
    fn from(ids: ConversationIds) -> Self {
        Self {
            id: ids.conversation_id,
            ref_id: ids.conversation_ref_id,
        }
    }
}

impl From<KnownPerson> for PersonRef {
    fn from(person: KnownPerson) -> Self {
        Self {
            id: person.id,
            ref_id: person.ref_id,
        }
    }
}

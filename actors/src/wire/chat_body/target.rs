//! The target of the small operations of the current generation: a conversation and a person, each by either id.

use crate::domain::chat::target::{ConversationRef, PersonRef};
use crate::wire::chat_body::Rules;
use crate::wire::chat_body::message_fields::{self, either_missing};
use crate::wire::json::object::ObjectReader;

pub(super) fn conversation(body: &ObjectReader<'_, '_>) -> Option<ConversationRef> {
    let (id, ref_id) = message_fields::conversation(body, Rules::Current)?;
    Some(ConversationRef { id, ref_id })
}

pub(super) fn who(body: &ObjectReader<'_, '_>, name: &str) -> Option<PersonRef> {
    let person = body.required_object(name)?;
    if !person.has("id") && !person.has("ref_id") {
        either_missing(&person, "id", "ref_id");
    }
    Some(PersonRef {
        id: person.optional_parsed("id"),
        ref_id: person.optional_parsed("ref_id"),
    })
}

//! The words that find a conversation without its messages.

use crate::domain::conversation::Conversation;
use crate::domain::id::{ClientConversationId, ClientPersonId};
use crate::domain::text::Phone;
use crate::domain::text::email::Email;
use crate::system::user_access::conversations::search::ConversationFilter;

/// The words that neither the customer nor the ids have.
pub(super) fn missing<'w>(wanted: &'w ConversationFilter, state: &Conversation) -> Vec<&'w str> {
    let Some(search) = &wanted.search else {
        return Vec::new();
    };
    let mut missing = search.missing_in(&outside(state));
    if missing.is_empty() {
        return missing;
    }
    // Parts of it are hexadecimal digits that say nothing, and short words of any language.
    let id = state.id.to_string();
    missing.retain(|word| *word != id);
    missing
}

/// The words that find a conversation without its messages.
fn outside(state: &Conversation) -> Vec<&str> {
    let mut texts = Vec::with_capacity(5);
    let origin = state.origin.as_ref();
    let client = origin.and_then(|origin| origin.client_id.as_ref());
    texts.extend(client.map(ClientConversationId::as_str));
    if let Some(customer) = &state.customer {
        texts.push(customer.name.as_str());
        texts.extend(customer.client_id.as_ref().map(ClientPersonId::as_str));
        texts.extend(customer.phone.as_ref().map(Phone::as_str));
        texts.extend(customer.email.as_ref().map(Email::as_str));
    }
    texts
}

//! What a conversation is found by without its messages.

use crate::domain::conversation::Conversation;
use crate::system::user_access::conversations::search::ConversationFilter;

/// The words that neither the customer nor the ids have.
pub(super) fn missing<'w>(wanted: &'w ConversationFilter, state: &Conversation) -> Vec<&'w str> {
    let Some(search) = &wanted.search else {
        return Vec::new();
    };
    let customer = state.customer.as_ref();
    let phone = customer.and_then(|customer| customer.phone.as_ref());
    if phone.is_some_and(|phone| search.is_in_number(phone.as_str())) {
        return Vec::new();
    }
    let outside = outside(state);
    let outside: Vec<&str> = outside.iter().map(String::as_str).collect();
    let mut missing = search.missing_in(&outside);
    // Parts of it are hexadecimal digits that say nothing, and short words of any language.
    let id = state.id.to_string();
    missing.retain(|word| *word != id);
    missing
}

/// What a conversation is found by without its messages.
fn outside(state: &Conversation) -> Vec<String> {
    let mut texts = Vec::new();
    let origin = state.origin.as_ref();
    let client = origin.and_then(|origin| origin.client_id.as_ref());
    texts.extend(client.map(|id| id.as_str().to_owned()));
    if let Some(customer) = &state.customer {
        texts.push(customer.name.as_str().to_owned());
        let client = customer.client_id.as_ref();
        texts.extend(client.map(|id| id.as_str().to_owned()));
        let phone = customer.phone.as_ref();
        texts.extend(phone.map(|phone| phone.as_str().to_owned()));
        let email = customer.email.as_ref();
        texts.extend(email.map(|email| email.as_str().to_owned()));
    }
    texts
}

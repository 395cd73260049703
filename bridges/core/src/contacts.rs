//! The contact of a conversation, at the account side.

use reqwest::Method;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::bridge::Bridge;
use crate::forms::set;
use crate::messenger::Messenger;
use crate::posts::quoted;
use crate::service::CallError;

/// The contact of a conversation.
pub enum ContactLink {
    /// Its number.
    Number(u64),
    /// The answer that names none: the service has no contact yet, or refuses the call.
    None(Answer),
}

impl<M: Messenger> Bridge<M> {
    /// Asks for the contact of a conversation, by the id that the service has given the conversation.
    ///
    /// # Errors
    /// When there is no answer, or there are no tokens.
    pub async fn contact_link(&self, chat_ref: &str) -> Result<ContactLink, CallError> {
        let path = format!("/api/v4/contacts/chats?chat_id={}", quoted(chat_ref));
        let answer = self.account_call(Method::GET, path, None).await?;
        let links = answer.json();
        let value = links.pointer("/_embedded/chats/0/contact_id");
        let number = value.and_then(Value::as_u64).filter(|_| answer.is_done());
        Ok(number.map_or(ContactLink::None(answer), ContactLink::Number))
    }

    /// Gives the contact of a conversation a name, and a phone number unless it is empty. Returns the answer that decides: that of
    /// the change, or one that names no contact.
    ///
    /// # Errors
    /// When there is no answer, or there are no tokens.
    pub async fn name_contact(
        &self,
        chat_ref: &str,
        name: &str,
        phone: &str,
    ) -> Result<Answer, CallError> {
        let contact = match self.contact_link(chat_ref).await? {
            ContactLink::Number(contact) => contact,
            ContactLink::None(answer) => return Ok(answer),
        };
        let mut fields = json!({ "name": name });
        if !phone.is_empty() {
            let values = json!([{ "value": phone }]);
            let field = json!({ "field_code": "PHONE", "values": values });
            set(&mut fields, "custom_fields_values", json!([field]));
        }
        let path = format!("/api/v4/contacts/{contact}");
        self.account_call(Method::PATCH, path, Some(&fields)).await
    }
}

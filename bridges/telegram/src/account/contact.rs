//! The contact of a new customer.

use std::rc::Rc;

use reqwest::Method;
use serde_json::json;
use switchboard_bridge_core::answer::Answer;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::service::CallError;

use super::{ContactLink, contact_link};
use crate::memory::Conversation;
use crate::telegram::Telegram;

/// Gives the contact of a conversation its name and its phone number.
pub(super) async fn name(
    bridge: &Rc<Bridge<Telegram>>,
    conversation: &Conversation,
) -> Result<Option<Answer>, CallError> {
    let contact = match contact_link(bridge, conversation).await? {
        ContactLink::Number(contact) => contact,
        ContactLink::None(answer) => return Ok(Some(answer)),
    };
    let name = &conversation.name;
    let fields = if conversation.phone.is_empty() {
        json!({ "name": name })
    } else {
        let values = json!([{ "value": conversation.phone }]);
        json!({ "name": name, "custom_fields_values": [{ "field_code": "PHONE", "values": values }] })
    };
    let path = format!("/api/v4/contacts/{contact}");
    let call = bridge.account_call(Method::PATCH, path, Some(&fields));
    call.await.map(Some)
}

//! The mark of the lead of a customer who has blocked the bot.

use std::rc::Rc;

use reqwest::Method;
use serde_json::{Value, json};
use switchboard_bridge_core::answer::Answer;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::contacts::ContactLink;
use switchboard_bridge_core::service::CallError;

use crate::memory::Conversation;
use crate::telegram::Telegram;

/// Adds the tag to the newest lead of the contact, or removes it, as the conversation says now. Without a lead there is nothing
/// to do.
pub(super) async fn mark(
    bridge: &Rc<Bridge<Telegram>>,
    conversation: &Conversation,
) -> Result<Option<Answer>, CallError> {
    let contact = match bridge.contact_link(&conversation.chat_ref).await? {
        ContactLink::Number(contact) => contact,
        ContactLink::None(answer) => return Ok(Some(answer)),
    };
    let path = format!("/api/v4/contacts/{contact}?with=leads");
    let answer = bridge.account_call(Method::GET, path, None).await?;
    if !answer.is_done() {
        return Ok(Some(answer));
    }
    let document = answer.json();
    let leads = document
        .pointer("/_embedded/leads")
        .and_then(Value::as_array);
    let numbers = leads
        .into_iter()
        .flatten()
        .filter_map(|lead| lead.get("id")?.as_u64());
    let Some(lead) = numbers.max() else {
        return Ok(None);
    };
    let field = if conversation.is_blocked {
        "tags_to_add"
    } else {
        "tags_to_delete"
    };
    let change = json!({ field: [{ "name": bridge.messenger.blocked_tag }] });
    let path = format!("/api/v4/leads/{lead}");
    let call = bridge.account_call(Method::PATCH, path, Some(&change));
    call.await.map(Some)
}

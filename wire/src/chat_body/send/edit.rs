//! `edit_message`: the new version of a message, or what became of one that was imported.

use crate::chat_body::Rules;
use crate::chat_body::delivery_status::nested;
use crate::chat_body::message_fields::{conversation, either_missing, timestamp};
use crate::chat_body::send::content::content;
use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::chat::edit::MessageEdit;
use crate::domain::target::ConversationRef;
use crate::domain::time::UnixMillis;
use crate::json::object::ObjectReader;

pub(super) fn edit(payload: &ObjectReader<'_, '_>, now: UnixMillis) -> Option<MessageEdit> {
    const RULES: Rules = Rules::Current;
    let timestamp = timestamp(payload, RULES, now);
    let (id, msgid) = (
        payload.optional_parsed("id"),
        payload.optional_parsed("msgid"),
    );
    if !payload.has("id") && !payload.has("msgid") {
        either_missing(payload, "msgid", "id");
    }
    let conversation = conversation(payload, RULES);
    let message = payload.required_object("message")?;
    let reported = message.optional_object("delivery_status");
    let status: Option<Option<DeliveryStatus>> = reported.map(|reported| nested(&reported));
    // A report may come alone; whatever else is there must be a whole message.
    let content = if status.is_some() && !message.has("type") {
        None
    } else {
        Some(content(&message, RULES)?)
    };
    let (conversation_id, conversation_ref_id) = conversation?;
    Some(MessageEdit {
        timestamp: timestamp?,
        id,
        msgid,
        conversation: ConversationRef {
            id: conversation_id,
            ref_id: conversation_ref_id,
        },
        content,
        status: match status {
            Some(status) => Some(status?),
            None => None,
        },
    })
}

//! The business chats that customers have written in, by the ids that they have for the bridge.

use serde_json::Value;
use switchboard_bridge_core::state::Change;
use switchboard_bridge_core::store::Store;
use switchboard_telegram::inbound::business_chat;
use switchboard_telegram::outbound::Step;

/// The connection and the chat at Telegram, by the id for the bridge.
const BUSINESS: &str = "business";

/// The change that remembers the business chat of an update.
pub(crate) fn change(update: &Value) -> Option<Change> {
    let chat = business_chat(update)?;
    let value = format!("{} {}", chat.chat, chat.connection);
    Some(Change::put(BUSINESS, chat.id.to_string(), value))
}

/// The call as Telegram takes it: that for a business chat names the connection.
pub(crate) fn addressed(store: &Store, mut step: Step) -> Step {
    let id = step.params.get("chat_id").map(Value::to_string);
    let row = id.and_then(|id| store.get(BUSINESS, &id));
    let place = row.as_deref().and_then(|it| it.split_once(' '));
    if let (Some((chat, connection)), Some(fields)) = (place, step.params.as_object_mut()) {
        let chat = chat.parse::<i64>().unwrap_or_default();
        fields.insert("chat_id".to_owned(), chat.into());
        fields.insert("business_connection_id".to_owned(), connection.into());
    }
    step
}

//! The business chats that customers have written in, by the ids that they have for the bridge.

use serde_json::Value;
use switchboard_bridge_core::forms::set;
use switchboard_bridge_core::state::Change;
use switchboard_bridge_core::store::Store;
use switchboard_telegram::inbound::{business_chat, is_business};
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
    let id = step.params.get("chat_id").and_then(Value::as_i64);
    let row = id
        .filter(|id| is_business(*id))
        .and_then(|id| store.get(BUSINESS, &id.to_string()));
    if let Some((chat, connection)) = row.as_deref().and_then(|it| it.split_once(' ')) {
        let chat = chat.parse::<i64>().unwrap_or_default();
        set(&mut step.params, "chat_id", chat);
        set(&mut step.params, "business_connection_id", connection);
    }
    step
}

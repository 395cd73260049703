//! Callbacks of the service: which of them are jobs, and what is shown at once.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::forms::{content, conversation_name, part};
use switchboard_bridge_core::state::{Kind, Lane};
use switchboard_telegram::outbound::{self, Outbound};

use crate::business;
use crate::delivery::DeliveryMemory;
use crate::telegram::Telegram;

/// Returns the lane of a message or a reaction: its conversation.
pub(crate) fn lane(_bridge: &Rc<Bridge<Telegram>>, event: &Value) -> Option<Lane> {
    let reaction = part(part(event, "action"), "reaction");
    let has_message = content(event).as_object().is_some_and(|it| !it.is_empty());
    let subject = if has_message {
        part(event, "message")
    } else if reaction.is_object() {
        reaction
    } else {
        return None;
    };
    Some(Lane::new(Kind::Deliver, conversation_name(subject)))
}

/// Shows that an account user writes. It is worth nothing later, so nothing is repeated.
pub(crate) fn on_ephemeral(bridge: &Rc<Bridge<Telegram>>, event: &Value) {
    let telegram = &bridge.messenger;
    let memory = DeliveryMemory(&bridge.store);
    let Outbound::Typing(step) = outbound::read(event, telegram.ids, &memory) else {
        return;
    };
    // Beyond so many at once, typing is not shown.
    let Ok(place) = Arc::clone(&telegram.notices).try_acquire_owned() else {
        return;
    };
    let step = business::addressed(&bridge.store, step);
    let bridge = Rc::clone(bridge);
    tokio::task::spawn_local(async move {
        let outcome = bridge.messenger.api.send(step.method, &step.params, None);
        if let Err(why) = outcome.await {
            tracing::debug!("typing is not shown: {why}");
        }
        drop(place);
    });
}

//! The way of a message to the customer, and the order to report its delivery.

use std::rc::Rc;

use serde_json::Value;
use switchboard_bridge_core::Outcome;
use switchboard_bridge_core::forms::{content, part, text};
use switchboard_bridge_core::log::log;
use switchboard_bridge_core::posts::Delivery;
use switchboard_bridge_core::service::backoff;
use switchboard_bridge_core::state::{Change, Job};
use tokio::time::sleep;

use crate::chats::{Chat, first};
use crate::forms::plain_text;
use crate::media::{MediaError, check};
use crate::outside::{Arrival, Bridge};

/// The code of an error that has a text.
const OTHER_ERROR: u16 = 905;

pub(crate) async fn deliver(bridge: &Rc<Bridge>, job: &Job, tries: u32) -> Outcome {
    let event: Value = serde_json::from_str(&job.body).unwrap_or_default();
    let obstacle = match check(&bridge.service, content(&event), tries).await {
        Ok(()) => None,
        Err(MediaError::Obstacle(why)) => Some(why),
        Err(MediaError::Lost(why)) => {
            log(format!("a file is fetched again: {why}"));
            return Outcome::Later(backoff(tries));
        }
    };
    sleep(bridge.messenger.takes.get()).await;
    bridge.commit(changes(bridge, job, &event, obstacle)).await;
    Outcome::Over
}

/// Shows the message, orders its report and ends the job: a kill repeats all of it or nothing.
fn changes(bridge: &Bridge, job: &Job, event: &Value, obstacle: Option<String>) -> Vec<Change> {
    let content = content(event);
    let msgid = text(content, "id");
    let mut changes = vec![Change::End(job.id)];
    if obstacle.is_none() {
        let conversation = find_chat(bridge, event, &mut changes);
        let arrival = Arrival {
            msgid: msgid.to_owned(),
            conversation,
            text: plain_text(content),
        };
        changes.push(bridge.messenger.show(&bridge.store, &arrival));
    }
    if !msgid.is_empty() {
        let delivery = match obstacle {
            None => Delivery::Delivered,
            Some(why) => Delivery::Failed {
                code: OTHER_ERROR,
                why,
            },
        };
        changes.push(Change::Begin(bridge.report_job(msgid, &delivery)));
    }
    changes
}

/// Returns our id of the conversation. One that an account user has started gets a chat of its own outside.
fn find_chat(bridge: &Bridge, event: &Value, changes: &mut Vec<Change>) -> String {
    if let Some(chat) = Chat::find_for(&bridge.store, event) {
        let conversation = part(part(event, "message"), "conversation");
        return first([text(conversation, "client_id"), &chat.conversation]);
    }
    let chat = Chat::from_event(event);
    changes.extend(chat.changes());
    chat.conversation
}

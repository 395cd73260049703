//! The contact of a new customer gets the name and the telephone that the messenger knows.

use std::rc::Rc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use switchboard_bridge_core::Outcome;
use switchboard_bridge_core::answer::{Answer, Verdict};
use switchboard_bridge_core::log::log;
use switchboard_bridge_core::posts::quoted;
use switchboard_bridge_core::service::{CallError, backoff};
use switchboard_bridge_core::state::{Change, Job};

use crate::chats::Chat;
use crate::outside::Bridge;

/// The pause of an account that cannot be called.
const STOPPED: Duration = Duration::from_secs(1);

pub(crate) async fn update(bridge: &Rc<Bridge>, job: &Job, tries: u32) -> Outcome {
    if bridge.store.account().is_uninstalled {
        return Outcome::Later(STOPPED);
    }
    let Some(chat) = Chat::find(&bridge.store, &job.lane.name) else {
        return end(bridge, job).await;
    };
    match send(bridge, &chat).await {
        Err(CallError::AccountStopped) => Outcome::Later(STOPPED),
        Err(CallError::Lost(why)) => {
            log(format!(
                "the contact of «{}» is updated later: {why}",
                chat.conversation
            ));
            Outcome::Later(backoff(tries))
        }
        Ok(answer) => match answer.verdict() {
            Verdict::Done => end(bridge, job).await,
            Verdict::Refused => {
                log(format!(
                    "the contact of «{}» is left: {answer}",
                    chat.conversation
                ));
                end(bridge, job).await
            }
            Verdict::Again => Outcome::Later(backoff(tries)),
        },
    }
}

async fn end(bridge: &Rc<Bridge>, job: &Job) -> Outcome {
    bridge.commit(vec![Change::End(job.id)]).await;
    Outcome::Over
}

async fn send(bridge: &Bridge, chat: &Chat) -> Result<Answer, CallError> {
    let path = format!("/api/v4/contacts/chats?chat_id={}", quoted(&chat.chat_ref));
    let answer = bridge.account_call(Method::GET, path, None).await?;
    let links = answer.json();
    let contact = links.pointer("/_embedded/chats/0/contact_id");
    let Some(contact) = contact.and_then(Value::as_u64).filter(|_| answer.is_done()) else {
        return Ok(answer);
    };
    let mut fields = json!({ "name": chat.name });
    if !chat.phone.is_empty() {
        let values = json!([{ "field_code": "PHONE", "values": [{ "value": chat.phone }] }]);
        fields = json!({ "name": chat.name, "custom_fields_values": values });
    }
    let path = format!("/api/v4/contacts/{contact}");
    bridge
        .account_call(Method::PATCH, path, Some(&fields))
        .await
}

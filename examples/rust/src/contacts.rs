//! The contact of a new customer gets the name and the telephone that the messenger knows.

use std::rc::Rc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::answer::{Answer, Verdict};
use crate::bridge::Bridge;
use crate::lanes::Outcome;
use crate::log::log;
use crate::posts::quoted;
use crate::service::{CallError, backoff};
use crate::state::{Change, Chat, Job};

/// The pause of an account that cannot be called.
const STOPPED: Duration = Duration::from_secs(1);

impl Bridge {
    pub(crate) async fn update_contact(self: &Rc<Self>, job: &Job, tries: u32) -> Outcome {
        let (is_uninstalled, chat) = {
            let state = self.store.state();
            let chat = state.chats.get(&job.lane.name).cloned();
            (state.account.is_uninstalled, chat)
        };
        if is_uninstalled {
            return Outcome::Later(STOPPED);
        }
        let Some(chat) = chat else {
            return self.end_contact(job).await;
        };
        match self.send_contact(&chat).await {
            Err(CallError::AccountStopped) => Outcome::Later(STOPPED),
            Err(CallError::Lost(why)) => {
                log(format!(
                    "the contact of «{}» is updated later: {why}",
                    chat.conversation
                ));
                Outcome::Later(backoff(tries))
            }
            Ok(answer) => match answer.verdict() {
                Verdict::Done => self.end_contact(job).await,
                Verdict::Refused => {
                    log(format!(
                        "the contact of «{}» is left: {answer}",
                        chat.conversation
                    ));
                    self.end_contact(job).await
                }
                Verdict::Again => Outcome::Later(backoff(tries)),
            },
        }
    }

    async fn end_contact(self: &Rc<Self>, job: &Job) -> Outcome {
        self.commit(vec![Change::End(job.id)]).await;
        Outcome::Over
    }

    async fn send_contact(&self, chat: &Chat) -> Result<Answer, CallError> {
        let path = format!("/api/v4/contacts/chats?chat_id={}", quoted(&chat.chat_ref));
        let answer = self.account_call(Method::GET, path, None).await?;
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
        self.account_call(Method::PATCH, path, Some(&fields)).await
    }
}

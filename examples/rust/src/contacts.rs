//! The contact of a new customer gets the name and the telephone that the messenger knows.

use std::rc::Rc;
use std::time::Duration;

use switchboard_bridge_core::Outcome;
use switchboard_bridge_core::answer::Verdict;
use switchboard_bridge_core::log::log;
use switchboard_bridge_core::service::{CallError, backoff};
use switchboard_bridge_core::state::Job;

use crate::chats::Chat;
use crate::outside::Bridge;

/// The pause of an account that cannot be called.
const STOPPED: Duration = Duration::from_secs(1);

pub(crate) async fn update(bridge: &Rc<Bridge>, job: &Job, tries: u32) -> Outcome {
    if bridge.store.account().is_uninstalled {
        return Outcome::Later(STOPPED);
    }
    let Some(chat) = Chat::find(&bridge.store, &job.lane.name) else {
        return bridge.end(job).await;
    };
    let naming = bridge.name_contact(&chat.chat_ref, &chat.name, &chat.phone);
    match naming.await {
        Err(CallError::AccountStopped) => Outcome::Later(STOPPED),
        Err(CallError::Lost(why)) => {
            log(format!(
                "the contact of «{}» is updated later: {why}",
                chat.conversation
            ));
            Outcome::Later(backoff(tries))
        }
        Ok(answer) => match answer.verdict() {
            Verdict::Done => bridge.end(job).await,
            Verdict::Refused => {
                log(format!(
                    "the contact of «{}» is left: {answer}",
                    chat.conversation
                ));
                bridge.end(job).await
            }
            Verdict::Again => Outcome::Later(backoff(tries)),
        },
    }
}

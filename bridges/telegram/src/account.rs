//! Calls of the account side: the contact of a new customer gets the name and the phone number that Telegram knows, and the lead
//! of a customer who has blocked the bot gets a tag.

mod tag;

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use switchboard_bridge_core::answer::Verdict;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::clock::unix_seconds;
use switchboard_bridge_core::lanes::Outcome;
use switchboard_bridge_core::service::{CallError, backoff};
use switchboard_bridge_core::state::{Change, Job, Kind, Lane};
use switchboard_telegram::inbound::Memory as _;

use crate::memory::{Conversation, PollMemory};
use crate::telegram::Telegram;

/// The pause of an account that cannot be called.
const STOPPED: Duration = Duration::from_secs(1);
/// The seconds for which a call is repeated.
const DAY: i64 = 86_400;

/// An act at the account side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Names the contact.
    Contact,
    /// Marks the lead as blocked or free.
    Tag,
}

impl Act {
    fn word(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Tag => "tag",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        [Self::Contact, Self::Tag]
            .into_iter()
            .find(|act| act.word() == word)
    }
}

/// Says once that nothing is done without an installation.
#[derive(Default)]
pub(crate) struct AbsenceNotice(Cell<bool>);

impl AbsenceNotice {
    fn say(&self) {
        if !self.0.replace(true) {
            tracing::warn!(
                "the bridge is not installed in the account: contacts keep the names of their messages, and leads of customers who \
                 blocked the bot are not marked. Its page has the link to install it"
            );
        }
    }
}

/// Returns the change that orders an act for a conversation.
pub(crate) fn order(bridge: &Rc<Bridge<Telegram>>, conversation: &str, act: Act) -> Change {
    let lane = Lane::new(Kind::Contact, conversation);
    Change::Begin(bridge.store.job(lane, 0, act.word().to_owned()))
}

/// Returns the changes after a customer has blocked the bot, or freed it again.
pub(crate) fn blocked(
    bridge: &Rc<Bridge<Telegram>>,
    memory: &PollMemory<'_>,
    chat: i64,
    is_blocked: bool,
) -> Vec<Change> {
    let id = bridge.messenger.ids.conversation(memory.first_chat(chat));
    let before = Conversation::find(&bridge.store, &id);
    if before.is_none() && !is_blocked {
        // A customer who begins.
        return Vec::new();
    }
    let conversation = Conversation {
        is_blocked,
        ..before.unwrap_or_default()
    };
    let mut changes = vec![conversation.change(&id)];
    if !conversation.chat_ref.is_empty() && !bridge.messenger.blocked_tag.is_empty() {
        changes.push(order(bridge, &id, Act::Tag));
    }
    changes
}

/// Does a job, after so many attempts.
pub(crate) async fn work(bridge: &Rc<Bridge<Telegram>>, job: &Job, tries: u32) -> Outcome {
    let (has_tokens, may_get_them) = {
        let account = bridge.store.account();
        (account.tokens.is_some(), account.code.is_some())
    };
    if !has_tokens {
        if may_get_them {
            return Outcome::Later(STOPPED);
        }
        bridge.messenger.absence.say();
        return bridge.end(job).await;
    }
    let conversation = Conversation::find(&bridge.store, &job.lane.name);
    let (Some(conversation), Some(act)) = (conversation, Act::from_word(&job.body)) else {
        return bridge.end(job).await;
    };
    let outcome = match act {
        Act::Contact => {
            let Conversation {
                chat_ref,
                name,
                phone,
                ..
            } = &conversation;
            bridge.name_contact(chat_ref, name, phone).await.map(Some)
        }
        Act::Tag => tag::mark(bridge, &conversation).await,
    };
    let (why, pause) = match outcome {
        Ok(None) => return bridge.end(job).await,
        Ok(Some(answer)) => match answer.verdict() {
            Verdict::Done => return bridge.end(job).await,
            Verdict::Refused => {
                tracing::warn!(
                    act = act.word(),
                    "the account side refuses a call, and it is left: {answer}"
                );
                return bridge.end(job).await;
            }
            Verdict::Again => (answer.to_string(), backoff(tries)),
        },
        Err(CallError::AccountStopped) => ("its tokens are refused".to_owned(), STOPPED),
        Err(CallError::Lost(why)) => (why, backoff(tries)),
    };
    if unix_seconds() - job.at > DAY {
        tracing::warn!(
            act = act.word(),
            "the account side was not there for a day, and a call is left: {why}"
        );
        return bridge.end(job).await;
    }
    Outcome::Later(pause)
}

//! What the bridge remembers, and the changes of it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// The time in which a callback that comes again is known.
const CALLBACK_SECONDS: i64 = 30 * 86_400;

/// The kinds of jobs. A slow outside holds up none of the calls, and reports hold up no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Kind {
    Deliver,
    Post,
    Report,
    Contact,
}

/// The jobs of a lane are done one after the other: those of a conversation, or the reports of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Lane {
    pub(crate) kind: Kind,
    pub(crate) name: String,
}

/// Work that has to be done, whatever happens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) id: u64,
    pub(crate) lane: Lane,
    /// The jobs of a lane are in this order, those of one rank in that of their ids.
    pub(crate) rank: i64,
    /// The second in which it came.
    pub(crate) at: i64,
    /// The exact text of a request or a callback.
    pub(crate) body: String,
}

/// A conversation with a customer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Chat {
    /// Our id of it.
    pub(crate) conversation: String,
    pub(crate) customer: String,
    pub(crate) name: String,
    pub(crate) phone: String,
    /// The ids that the service has given it and the customer.
    pub(crate) chat_ref: String,
    pub(crate) customer_ref: String,
    /// True when an account user has started it.
    pub(crate) is_from_service: bool,
    /// True once its contact is to be updated, or was.
    pub(crate) has_contact: bool,
}

/// A message that has arrived at a customer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Shown {
    pub(crate) msgid: String,
    pub(crate) conversation: String,
    pub(crate) text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tokens {
    pub(crate) access_token: String,
    pub(crate) refresh_token: String,
}

/// The installation in the account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) is_uninstalled: bool,
    pub(crate) tokens: Option<Tokens>,
    /// The code that is to be exchanged, and the one that was.
    pub(crate) code: Option<String>,
    pub(crate) exchanged_code: Option<String>,
    /// The code of the environment, which counts once.
    pub(crate) first_code: Option<String>,
    /// No call of the account side leaves before this second.
    pub(crate) stopped_until: i64,
    /// The secrets of the channel, those before, and the second of the change.
    pub(crate) secrets: Vec<String>,
    pub(crate) secrets_before: Vec<String>,
    pub(crate) secrets_changed_at: i64,
}

/// A change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Change {
    Callback { identity: String, at: i64 },
    Begin(Job),
    End(u64),
    Chat(Chat),
    Shown(Shown),
    Account(Box<Account>),
}

/// Everything that the bridge remembers.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) last_job: u64,
    pub(crate) jobs: BTreeMap<u64, Job>,
    /// The jobs of each lane, by rank and id.
    pub(crate) lanes: BTreeMap<Lane, BTreeSet<(i64, u64)>>,
    pub(crate) callbacks: BTreeMap<String, i64>,
    pub(crate) chats: BTreeMap<String, Chat>,
    pub(crate) shown: Vec<Shown>,
    pub(crate) account: Account,
}

impl State {
    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::Callback { identity, at } => {
                self.callbacks.insert(identity.clone(), *at);
            }
            Change::Begin(job) => {
                self.last_job = self.last_job.max(job.id);
                let entries = self.lanes.entry(job.lane.clone()).or_default();
                entries.insert((job.rank, job.id));
                self.jobs.insert(job.id, job.clone());
            }
            Change::End(id) => {
                if let Some(job) = self.jobs.remove(id)
                    && let Some(entries) = self.lanes.get_mut(&job.lane)
                {
                    entries.remove(&(job.rank, job.id));
                    if entries.is_empty() {
                        self.lanes.remove(&job.lane);
                    }
                }
            }
            Change::Chat(chat) => {
                self.chats.insert(chat.conversation.clone(), chat.clone());
            }
            Change::Shown(shown) => self.shown.push(shown.clone()),
            Change::Account(account) => self.account = Account::clone(account),
        }
    }

    /// The changes that lead here, without those that no longer count.
    pub(crate) fn changes(&self, now: i64) -> Vec<Change> {
        let callbacks = self.callbacks.iter();
        let recent_ones = callbacks.filter(|(_, at)| **at > now - CALLBACK_SECONDS);
        let callback_changes = recent_ones.map(|(identity, at)| Change::Callback {
            identity: identity.clone(),
            at: *at,
        });
        std::iter::once(Change::Account(Box::new(self.account.clone())))
            .chain(callback_changes)
            .chain(self.chats.values().cloned().map(Change::Chat))
            .chain(self.shown.iter().cloned().map(Change::Shown))
            .chain(self.jobs.values().cloned().map(Change::Begin))
            .collect()
    }
}

//! The salesbots of an account: what programs run so that something is said in a chat.
//!
//! A salesbot does one thing: it sends the value of a field, or asks a program and says what that answers. Administrators
//! define them, programs run them. The number of runs of a lead is bounded, so a program that answers itself ends.

pub mod continue_salesbot;
pub mod create;
pub mod delete;
pub mod note_asked;
pub mod run;
pub mod salesbot;
pub mod stop;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::audit::AuditEntry;
use crate::id::{AccountId, LeadId, SalesbotId, SalesbotRunId};
use crate::kinds;
use crate::notice::Notice;
use crate::salesbots::salesbot::Salesbot;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The most salesbots of an account.
pub const SALESBOTS_MAX: usize = 100;
/// The most runs of an account that wait for an answer.
pub const WAITING_MAX: usize = 1_000;
/// The longest time for which a run waits for an answer.
pub const WAIT_MAX: Duration = Duration::from_secs(86_400);
/// The most runs of a lead within [`RUNS_WITHIN`].
pub const RUNS_MAX: usize = 10;
/// The time within which the runs of a lead are counted.
pub const RUNS_WITHIN: Duration = Duration::from_secs(60);

/// The salesbots of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Salesbots {
    account: AccountId,
    bots: BTreeMap<SalesbotId, Salesbot>,
    /// The number of the last salesbot: a number is never given again.
    last: u64,
    last_run: u64,
    /// The runs that wait for an answer.
    waiting: BTreeMap<SalesbotRunId, Run>,
    /// The times of the newest runs, by lead.
    recent: BTreeMap<LeadId, Vec<UnixMillis>>,
}

/// A run of a salesbot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Its number.
    pub id: SalesbotRunId,
    /// The salesbot.
    pub bot: SalesbotId,
    /// The lead in whose chat it speaks.
    pub lead: LeadId,
    /// The time of its beginning.
    pub at: UnixMillis,
    /// The progress of its question; none when it asks nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
}

/// The progress of the question to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// The program has not taken it yet.
    Open,
    /// The program has taken it, and may answer.
    Asked,
}

/// An event of salesbots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SalesbotsEvent {
    /// A salesbot is new, or is gone.
    Changed {
        /// Its number.
        id: SalesbotId,
        /// The salesbot; `None` after its deletion.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        now: Option<Box<Salesbot>>,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// A run began.
    Begun(Run),
    /// The program has taken the question of a run.
    Asked(SalesbotRunId),
    /// A run that waited for an answer ended.
    Ended(SalesbotRunId),
}

/// The rejection of a change of salesbots, or of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SalesbotRejection {
    /// There is no such salesbot.
    #[error("there is no such salesbot")]
    Unknown,
    /// The account has as many as it can have.
    #[error("an account has at most {SALESBOTS_MAX} salesbots; delete those that no program runs")]
    TooMany,
    /// Another salesbot has the number that was chosen.
    #[error("another salesbot has this number; choose another one")]
    NumberTaken,
    /// The lead had too many runs lately.
    #[error(
        "Rate limit exceeded; retry after {} s: a lead has at most {RUNS_MAX} runs of salesbots within {} s",
        .retry_after.as_secs(),
        RUNS_WITHIN.as_secs()
    )]
    TooOften {
        /// The time until the next run, in whole seconds.
        retry_after: Duration,
    },
    /// Too many runs wait for an answer.
    #[error(
        "{WAITING_MAX} runs of salesbots wait for answers of their programs; answer or stop some of them"
    )]
    TooManyWait,
    /// The run has an answer already, was stopped, or has waited for too long.
    #[error("no run of the salesbot waits for an answer here")]
    NothingWaits,
}

impl Salesbots {
    /// The salesbot with this number.
    #[must_use]
    pub fn get(&self, id: SalesbotId) -> Option<&Salesbot> {
        self.bots.get(&id)
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = &Salesbot> {
        self.bots.values()
    }

    /// A run that waits for an answer at this time.
    #[must_use]
    pub fn waiting(&self, run: SalesbotRunId, now: UnixMillis) -> Option<Run> {
        let waiting = self.waiting.get(&run).copied();
        waiting.filter(|run| now.since(run.at) < WAIT_MAX)
    }

    /// The runs whose question no program has taken yet.
    pub fn open_questions(&self, now: UnixMillis) -> impl Iterator<Item = Run> + '_ {
        let waiting = self
            .waiting
            .keys()
            .filter_map(move |id| self.waiting(*id, now));
        waiting.filter(|run| run.question == Some(Question::Open))
    }

    fn begin(&mut self, run: Run) {
        self.last_run = self.last_run.max(run.id.0);
        self.recent.retain(|_, times| {
            times.retain(|at| run.at.since(*at) < RUNS_WITHIN);
            !times.is_empty()
        });
        self.recent.entry(run.lead).or_default().push(run.at);
        let is_other = |it: &Run| (it.bot, it.lead) != (run.bot, run.lead);
        self.waiting
            .retain(|_, it| is_other(it) && run.at.since(it.at) < WAIT_MAX);
        if run.question.is_some() {
            self.waiting.insert(run.id, run);
        }
    }
}

impl State for Salesbots {
    type Id = AccountId;
    type Event = SalesbotsEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::SALESBOTS;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            bots: BTreeMap::new(),
            last: 0,
            last_run: 0,
            waiting: BTreeMap::new(),
            recent: BTreeMap::new(),
        }
    }

    fn apply(&mut self, event: &SalesbotsEvent) {
        match event {
            SalesbotsEvent::Changed { id, now, .. } => {
                self.last = self.last.max(id.0);
                if let Some(bot) = now {
                    self.bots.insert(*id, (**bot).clone());
                } else {
                    self.bots.remove(id);
                    self.waiting.retain(|_, run| run.bot != *id);
                }
            }
            SalesbotsEvent::Begun(run) => self.begin(*run),
            SalesbotsEvent::Asked(id) => {
                if let Some(run) = self.waiting.get_mut(id) {
                    run.question = Some(Question::Asked);
                }
            }
            SalesbotsEvent::Ended(id) => {
                self.waiting.remove(id);
            }
        }
    }

    fn index(&self, event: &SalesbotsEvent, entries: &mut IndexEntries) {
        match event {
            SalesbotsEvent::Changed { audit, .. } => audit.index(entries),
            SalesbotsEvent::Begun(_) | SalesbotsEvent::Asked(_) | SalesbotsEvent::Ended(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;

//! Callbacks that are sent again by a filter: a job that goes on after a crash, shows how far it is, and can be ended.
//!
//! A job goes through the list of what did not arrive, page by page, and notes after each page where it goes on. What it
//! queued again left the list, so a page that is done twice does nothing the second time; and what died after the job
//! began is not its business, or a receiver that refuses everything would keep it busy for ever.

pub mod begin;
pub mod cancel;
pub mod note_progress;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::fate::Fate;
use crate::id::{ChannelId, ConversationId, ScopeId};
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// Why nothing happens to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplaysRejection {
    /// There is none with this number.
    #[error("there is no such replay job, or it was removed from the list")]
    Unknown,
    /// It has ended.
    #[error("this replay job has already ended")]
    Ended,
    /// Too many run.
    #[error(
        "{} replays are in progress already; wait until one ends, or end one",
        Replays::RUNNING_MAX
    )]
    TooMany,
}

type Decided<R> = Result<Decision<ReplaysEvent, R>, ReplaysRejection>;

/// All jobs that are remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replays {
    /// How many jobs there ever were.
    count: u64,
    jobs: BTreeMap<u64, ReplayJob>,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayJob {
    /// Its number, from 1.
    pub number: u64,
    /// What it sends again.
    pub filter: ReplayFilter,
    /// Who wanted it.
    pub by: By,
    /// Since when. What died or was cancelled later is left alone.
    pub began_at: UnixMillis,
    /// Whether it goes on.
    pub state: JobState,
    /// Behind which row it goes on; `None` at the beginning.
    pub behind: Option<Vec<u8>>,
    /// How many messages it queued again.
    pub replayed: u64,
    /// How many it left alone: their scope is not connected.
    pub skipped: u64,
}

/// Whether a job goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum JobState {
    /// It does.
    Running,
    /// It is through.
    Done {
        /// Since when.
        at: UnixMillis,
    },
    /// An operator ended it; what it queued stays queued.
    Cancelled {
        /// Since when.
        at: UnixMillis,
    },
}

/// Which messages are meant; what is `None` does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayFilter {
    /// What became of them.
    pub fate: Option<Fate>,
    /// Their channel.
    pub channel: Option<ChannelId>,
    /// Their scope; outranks the channel.
    pub scope: Option<ScopeId>,
    /// Their conversation, which is one of the scope.
    pub conversation: Option<ConversationId>,
}

impl ReplayFilter {
    /// What the rows begin with that are meant, one after the other.
    #[must_use]
    pub fn prefixes(&self) -> Vec<Vec<u8>> {
        let behind = match (&self.scope, self.conversation, &self.channel) {
            (Some(scope), Some(conversation), _) => keys::queue_prefix(scope, conversation),
            (Some(scope), None, _) => keys::scope_row(scope),
            (None, _, Some(channel)) => keys::channel_prefix(channel),
            (None, _, None) => Vec::new(),
        };
        let fates = Fate::ALL.into_iter();
        fates
            .filter(|fate| self.fate.is_none_or(|wanted| wanted == *fate))
            .map(|fate| [&[fate.code()], behind.as_slice()].concat())
            .collect()
    }
}

impl Replays {
    /// How many jobs are remembered; the oldest that have ended are forgotten.
    pub const KEPT: usize = 100;
    /// How many may run.
    pub const RUNNING_MAX: usize = 16;

    /// A job.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<&ReplayJob> {
        self.jobs.get(&number)
    }

    /// All jobs that are remembered, newest first.
    pub fn iter(&self) -> impl Iterator<Item = &ReplayJob> {
        self.jobs.values().rev()
    }

    /// The oldest job that goes on.
    #[must_use]
    pub fn running(&self) -> Option<&ReplayJob> {
        self.jobs.values().find(|job| job.is_running())
    }
}

impl ReplayJob {
    /// Whether it goes on.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.state == JobState::Running
    }
}

/// What can happen to jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReplaysEvent {
    /// A job begins.
    Begun {
        /// The job.
        job: Box<ReplayJob>,
        /// Who did it.
        audit: Box<AuditEntry>,
    },
    /// A page of a job is done.
    Progressed {
        /// The job.
        number: u64,
        /// Behind which row it goes on.
        behind: Vec<u8>,
        /// How many messages it queued again altogether.
        replayed: u64,
        /// How many it left alone altogether.
        skipped: u64,
    },
    /// A job goes on no more.
    Ended {
        /// The job.
        number: u64,
        /// How it ended.
        state: JobState,
        /// Who did it; `None` when it was through.
        audit: Option<Box<AuditEntry>>,
    },
}

impl State for Replays {
    type Id = ();
    type Event = ReplaysEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::REPLAYS;

    fn initial(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &ReplaysEvent) {
        match event {
            ReplaysEvent::Begun { job, .. } => {
                self.count = job.number;
                let ended = self.jobs.values().find(|job| !job.is_running());
                if let Some(oldest) = ended.map(|job| job.number)
                    && self.jobs.len() >= Self::KEPT
                {
                    self.jobs.remove(&oldest);
                }
                self.jobs.insert(job.number, job.as_ref().clone());
            }
            ReplaysEvent::Progressed {
                number,
                behind,
                replayed,
                skipped,
            } => {
                if let Some(job) = self.jobs.get_mut(number) {
                    job.behind = Some(behind.clone());
                    job.replayed = *replayed;
                    job.skipped = *skipped;
                }
            }
            ReplaysEvent::Ended { number, state, .. } => {
                if let Some(job) = self.jobs.get_mut(number) {
                    job.state = *state;
                }
            }
        }
    }

    fn index(&self, event: &ReplaysEvent, entries: &mut IndexEntries) {
        match event {
            ReplaysEvent::Begun { audit, .. } => audit.index(entries),
            ReplaysEvent::Progressed { .. } => {}
            ReplaysEvent::Ended { audit, .. } => {
                if let Some(audit) = audit {
                    audit.index(entries);
                }
            }
        }
    }
}

fn decided<R>(event: ReplaysEvent, reply: R) -> Decision<ReplaysEvent, R> {
    Decision {
        events: vec![event.into()],
        notices: Vec::new(),
        reply,
    }
}

#[cfg(test)]
mod tests;

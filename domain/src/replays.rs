//! Callbacks that are sent again by a filter: a job that goes on after a crash, shows how far it is, and can be ended.
//!
//! A job goes through the list of what did not arrive, page by page, and notes after each page where it goes on. What it
//! queued again left the list, so a page that is done twice does nothing the second time; and what died after the job
//! began is not its business, or a receiver that refuses everything would keep it busy for ever.

pub mod cancel;
pub mod create;
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

/// The reason not to change a job.
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
    /// The number of jobs so far.
    count: u64,
    jobs: BTreeMap<u64, ReplayJob>,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayJob {
    /// Its number, from 1.
    pub number: u64,
    /// The filter of the messages.
    pub filter: ReplayFilter,
    /// The actor who began it.
    pub by: By,
    /// The time of the beginning. What died or was cancelled later is left alone.
    pub began_at: UnixMillis,
    /// The state.
    pub state: JobState,
    /// The last row that it passed; `None` at the beginning.
    pub behind: Option<Vec<u8>>,
    /// The number of messages that it queued again.
    pub replayed: u64,
    /// The number of messages that it left alone, because their scope is not connected.
    pub skipped: u64,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum JobState {
    /// The job goes on.
    Running,
    /// The job is complete.
    Done {
        /// The time of the end.
        at: UnixMillis,
    },
    /// An operator ended it; what it queued stays queued.
    Cancelled {
        /// The time of the cancellation.
        at: UnixMillis,
    },
}

/// The filter of the messages to send again; a field that is `None` matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayFilter {
    /// The final state of the messages.
    pub fate: Option<Fate>,
    /// Their channel.
    pub channel: Option<ChannelId>,
    /// Their scope; outranks the channel.
    pub scope: Option<ScopeId>,
    /// Their conversation, which is one of the scope.
    pub conversation: Option<ConversationId>,
}

impl ReplayFilter {
    /// Returns the prefixes of the matching rows, in the order of the job.
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
    /// The number of jobs in the list; the oldest that have ended leave it first.
    pub const KEPT: usize = 100;
    /// The highest number of running jobs.
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
    /// Returns whether the job runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.state == JobState::Running
    }
}

/// An event of the jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReplaysEvent {
    /// A job begins.
    Begun {
        /// The job.
        job: Box<ReplayJob>,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// A page of a job is done.
    Progressed {
        /// The job.
        number: u64,
        /// The last row that it passed.
        behind: Vec<u8>,
        /// The total number of messages that it queued again.
        replayed: u64,
        /// The total number of messages that it left alone.
        skipped: u64,
    },
    /// A job goes on no more.
    Ended {
        /// The job.
        number: u64,
        /// The final state.
        state: JobState,
        /// The audit entry; `None` when the job was complete.
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
                let oldest_ended = self.jobs.values().find(|job| !job.is_running());
                if let Some(oldest) = oldest_ended.map(|job| job.number)
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

//! The jobs that wait: what of them is in memory. Their bodies are on the disk.

use std::collections::{BTreeMap, BTreeSet};

use crate::state::{Job, Kind, Lane};

/// A job without its body.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) lane: Lane,
    pub(crate) rank: i64,
    pub(crate) at: i64,
    /// The bytes of its body.
    pub(crate) size: u64,
}

impl Entry {
    pub(crate) fn from_job(job: &Job) -> Self {
        Self {
            lane: job.lane.clone(),
            rank: job.rank,
            at: job.at,
            size: u64::try_from(job.body.len()).unwrap_or(u64::MAX),
        }
    }
}

/// The number of jobs that wait, for health and metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The messages to customers.
    pub deliver: usize,
    /// The posts to the service.
    pub post: usize,
    /// The delivery statuses.
    pub report: usize,
    /// The calls of the account side.
    pub contact: usize,
    /// The bytes of all their bodies.
    pub bytes: u64,
    /// The second in which the oldest of them came.
    pub oldest_at: Option<i64>,
}

impl Waiting {
    /// The number of all jobs.
    #[must_use]
    pub fn jobs(&self) -> usize {
        [self.deliver, self.post, self.report, self.contact]
            .into_iter()
            .sum()
    }

    fn of_kind(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Deliver => &mut self.deliver,
            Kind::Post => &mut self.post,
            Kind::Report => &mut self.report,
            Kind::Contact => &mut self.contact,
        }
    }
}

/// The jobs.
#[derive(Debug, Default)]
pub(crate) struct Index {
    jobs: BTreeMap<u64, Entry>,
    /// The jobs of each lane, by rank and id.
    lanes: BTreeMap<Lane, BTreeSet<(i64, u64)>>,
    waiting: Waiting,
}

impl Index {
    pub(crate) fn begin(&mut self, id: u64, entry: Entry) {
        self.end(id);
        self.lanes
            .entry(entry.lane.clone())
            .or_default()
            .insert((entry.rank, id));
        *self.waiting.of_kind(entry.lane.kind) += 1;
        self.waiting.bytes = self.waiting.bytes.saturating_add(entry.size);
        self.jobs.insert(id, entry);
    }

    pub(crate) fn end(&mut self, id: u64) {
        let Some(entry) = self.jobs.remove(&id) else {
            return;
        };
        let count = self.waiting.of_kind(entry.lane.kind);
        *count = count.saturating_sub(1);
        self.waiting.bytes = self.waiting.bytes.saturating_sub(entry.size);
        if let Some(places) = self.lanes.get_mut(&entry.lane) {
            places.remove(&(entry.rank, id));
            if places.is_empty() {
                self.lanes.remove(&entry.lane);
            }
        }
    }

    /// The job of a lane that is done next.
    pub(crate) fn first(&self, lane: &Lane) -> Option<(u64, Entry)> {
        let (_, id) = self.lanes.get(lane)?.first()?;
        Some((*id, self.jobs.get(id)?.clone()))
    }

    pub(crate) fn has(&self, id: u64) -> bool {
        self.jobs.contains_key(&id)
    }

    pub(crate) fn lanes(&self) -> Vec<Lane> {
        self.lanes.keys().cloned().collect()
    }

    pub(crate) fn waiting(&self) -> Waiting {
        // Ids grow with time.
        let oldest = self.jobs.first_key_value();
        Waiting {
            oldest_at: oldest.map(|(_, entry)| entry.at),
            ..self.waiting
        }
    }
}

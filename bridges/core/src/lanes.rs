//! The order of jobs: those of a lane one after the other, and those of several lanes at once.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::state::{Kind, Lane};

/// The outcome of an attempt at a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The job has left the store.
    Over,
    /// Its lane is tried again after this time, which holds up no other lane.
    Later(Duration),
}

/// The lanes that are being worked on.
pub(crate) struct Lanes {
    pub(crate) busy: RefCell<BTreeSet<Lane>>,
    deliver: Semaphore,
    post: Semaphore,
    report: Semaphore,
    contact: Semaphore,
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            busy: RefCell::default(),
            deliver: Semaphore::new(32),
            post: Semaphore::new(7),
            report: Semaphore::new(4),
            contact: Semaphore::new(4),
        }
    }
}

impl Lanes {
    /// The places of a kind: so many of its jobs are done at once.
    pub(crate) fn places(&self, kind: Kind) -> &Semaphore {
        match kind {
            Kind::Deliver => &self.deliver,
            Kind::Post => &self.post,
            Kind::Report => &self.report,
            Kind::Contact => &self.contact,
        }
    }
}

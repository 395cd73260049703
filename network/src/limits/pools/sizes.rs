//! Sizes that follow from what the machine has.

use super::PoolSettings;
use crate::limits::machine::Machine;

/// Stands for a limit that there is not.
pub(super) const NO_LIMIT: usize = usize::MAX;

/// Descriptors of the journal, its indexes and the runtime before any client comes, and of each worker.
const OF_THE_PROCESS: u64 = 32;
const OF_A_WORKER: u64 = 8;
/// Descriptors of other files: those of the index, and of the media that it serves.
const OF_FILES: u64 = 512;

/// Sizes of pools that follow from what the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) connections: usize,
    pub(super) accepted_beyond: usize,
    pub(super) callbacks: usize,
    /// Bodies of senders with credentials, and as many of those without.
    pub(super) bodies: usize,
}

impl Sizes {
    pub(super) fn new(settings: &PoolSettings, machine: Machine) -> Self {
        let workers = u64::try_from(settings.workers).unwrap_or(u64::MAX);
        let own = OF_THE_PROCESS.saturating_add(workers.saturating_mul(OF_A_WORKER));
        let free = machine.descriptors.saturating_sub(own);
        let callbacks = settings.callbacks_max.min(whole(free / 8)).max(1);
        let media = settings.uploads_max.saturating_add(settings.fetches_max);
        let outgoing = callbacks.saturating_add(media);
        let others = OF_FILES.saturating_add(u64::try_from(outgoing).unwrap_or(u64::MAX));
        // With few descriptors the rest is a quarter of them.
        let of_clients = whole(free.saturating_sub(others.min(free / 4)));
        // Those that make room need a moment to close.
        let connections = settings
            .connections_max
            .min(of_clients.saturating_sub(of_clients / 16))
            .max(4);
        let body = u64::try_from(settings.body_limit_bytes.max(1)).unwrap_or(u64::MAX);
        let by_memory = whole(machine.memory / 4 / body);
        let bodies = set_or(settings.bodies_awaited_max, by_memory);
        Self {
            connections,
            accepted_beyond: (connections / 16).max(4),
            callbacks,
            bodies: (bodies / 2).max(4),
        }
    }
}

/// A quarter of a pool.
pub(super) fn quarter(size: usize) -> usize {
    (size / 4).max(1)
}

/// The setting, where 0 stands for no limit, and never more than `most`.
pub(super) fn set_or(set: usize, most: usize) -> usize {
    if set == 0 { most } else { at_most(set, most) }
}

pub(super) fn at_most(set: usize, most: usize) -> usize {
    set.min(most)
}

fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

//! The metrics of a system at one moment.

use crate::domain::dispatch::endpoint::EndpointState;
use crate::domain::time::UnixMillis;
use crate::system::System;
use switchboard_engine::histogram::HistogramSnapshot;
use switchboard_engine::store::index::config::IndexStats;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::meters::MetersRead as Read;

pub use switchboard_runtime::shared::meters::MetersRead;

/// The names of the health of endpoints.
pub const HEALTHS: [&str; 8] = [
    "healthy",
    "failing",
    "slow_start",
    "open",
    "paused",
    "disabled",
    "switched_off",
    "no_address",
];

/// Everything that is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metrics {
    /// The counters of the dispatcher since the start.
    pub counted: Read,
    /// Callbacks that are queued.
    pub queued: u64,
    /// Those of them whose endpoint takes none now.
    pub held: u64,
    /// Attempts in progress.
    pub in_flight: usize,
    /// Conversations whose next callback is in memory.
    pub queues: usize,
    /// Those of them that wait for another attempt.
    pub waiting: usize,
    /// Since when the oldest callback in memory is queued.
    pub oldest: Option<UnixMillis>,
    /// The number of endpoints in each state of [`HEALTHS`].
    pub endpoints: [u64; HEALTHS.len()],
    /// The last record on disk.
    pub durable: u64,
    /// True when something new can be stored.
    pub writable: bool,
    /// Actors in memory.
    pub actors: usize,
    /// Actors that died by a panic.
    pub deaths: u64,
    /// The durations of the syncs of the journal since the start.
    pub syncs: HistogramSnapshot,
    /// The figures of the index.
    pub index: IndexStats,
}

/// The name of an endpoint's health, one of [`HEALTHS`].
#[must_use]
pub fn health_name(health: EndpointState) -> &'static str {
    match health {
        EndpointState::Healthy => "healthy",
        EndpointState::Failing { .. } => "failing",
        EndpointState::SlowStart { .. } => "slow_start",
        EndpointState::Open { .. } => "open",
        EndpointState::Paused { .. } => "paused",
        EndpointState::Disabled { .. } => "disabled",
        EndpointState::ChannelPaused => "switched_off",
        EndpointState::NoAddress => "no_address",
    }
}

impl System {
    /// Everything that is counted.
    ///
    /// # Errors
    /// When the dispatcher does not answer in time.
    pub async fn metrics(&self) -> Result<Metrics, UnavailableError> {
        let kernel = self.kernel();
        let status = self.endpoints_status().await?;
        let mut endpoints = [0; HEALTHS.len()];
        let (mut held, mut waiting, mut oldest) = (0_u64, 0_usize, None);
        for (endpoint_status, _) in &status.endpoints {
            let name = health_name(endpoint_status.health);
            let place = HEALTHS.iter().position(|known| *known == name);
            if let Some(count) = place.and_then(|place| endpoints.get_mut(place)) {
                *count += 1;
            }
            if !endpoint_status.health.takes_messages() {
                held = held.saturating_add(
                    kernel
                        .shared
                        .admission
                        .queued_for(&endpoint_status.endpoint),
                );
            }
            waiting = waiting.saturating_add(endpoint_status.waiting);
            oldest = oldest.into_iter().chain(endpoint_status.oldest).min();
        }
        let counts = self.counts();
        Ok(Metrics {
            counted: kernel.shared.meters.read(),
            queued: kernel.shared.admission.queued(),
            held,
            in_flight: status.occupancy.in_flight,
            queues: status.occupancy.queues,
            waiting,
            oldest,
            endpoints,
            durable: counts.durable,
            writable: self.writable().is_ok(),
            actors: counts.actors,
            deaths: counts.deaths,
            syncs: kernel.journal.sync_times(),
            index: kernel.index.stats(),
        })
    }
}

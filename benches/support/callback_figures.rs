//! What is measured of callbacks, as it is written down.

use serde::Serialize;

/// Everything that is written down.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    pub(crate) fdatasync_us: f64,
    pub(crate) rate: Option<Rate>,
    pub(crate) isolation: Option<Isolation>,
    pub(crate) backlog: Option<Backlog>,
}

/// Medians of the rounds.
#[derive(Debug, Serialize)]
pub(crate) struct Rate {
    pub(crate) callbacks_per_second: f64,
    pub(crate) bare_per_second: f64,
    pub(crate) of_bare: f64,
    pub(crate) server_cpu_us_per_callback: f64,
    pub(crate) way_p50_us: f64,
    pub(crate) way_p99_us: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Isolation {
    pub(crate) healthy_p99_us: f64,
    pub(crate) healthy_p99_beside_hanging_us: f64,
    pub(crate) ratio: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Backlog {
    pub(crate) queued: u64,
    pub(crate) queued_per_second: f64,
    pub(crate) rss_before_mib: f64,
    pub(crate) rss_queued_mib: f64,
    pub(crate) rss_after_start_mib: f64,
    pub(crate) ready_ms: f64,
    pub(crate) first_delivery_ms: f64,
    pub(crate) counted_ms: f64,
}

//! The figures of callbacks.

use serde::Serialize;
use switchboard_bench::goals::verdict;

/// Everything that is written down.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    pub(crate) drain: Option<Drain>,
    pub(crate) isolation: Option<Isolation>,
    pub(crate) backlog: Option<Backlog>,
}

/// Medians of the rounds.
#[derive(Debug, Serialize)]
pub(crate) struct Drain {
    pub(crate) callbacks_per_second: f64,
    pub(crate) bare_per_second: f64,
    pub(crate) of_bare: f64,
    pub(crate) server_cpu_us_per_callback: f64,
    pub(crate) bare_cpu_us_per_request: f64,
    /// The cost of the service beside sending: order, outcome on disk, reading back, composing, signing.
    pub(crate) our_cpu_us_per_callback: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Isolation {
    pub(crate) healthy_p99_us: f64,
    pub(crate) healthy_p99_beside_hanging_us: f64,
    pub(crate) ratio: f64,
}

impl Isolation {
    pub(crate) fn print(&self, healthy: usize, hanging: usize) {
        println!(
            "isolation (D4): p99 of {healthy} healthy endpoints {:.1} ms, with {hanging} hanging beside them {:.1} ms: {:.2} \
             times (limit 2: {})",
            self.healthy_p99_us / 1e3,
            self.healthy_p99_beside_hanging_us / 1e3,
            self.ratio,
            verdict(self.ratio < 2.0)
        );
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Backlog {
    pub(crate) queued: u64,
    pub(crate) queued_per_second: f64,
    pub(crate) rss_before_mib: f64,
    pub(crate) rss_queued_mib: f64,
    /// The most it was while they came in.
    pub(crate) rss_peak_mib: f64,
    /// The most it was from the start until answers were taken again.
    pub(crate) rss_peak_after_start_mib: f64,
    pub(crate) ready_ms: f64,
    pub(crate) first_delivery_ms: f64,
    pub(crate) counted_ms: f64,
}

/// The promises for the backlog: the growth of the process, and the time of the first callback.
const GROWTH_MIB_MAX: f64 = 256.0;
const FIRST_DELIVERY_MS_MAX: f64 = 2_000.0;

/// The goal: this share of a bare loop's rate.
const OF_BARE_MIN: f64 = 0.6;
/// The most that a callback may cost beyond a bare request.
const OUR_CPU_US_MAX: f64 = 20.0;

impl Drain {
    pub(crate) fn print(&self, in_flight: usize) {
        println!(
            "drain: {:.0} queued callbacks delivered per second with their outcomes on disk, {:.1} µs of CPU each; {:.2} of \
             {:.0} bare requests with {in_flight} in progress (aim: at least {OF_BARE_MIN:.2}: {})",
            self.callbacks_per_second,
            self.server_cpu_us_per_callback,
            self.of_bare,
            self.bare_per_second,
            verdict(self.of_bare >= OF_BARE_MIN)
        );
        println!(
            "our part of a callback: {:.1} µs of CPU, beside {:.1} µs of a bare request (aim: at most {OUR_CPU_US_MAX:.0}: {})",
            self.our_cpu_us_per_callback,
            self.bare_cpu_us_per_request,
            verdict(self.our_cpu_us_per_callback <= OUR_CPU_US_MAX)
        );
    }
}

impl Backlog {
    pub(crate) fn print(&self) {
        let growth = self.rss_peak_mib - self.rss_before_mib;
        println!(
            "backlog: {} queued for a dead address at {:.0} per second; from a start ready after {:.0} ms, first answer \
             taken after {:.0} ms",
            self.queued, self.queued_per_second, self.ready_ms, self.counted_ms
        );
        println!(
            "memory with them (D5): {:.0} MiB resident before, {:.0} MiB with them, at most {:.0} MiB: {growth:.0} MiB more \
             (limit {GROWTH_MIB_MAX:.0}: {}); after a start at most {:.0} MiB (limit {GROWTH_MIB_MAX:.0}: {})",
            self.rss_before_mib,
            self.rss_queued_mib,
            self.rss_peak_mib,
            verdict(growth <= GROWTH_MIB_MAX),
            self.rss_peak_after_start_mib,
            verdict(self.rss_peak_after_start_mib <= GROWTH_MIB_MAX)
        );
        println!(
            "start with them (D6): first delivery after {:.0} ms (limit {FIRST_DELIVERY_MS_MAX:.0}: {})",
            self.first_delivery_ms,
            verdict(self.first_delivery_ms <= FIRST_DELIVERY_MS_MAX)
        );
    }
}

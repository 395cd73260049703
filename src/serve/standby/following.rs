//! A standby with its handle of the log: what it knows of the log's end, and its word to others about itself.

use std::time::{Duration, Instant};

use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use switchboard_replication::entry::Claimant;
use switchboard_replication::node::NodeState;
use switchboard_replication::shared_log::{NodeReport, SharedLog, Standby, newest};

/// The time between two questions of a node that lacks entries.
const ASK_EVERY: Duration = Duration::from_secs(1);
/// A long list of entries is asked for seldom: so many times of what it took lie between two.
const ASK_PART: u32 = 10;
/// The time between two reports of a node.
const REPORT_EVERY: Duration = Duration::from_secs(5);

/// A standby with its handle of the log.
pub(super) struct Following {
    pub(super) standby: Standby,
    pub(super) log: Box<dyn SharedLog>,
    /// The last record at the last catch-up, and when that was.
    pub(super) caught_up: (u64, Instant),
    /// From when on the log is asked again for its newest entry.
    ask_from: Instant,
    /// From when on the node says again how far it is.
    report_from: Instant,
    /// The epoch of the last report.
    reported_epoch: u64,
}

impl Following {
    /// A standby that was opened now.
    pub(super) fn new(standby: Standby, log: Box<dyn SharedLog>) -> Self {
        let now = Instant::now();
        Self {
            caught_up: (standby.end().last.0, now),
            standby,
            log,
            ask_from: now,
            report_from: now,
            reported_epoch: 0,
        }
    }

    /// The same node: its newest entry was seen then.
    pub(super) fn seen_at(self, seen: Duration) -> Self {
        let standby = self.standby.seen_at(seen);
        Self { standby, ..self }
    }

    /// The number of new records since the last catch-up.
    pub(super) fn new_records(&self) -> u64 {
        self.standby.end().last.0.saturating_sub(self.caught_up.0)
    }

    /// Asks the log now and then for its newest entry.
    pub(super) fn ask_for_the_end(&mut self, state: &NodeState) {
        let start = Instant::now();
        if start < self.ask_from {
            return;
        }
        // A log that does not answer shows with the next read.
        if let Ok(newest) = newest(self.log.as_mut(), self.standby.end().position) {
            state.log_ends(newest);
        }
        let pause = start.elapsed().saturating_mul(ASK_PART).max(ASK_EVERY);
        self.ask_from = Instant::now() + pause;
    }

    /// Says now and then how far the node is, and at once behind a claim: an owner that has carried out an erasure waits for that before
    /// it removes the entries from before its claim.
    pub(super) fn report(&mut self, claimant: &Claimant) {
        let now = Instant::now();
        let epoch = self.standby.end().epoch;
        if now < self.report_from && epoch == self.reported_epoch {
            return;
        }
        // The owner may remove what the report names, so a power cut must not take it from this node.
        if let Err(error) = self.standby.sync() {
            tracing::warn!(%error, "this node cannot store what it has of the shared log");
            return;
        }
        self.report_from = now + REPORT_EVERY;
        self.reported_epoch = epoch;
        let report = NodeReport {
            node: claimant.node.clone(),
            url: claimant.url.clone(),
            position: self.standby.end().position,
            last: self.standby.end().last,
            applied_at: self.standby.time(),
            reported_at: SystemClock.now(),
        };
        // Nothing depends on it: the next one may arrive.
        if let Err(error) = self.log.report(&report) {
            tracing::debug!(%error, "the shared log does not take the report of this node");
        }
    }
}

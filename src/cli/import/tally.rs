//! The counts of an import so far, and their summary.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::output::{CliError, print};

/// The counts of lines, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tally {
    stored: u64,
    repeated: u64,
    differing: u64,
    refused: u64,
    /// Of those stored and repeated, how many an interrupted import had done.
    #[serde(skip)]
    now: u64,
}

impl Tally {
    /// A line is right; nothing was sent.
    pub(super) fn checked(&mut self) {
        self.stored();
    }

    /// A message is on disk now.
    pub(super) fn stored(&mut self) {
        self.stored = self.stored.saturating_add(1);
        self.now = self.now.saturating_add(1);
    }

    /// A message was there before.
    pub(super) fn repeated(&mut self) {
        self.repeated = self.repeated.saturating_add(1);
        self.now = self.now.saturating_add(1);
    }

    /// A message with this id was there before, with other content.
    pub(super) fn differed(&mut self) {
        self.differing = self.differing.saturating_add(1);
        self.now = self.now.saturating_add(1);
    }

    /// A line is bad.
    pub(super) fn refused(&mut self) {
        self.refused = self.refused.saturating_add(1);
        self.now = self.now.saturating_add(1);
    }

    pub(super) fn any_refused(&self) -> bool {
        self.refused > 0
    }

    /// In a few words, while it goes on.
    pub(super) fn brief(&self, elapsed: Duration) -> String {
        let mut text = format!("{} messages, {:.0}/s", self.stored, self.rate(elapsed));
        for (count, what) in [
            (self.repeated.saturating_add(self.differing), "skipped"),
            (self.refused, "refused"),
        ] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        text
    }

    /// Lines per second of this run.
    fn rate(&self, elapsed: Duration) -> f64 {
        let millis = u32::try_from(elapsed.as_millis().max(1)).unwrap_or(u32::MAX);
        let lines = u32::try_from(self.now).unwrap_or(u32::MAX);
        f64::from(lines) * 1_000.0 / f64::from(millis)
    }

    /// Prints what was done: how much, how fast, with how much memory.
    pub(super) fn print(&self, verb: &str, elapsed: Duration, json: bool) -> Result<(), CliError> {
        let seconds = elapsed.as_secs_f64();
        let rate = self.rate(elapsed);
        let memory = memory_kib();
        if json {
            let summary = json!({
                "messages": self.stored,
                "skipped": self.repeated,
                "skipped_with_other_content": self.differing,
                "refused": self.refused,
                "seconds": (seconds * 1_000.0).round() / 1_000.0,
                "lines_per_second": rate.round(),
                "memory_kib": memory,
            });
            return print(&summary.to_string());
        }
        let plural = if self.stored == 1 { "" } else { "s" };
        let mut text = format!(
            "{verb}: {} message{plural} in {seconds:.1} s ({rate:.0} lines/s",
            self.stored
        );
        if let Some(kib) = memory {
            text.push_str(&format!(", {} MiB of memory at most", kib.div_ceil(1_024)));
        }
        text.push(')');
        let asides = [
            (self.repeated, "skipped: there before"),
            (self.differing, "skipped: there before with other content"),
            (self.refused, "refused: see above"),
        ];
        for (count, what) in asides {
            if count > 0 {
                text.push_str(&format!("\n  {count} {what}"));
            }
        }
        print(&text)
    }
}

/// The peak memory of this process in KiB, where the system reports it.
fn memory_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_only_counts_above_zero() {
        let mut tally = Tally::default();
        tally.stored();
        tally.stored();
        assert_eq!(tally.brief(Duration::from_secs(1)), "2 messages, 2/s");
        tally.differed();
        tally.repeated();
        tally.refused();
        let brief = tally.brief(Duration::from_millis(500));
        assert_eq!(brief, "2 messages, 10/s, 2 skipped, 1 refused");
        assert!(tally.any_refused());
    }
}

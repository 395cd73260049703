//! Counters, and their text for Prometheus.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The counters of the process.
#[derive(Default)]
pub(crate) struct Counters {
    /// Updates by kind.
    updates: RefCell<BTreeMap<&'static str, u64>>,
    /// Updates of which the service gets nothing, by the reason.
    skipped: RefCell<BTreeMap<&'static str, u64>>,
    /// Posts to the service by their end.
    posts: RefCell<BTreeMap<&'static str, u64>>,
    /// Sends to Telegram by their end.
    sends: RefCell<BTreeMap<&'static str, u64>>,
    /// Answers of Telegram with 429.
    limits: Cell<u64>,
    /// The offset of the last poll: updates below it are confirmed.
    offset: Cell<i64>,
}

/// The values that are counted anew at each look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gauges {
    /// Waiting jobs by kind.
    pub(crate) waiting: Vec<(&'static str, u64)>,
    /// The age of the oldest waiting job in seconds.
    pub(crate) oldest_seconds: u64,
    pub(crate) is_healthy: bool,
}

impl Counters {
    pub(crate) fn count_update(&self, kind: &'static str) {
        increase(&self.updates, kind);
    }

    pub(crate) fn count_skipped(&self, why: &'static str) {
        increase(&self.skipped, why);
    }

    pub(crate) fn count_post(&self, end: &'static str) {
        increase(&self.posts, end);
    }

    pub(crate) fn count_send(&self, end: &'static str) {
        increase(&self.sends, end);
    }

    pub(crate) fn count_limit(&self) {
        self.limits.set(self.limits.get().saturating_add(1));
    }

    pub(crate) fn confirm(&self, offset: i64) {
        self.offset.set(offset);
    }

    /// Returns the text.
    pub(crate) fn text(&self, gauges: &Gauges) -> String {
        let mut text = String::new();
        let families = [
            (
                Family::counter("updates_total", "kind", "Updates of Telegram by kind."),
                &self.updates,
            ),
            (
                Family::counter(
                    "skipped_updates_total",
                    "reason",
                    "Updates of which the service gets nothing.",
                ),
                &self.skipped,
            ),
            (
                Family::counter("posts_total", "end", "Posts to the service by their end."),
                &self.posts,
            ),
            (
                Family::counter("sends_total", "end", "Sends to Telegram by their end."),
                &self.sends,
            ),
        ];
        for (family, counts) in families {
            let counts = counts.borrow();
            let rows: Vec<(&str, u64)> = counts.iter().map(|(key, count)| (*key, *count)).collect();
            family.add(&mut text, &rows);
        }
        let limits = Family::counter("rate_limits_total", "", "Answers of Telegram with 429.");
        limits.add(&mut text, &[("", self.limits.get())]);
        let offset = u64::try_from(self.offset.get()).unwrap_or_default();
        gauges.add(&mut text, offset);
        text
    }
}

impl Gauges {
    fn add(&self, text: &mut String, offset: u64) {
        Family::gauge("waiting_jobs", "kind", "Jobs that wait or are under way.")
            .add(text, &self.waiting);
        let plain = [
            (
                "confirmed_offset",
                "The offset of the last poll: updates below it are confirmed.",
                offset,
            ),
            (
                "oldest_job_seconds",
                "The age of the oldest waiting job.",
                self.oldest_seconds,
            ),
            (
                "healthy",
                "1 when /health answers 200.",
                u64::from(self.is_healthy),
            ),
        ];
        for (name, help, value) in plain {
            Family::gauge(name, "", help).add(text, &[("", value)]);
        }
    }
}

/// A family of metrics: its head, and the name of the only label, or none.
struct Family {
    name: &'static str,
    kind: &'static str,
    label: &'static str,
    help: &'static str,
}

impl Family {
    fn counter(name: &'static str, label: &'static str, help: &'static str) -> Self {
        Self {
            name,
            kind: "counter",
            label,
            help,
        }
    }

    fn gauge(name: &'static str, label: &'static str, help: &'static str) -> Self {
        Self {
            name,
            kind: "gauge",
            label,
            help,
        }
    }

    fn add(&self, text: &mut String, rows: &[(&str, u64)]) {
        let Self {
            name,
            kind,
            label,
            help,
        } = self;
        let name = format!("switchboard_telegram_{name}");
        // A text takes whatever is written.
        writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}").unwrap_or_default();
        for (value, count) in rows {
            let labels = if label.is_empty() {
                String::new()
            } else {
                format!("{{{label}=\"{value}\"}}")
            };
            writeln!(text, "{name}{labels} {count}").unwrap_or_default();
        }
    }
}

fn increase(counts: &RefCell<BTreeMap<&'static str, u64>>, key: &'static str) {
    let mut counts = counts.borrow_mut();
    let count = counts.entry(key).or_default();
    *count = count.saturating_add(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_the_form_of_prometheus() {
        let counters = Counters::default();
        counters.count_update("message");
        counters.count_update("message");
        counters.count_limit();
        counters.confirm(17);
        let gauges = Gauges {
            waiting: vec![("post", 3)],
            oldest_seconds: 5,
            is_healthy: true,
        };
        let text = counters.text(&gauges);
        for line in [
            "# TYPE switchboard_telegram_updates_total counter",
            "switchboard_telegram_updates_total{kind=\"message\"} 2",
            "switchboard_telegram_rate_limits_total 1",
            "switchboard_telegram_confirmed_offset 17",
            "switchboard_telegram_waiting_jobs{kind=\"post\"} 3",
            "switchboard_telegram_oldest_job_seconds 5",
            "switchboard_telegram_healthy 1",
        ] {
            assert!(text.lines().any(|it| it == line), "{line} in\n{text}");
        }
    }
}

//! The metrics of relays, of all of them together: no label is an id.

use switchboard_actors::domain::relays::{ACCOUNT_HOOKS, BRIDGE, COUNTERPART};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::relay_book::{RelayRead, TargetRead};
use switchboard_actors::system::relays::TargetHealth;

use super::Written;
use super::page::Page;

/// The relays at the moment of a scrape.
#[derive(Debug)]
pub(super) struct RelaysRead {
    pub(super) relays: Vec<RelayRead>,
    pub(super) healths: Vec<TargetHealth>,
}

impl RelaysRead {
    /// Writes the series; none without relays.
    pub(super) fn write(&self, page: &mut Page<'_>, now: UnixMillis) -> Written {
        let Some(first) = self.relays.first() else {
            return Ok(());
        };
        let sum = |count: fn(&RelayRead) -> u64| self.relays.iter().map(count).sum();
        page.count(
            "relay_hooks",
            "Hooks that relays stored",
            sum(|it| it.taken),
        )?;
        page.count(
            "relay_hooks_repeated",
            "Hooks that relays had already",
            sum(|it| it.repeated),
        )?;
        page.counts(
            "relay_hooks_refused",
            "Hooks that relays refused",
            "reason",
            &self.by_word(|it| &it.refused),
        )?;
        let mut answers = first.answers.clone();
        for relay in self.relays.iter().skip(1) {
            let counts = answers.counts.iter_mut().zip(&relay.answers.counts);
            counts.for_each(|(count, more)| *count = count.saturating_add(*more));
            answers.sum = answers.sum.saturating_add(relay.answers.sum);
        }
        page.times(
            "relay_answer_seconds",
            "Time until a relay answered a hook",
            &answers,
        )?;
        page.counts(
            "relay_delivered",
            "Hooks that targets of relays took",
            "target",
            &self.by_target(|it| it.delivered),
        )?;
        page.counts(
            "relay_dead",
            "Hooks that relays gave up",
            "target",
            &self.by_target(|it| it.dead),
        )?;
        page.counts(
            "relay_upward",
            "Requests of bridges that relays got",
            "outcome",
            &self.by_word(|it| &it.upward.counts),
        )?;
        self.write_now(page, now)
    }

    fn write_now(&self, page: &mut Page<'_>, now: UnixMillis) -> Written {
        page.gauges(
            "relay_waiting",
            "Hooks that wait for targets of relays",
            "target",
            &self.by_target(|it| it.waiting),
        )?;
        let paused = self.relays.iter().filter(|it| it.is_paused).count();
        page.gauge(
            "relay_paused",
            "Relays that are paused",
            super::wide(paused),
        )?;
        let pages = self.relays.iter().filter_map(|it| it.upward.pages_since);
        page.gauge(
            "relay_pages_seconds",
            "Time for which the counterpart has answered bridges with pages for people alone",
            pages.min().map_or(0, |at| now.since(at).as_secs()),
        )?;
        let of_bridges = self.healths.iter().filter(|it| it.target.place == BRIDGE);
        let oldest = of_bridges.filter_map(|it| it.oldest).min();
        page.gauge(
            "relay_oldest_age_seconds",
            "Age of the oldest hook in memory that waits for a bridge",
            oldest.map_or(0, |at| now.since(at).as_secs()),
        )
    }

    /// The sums by word; the words are the same of all relays.
    fn by_word(
        &self,
        counts: fn(&RelayRead) -> &[(&'static str, u64)],
    ) -> Vec<(&'static str, u64)> {
        let words = self.relays.first().map(counts).unwrap_or_default();
        words
            .iter()
            .map(|(word, _)| {
                let all = self.relays.iter().flat_map(&counts);
                let of_word = all.filter(|(known, _)| known == word);
                (*word, of_word.map(|(_, count)| count).sum())
            })
            .collect()
    }

    /// The sums by kind of target.
    fn by_target(&self, count: fn(&TargetRead) -> u64) -> [(&'static str, u64); 4] {
        let targets = || self.relays.iter().flat_map(|it| &it.targets);
        let sum = |is_kind: fn(u8) -> bool| {
            let of_kind = targets().filter(|it| is_kind(it.place));
            of_kind.map(count).sum()
        };
        [
            ("bridge", sum(|place| place == BRIDGE)),
            (
                "copies",
                sum(|place| !matches!(place, BRIDGE | ACCOUNT_HOOKS | COUNTERPART)),
            ),
            ("account", sum(|place| place == ACCOUNT_HOOKS)),
            ("counterpart", sum(|place| place == COUNTERPART)),
        ]
    }
}

//! The figures, the goals, and the curves.

use serde::Serialize;
use switchboard_bench::goals::Goal;
use switchboard_bench::machine;
use switchboard_bench::plot::{Curve, Panel, curve};
use switchboard_bench::statistics::exact;

use crate::conversations::HOT;
use crate::{conversations, messages, scopes, search};

/// «Flat or logarithmic»: with each ten times as many, a message costs at most so much more of what it cost first.
const MORE_EACH_TENFOLD_MAX: f64 = 0.2;
/// With this many conversations on disk, and 10,000 of them in use ...
const CONVERSATIONS: u64 = 1_000_000;
/// ... the service has at most so much memory.
const RESIDENT_MIB_MAX: f64 = 300.0;
/// With this many messages stored ...
const MESSAGES: u64 = 10_000_000;
/// ... a start takes at most so long.
const READY_MS_MAX: f64 = 1_000.0;

/// Everything that is written down.
#[derive(Debug, Serialize)]
pub(crate) struct Figures {
    machine: String,
    pub(crate) messages: Vec<messages::Line>,
    pub(crate) conversations: Vec<conversations::Line>,
    pub(crate) scopes: Vec<scopes::Line>,
    pub(crate) search: Vec<search::Line>,
    /// The memory of an idle conversation, in bytes: the slope from the smallest to the largest size.
    cold_bytes: Option<f64>,
    pub(crate) promises: Vec<Goal>,
}

impl Figures {
    pub(crate) fn new() -> Self {
        Self {
            machine: machine::name(),
            messages: Vec::new(),
            conversations: Vec::new(),
            scopes: Vec::new(),
            search: Vec::new(),
            cold_bytes: None,
            promises: Vec::new(),
        }
    }

    /// Compares with what is aimed at.
    pub(crate) fn judge(&mut self) {
        let by_messages: Vec<_> = (self.messages.iter())
            .map(|line| (line.messages, line.cost.cpu_us))
            .collect();
        let by_conversations: Vec<_> = (self.conversations.iter())
            .map(|line| (line.conversations, line.cost.cpu_us))
            .collect();
        let by_scopes: Vec<_> = (self.scopes.iter())
            .map(|line| (line.scopes, line.cost.cpu_us))
            .collect();
        self.promises
            .extend(growth("stored messages", &by_messages));
        self.promises
            .extend(growth("conversations", &by_conversations));
        self.promises.extend(growth("scopes", &by_scopes));
        let many = self
            .messages
            .iter()
            .filter(|line| line.messages >= MESSAGES);
        self.promises.extend(many.map(|line| {
            let what = format!(
                "ms from a start to readiness, {} stored messages",
                line.messages
            );
            Goal::at_most(what, line.ready_after_stop_ms, READY_MS_MAX)
        }));
        let all = self.conversations.iter();
        let many = all.filter(|line| line.conversations >= CONVERSATIONS && line.hot >= HOT);
        self.promises.extend(many.map(|line| {
            let what = format!(
                "MiB resident, {} conversations on disk, {} in use",
                line.conversations, line.hot
            );
            Goal::at_most(what, line.resident_hot_mib, RESIDENT_MIB_MAX)
        }));
        self.cold_bytes = self.cold_bytes();
        if let Some(bytes) = self.cold_bytes {
            println!("memory of a conversation without new messages: {bytes:.0} bytes");
        }
    }

    fn cold_bytes(&self) -> Option<f64> {
        let (first, last) = (self.conversations.first()?, self.conversations.last()?);
        let more = last.conversations.checked_sub(first.conversations)?;
        let mib = last.resident_cold_mib - first.resident_cold_mib;
        (more > 0).then(|| mib * 1_048_576.0 / exact(more))
    }

    /// The curves.
    pub(crate) fn panels(&self) -> Vec<Panel> {
        let panel = |title: &str, across: &str, curves: Vec<Curve>| Panel {
            title: title.to_owned(),
            across: across.to_owned(),
            curves,
        };
        let curve_of_messages = |name: &str, value: fn(&messages::Line) -> f64| {
            curve(
                name,
                self.messages
                    .iter()
                    .map(|line| (line.messages, value(line))),
            )
        };
        let open = |name: &str, value: fn(&conversations::Line) -> f64| {
            let lines = self.conversations.iter();
            curve(name, lines.map(|line| (line.conversations, value(line))))
        };
        let connected = |name: &str, value: fn(&scopes::Line) -> f64| {
            curve(
                name,
                self.scopes.iter().map(|line| (line.scopes, value(line))),
            )
        };
        let panels = [
            panel(
                "server CPU in µs a message",
                "stored messages",
                vec![curve_of_messages("message", |line| line.cost.cpu_us)],
            ),
            panel(
                "start in ms",
                "stored messages",
                vec![
                    curve_of_messages("after a kill", |line| line.ready_after_kill_ms),
                    curve_of_messages("after a stop", |line| line.ready_after_stop_ms),
                ],
            ),
            panel(
                "bytes on disk a message",
                "stored messages",
                vec![curve_of_messages("message", |line| {
                    line.disk_bytes_per_message
                })],
            ),
            panel(
                "server CPU in µs a message",
                "conversations",
                vec![
                    open("first message", |line| line.opening.cpu_us),
                    open("message", |line| line.cost.cpu_us),
                ],
            ),
            panel(
                "memory in MiB",
                "conversations",
                vec![
                    open("all in use", |line| line.resident_mib),
                    open("up to 10,000 in use", |line| line.resident_hot_mib),
                    open("none in use", |line| line.resident_cold_mib),
                ],
            ),
            panel(
                "server CPU in µs a message",
                "scopes",
                vec![connected("message", |line| line.cost.cpu_us)],
            ),
        ];
        let has_points = |panel: &Panel| panel.curves.iter().any(|curve| !curve.points.is_empty());
        panels.into_iter().filter(has_points).collect()
    }
}

/// Judges whether the cost of a message grows no more than it may, from the smallest size to the largest.
fn growth(of: &str, costs: &[(u64, f64)]) -> Option<Goal> {
    let (&(few, cheap), &(many, dear)) = (costs.first()?, costs.last()?);
    let tenfolds = (exact(many) / exact(few)).log10();
    (many > few && cheap > 0.0).then(|| {
        let what = format!("CPU of a message with {many} {of} in that with {few}");
        Goal::at_most(what, dear / cheap, 1.0 + MORE_EACH_TENFOLD_MAX * tenfolds)
    })
}

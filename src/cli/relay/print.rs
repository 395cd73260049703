//! Relays and their hooks for people to read.

use serde_json::Value;

use crate::cli::page::with_next;
use crate::cli::table::{cell, entries, lines, listed, table};

/// Relays, one line for each of their targets.
pub(super) fn relays(answer: &Value) -> String {
    let rows = entries(answer, "relays").flat_map(rows_of);
    listed(HEAD, rows.collect::<Vec<_>>().into_iter(), "no relays")
}

const HEAD: [&str; 8] = [
    "CHANNEL",
    "PAUSED",
    "TARGET",
    "ADDRESS",
    "HEALTH",
    "WAITING",
    "DELIVERED",
    "DEAD",
];

fn rows_of(relay: &Value) -> Vec<[String; 8]> {
    let targets = entries(relay, "targets");
    targets
        .map(|target| {
            [
                cell(relay, "channel_id"),
                cell(relay, "paused"),
                cell(target, "place"),
                cell(target, "address"),
                cell(target, "state/health"),
                cell(target, "waiting"),
                cell(target, "delivered"),
                cell(target, "dead"),
            ]
        })
        .collect()
}

/// One relay.
pub(super) fn relay(answer: &Value) -> String {
    let facts = lines(
        answer,
        [
            ("channel", "channel_id"),
            ("from", "from"),
            ("paused", "paused"),
            ("taken", "taken"),
            ("repeated", "repeated"),
            ("pages since", "pages_since"),
        ],
    );
    let targets = listed(HEAD, rows_of(answer).into_iter(), "no targets");
    format!("{facts}\n\n{targets}")
}

/// One relay with its news.
pub(super) fn detail(answer: &Value) -> String {
    let relay = relay(answer.get("relay").unwrap_or(&Value::Null));
    let of_news = [("FIRST SEEN", "first_seen_at"), ("SHAPE", "shape")];
    let news = table(answer, "news", of_news, "no news");
    let of_wrong = [("AT", "at"), ("FROM", "from"), ("REASON", "reason")];
    let wrong = table(answer, "wrong_signatures", of_wrong, "no wrong signatures");
    format!("{relay}\n\n{news}\n\n{wrong}")
}

/// Hooks, one line each.
pub(super) fn hooks(answer: &Value) -> String {
    let rows = entries(answer, "hooks").map(|hook| {
        let states = entries(hook, "deliveries").map(|delivery| {
            let (target, state) = (cell(delivery, "target"), cell(delivery, "state"));
            format!("{target}: {state}")
        });
        [
            cell(hook, "received_at"),
            cell(hook, "kind"),
            cell(hook, "message_id"),
            cell(hook, "scope_id"),
            states.collect::<Vec<_>>().join(", "),
        ]
    });
    let head = ["RECEIVED", "KIND", "MESSAGE", "SCOPE", "TARGETS"];
    let hooks = listed(head, rows.collect::<Vec<_>>().into_iter(), "no such hooks");
    with_next(hooks, answer)
}

/// The number of hooks that are sent again.
pub(super) fn replayed(answer: &Value) -> String {
    format!("hooks sent again: {}", cell(answer, "replayed"))
}

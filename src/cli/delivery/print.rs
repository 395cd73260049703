//! Deliveries, replays and addresses for people to read.

use serde_json::Value;

use crate::cli::page::with_next;
use crate::cli::table::{self, NOTHING, aligned, cell, entries, facts, listed};
use crate::config::program::command;

/// The longest excerpt of a response in the list of attempts, in characters.
const EXCERPT_MAX: usize = 60;

/// Deliveries, one line each, and how to see more.
pub(super) fn table(answer: &Value) -> String {
    let columns = [
        ("MESSAGE", "id"),
        ("STATE", "state"),
        ("WRITTEN", "written_at"),
        ("ATTEMPTS", "attempts"),
        ("NEXT", "next_attempt_at"),
        ("CONVERSATION", "conversation_id"),
        ("REASON", "reason"),
    ];
    let table = table::table(answer, "deliveries", columns, "no such deliveries");
    with_next(table, answer)
}

/// One delivery, one line for each fact about it, then its attempts.
pub(super) fn delivery(it: &Value) -> String {
    let facts = facts(
        it,
        [
            ("message", "id"),
            ("state", "state"),
            ("reason", "reason"),
            ("attempts", "attempts"),
            ("next attempt", "next_attempt_at"),
            ("scope", "scope_id"),
            ("conversation", "conversation_id"),
            ("written", "written_at"),
            ("replays", "replays"),
        ],
    );
    let summary = aligned(&facts.collect::<Vec<_>>());
    let attempts: Vec<_> = entries(it, "log").map(attempt).collect();
    if attempts.is_empty() {
        return summary;
    }
    let head = ["NO", "AT", "ADDRESS", "RESULT", "MS", "ANSWER"];
    let attempts = listed(head, attempts.into_iter(), "no attempts");
    format!("{summary}\n\n{attempts}")
}

fn attempt(it: &Value) -> [String; 6] {
    let status = it.get("status").filter(|status| status.is_u64());
    let result = if status.is_some() {
        "status"
    } else {
        "failure"
    };
    [
        cell(it, "number"),
        cell(it, "at"),
        cell(it, "address"),
        cell(it, result),
        cell(it, "took_ms"),
        shortened(&cell(it, "excerpt")),
    ]
}

/// One replay.
pub(super) fn replay(it: &Value) -> String {
    format!(
        "replay {} is {}: {} queued again, {} left alone",
        cell(it, "id"),
        cell(it, "state"),
        cell(it, "replayed"),
        cell(it, "skipped")
    )
}

/// All replays, one line each.
pub(super) fn replays(answer: &Value) -> String {
    let columns = [
        ("REPLAY", "id"),
        ("STATE", "state"),
        ("BEGAN", "began_at"),
        ("ENDED", "ended_at"),
        ("QUEUED AGAIN", "replayed"),
        ("LEFT ALONE", "skipped"),
    ];
    table::table(answer, "replays", columns, "no replay by filter was begun")
}

/// All addresses, one line each.
pub(super) fn endpoints(answer: &Value) -> String {
    let head = [
        "CHANNEL",
        "VERSION",
        "HEALTH",
        "QUEUED",
        "NEXT PROBE",
        "ADDRESS",
        "REASON",
    ];
    let rows = entries(answer, "endpoints").map(|it| {
        [
            cell(it, "channel_id"),
            cell(it, "version"),
            cell(it, "health"),
            cell(it, "queued"),
            cell(it, "next_probe_at"),
            cell(it, "address"),
            reason_of_endpoint(it),
        ]
    });
    let make = command("channel create NAME");
    listed(
        head,
        rows,
        &format!("no addresses: there is no channel; this makes one:  {make}"),
    )
}

/// The reason for the health of an endpoint; for a failing one, with the last error.
fn reason_of_endpoint(it: &Value) -> String {
    let reason = cell(it, "reason");
    let last = it.get("last_error").filter(|_| reason != NOTHING);
    let status = last.and_then(|last| last.get("status")?.as_u64());
    match status {
        Some(status) => format!("{reason} (last error: {status})"),
        None => reason,
    }
}

/// The beginning of a text, with a mark where it was cut.
fn shortened(text: &str) -> String {
    let mut letters = text.chars();
    let mut short: String = letters.by_ref().take(EXCERPT_MAX).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn empty_lists_are_sentences() {
        let none = json!({ "deliveries": [], "replays": [], "endpoints": [], "next": null });
        assert_eq!(table(&none), "no such deliveries");
        assert_eq!(replays(&none), "no replay by filter was begun");
        assert!(endpoints(&none).starts_with("no addresses: "));
        let later = json!({ "deliveries": [], "next": "00" });
        assert_eq!(
            table(&later),
            "no such deliveries\nthere may be more:  --cursor 00"
        );
    }

    #[test]
    fn a_truncated_response_is_marked() {
        let printed = |length: usize| {
            let log = json!([{ "number": 1, "status": 500, "excerpt": "x".repeat(length) }]);
            delivery(&json!({ "log": log }))
        };
        assert!(printed(60).ends_with(&"x".repeat(60)));
        assert!(printed(61).ends_with(&format!("{}…", "x".repeat(60))));
    }

    #[test]
    fn a_failing_endpoint_shows_the_reason_beside_its_health() {
        let endpoint = json!({
            "channel_id": "c", "version": "v2", "health": "failing", "queued": 1,
            "reason": "the last callback failed; the service continues to send callbacks", "last_error": { "status": 403 },
        });
        let printed = endpoints(&json!({ "endpoints": [endpoint] }));
        assert!(printed.contains("failing"), "{printed}");
        assert!(
            printed.ends_with("continues to send callbacks (last error: 403)"),
            "{printed}"
        );
    }
}

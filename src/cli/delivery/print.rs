//! Deliveries, replays and addresses for people to read.

use serde_json::Value;

use crate::cli::page::with_next;
use crate::cli::table::{NOTHING, aligned, listed, text, time};
use crate::config::program::command;

/// How many characters of an answer are shown with an attempt.
const EXCERPT_MAX: usize = 60;

/// Deliveries, one line each, and how to see more.
pub(super) fn table(answer: &Value) -> String {
    let head = [
        "MESSAGE",
        "STATE",
        "WRITTEN",
        "ATTEMPTS",
        "NEXT",
        "CONVERSATION",
        "REASON",
    ];
    let rows = list(answer, "deliveries").map(|it| {
        [
            text(it, "id"),
            text(it, "state"),
            moment(it, "written_at"),
            number(it, "attempts"),
            moment(it, "next_attempt_at"),
            text(it, "conversation_id"),
            text(it, "reason"),
        ]
    });
    with_next(listed(head, rows, "no such deliveries"), answer)
}

/// One delivery, one line for each thing that there is to say, then its attempts.
pub(super) fn delivery(it: &Value) -> String {
    let facts = [
        ["message".to_owned(), text(it, "id")],
        ["state".to_owned(), text(it, "state")],
        ["reason".to_owned(), text(it, "reason")],
        ["attempts".to_owned(), number(it, "attempts")],
        ["next attempt".to_owned(), moment(it, "next_attempt_at")],
        ["scope".to_owned(), text(it, "scope_id")],
        ["conversation".to_owned(), text(it, "conversation_id")],
        ["written".to_owned(), moment(it, "written_at")],
        ["replays".to_owned(), number(it, "replays")],
    ];
    let mut told = aligned(&facts);
    let attempts: Vec<_> = list(it, "log").collect();
    if attempts.is_empty() {
        return told;
    }
    let head = ["NO", "AT", "ADDRESS", "RESULT", "MS", "ANSWER"];
    let rows = attempts.into_iter().map(|attempt| {
        let status = attempt.get("status").and_then(Value::as_u64);
        let result = status.map_or_else(|| text(attempt, "failure"), |it| it.to_string());
        [
            number(attempt, "number"),
            moment(attempt, "at"),
            text(attempt, "address"),
            result,
            number(attempt, "took_ms"),
            shortened(&text(attempt, "excerpt")),
        ]
    });
    told.push_str("\n\n");
    told.push_str(&listed(head, rows, "no attempts"));
    told
}

/// One replay.
pub(super) fn replay(it: &Value) -> String {
    format!(
        "replay {} is {}: {} queued again, {} left alone",
        number(it, "id"),
        text(it, "state"),
        number(it, "replayed"),
        number(it, "skipped")
    )
}

/// All replays, one line each.
pub(super) fn replays(answer: &Value) -> String {
    let head = [
        "REPLAY",
        "STATE",
        "BEGAN",
        "ENDED",
        "QUEUED AGAIN",
        "LEFT ALONE",
    ];
    let rows = list(answer, "replays").map(|it| {
        [
            number(it, "id"),
            text(it, "state"),
            moment(it, "began_at"),
            moment(it, "ended_at"),
            number(it, "replayed"),
            number(it, "skipped"),
        ]
    });
    listed(head, rows, "no replay by filter was begun")
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
    let rows = list(answer, "endpoints").map(|it| {
        [
            text(it, "channel_id"),
            text(it, "version"),
            text(it, "health"),
            number(it, "queued"),
            moment(it, "next_probe_at"),
            text(it, "address"),
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

/// Why an endpoint is as it is; of one that fails, with what came last.
fn reason_of_endpoint(it: &Value) -> String {
    let reason = text(it, "reason");
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

fn list<'a>(answer: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    answer
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn number(value: &Value, key: &str) -> String {
    let number = value.get(key).and_then(Value::as_u64);
    number.map_or_else(|| NOTHING.to_owned(), |number| number.to_string())
}

fn moment(value: &Value, key: &str) -> String {
    let seconds = value.get(key).and_then(Value::as_i64);
    seconds.map_or_else(|| NOTHING.to_owned(), time)
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
        let shown = |length: usize| {
            let log = json!([{ "number": 1, "status": 500, "excerpt": "x".repeat(length) }]);
            delivery(&json!({ "log": log }))
        };
        assert!(shown(60).ends_with(&"x".repeat(60)));
        assert!(shown(61).ends_with(&format!("{}…", "x".repeat(60))));
    }

    #[test]
    fn a_failing_endpoint_shows_the_reason_beside_its_health() {
        let endpoint = json!({
            "channel_id": "c", "version": "v2", "health": "failing", "queued": 1,
            "reason": "the last callback failed; the service continues to send callbacks", "last_error": { "status": 403 },
        });
        let told = endpoints(&json!({ "endpoints": [endpoint] }));
        assert!(told.contains("failing"), "{told}");
        assert!(
            told.ends_with("continues to send callbacks (last error: 403)"),
            "{told}"
        );
    }
}

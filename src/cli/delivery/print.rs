//! Deliveries, replays and addresses for people to read.

use serde_json::Value;

use crate::cli::table::{NOTHING, aligned, text, time};

/// Deliveries, one line each, and how to see more.
pub(super) fn table(answer: &Value) -> String {
    let head = [
        "MESSAGE",
        "STATE",
        "ATTEMPTS",
        "NEXT",
        "CONVERSATION",
        "REASON",
    ];
    let rows = list(answer, "deliveries").map(|it| {
        [
            text(it, "id"),
            text(it, "state"),
            number(it, "attempts"),
            moment(it, "next_attempt_at"),
            text(it, "conversation_id"),
            text(it, "reason"),
        ]
    });
    let mut told = with_head(head, rows);
    if let Some(next) = answer.get("next").and_then(Value::as_str) {
        told.push_str(&format!("\nthere may be more:  --cursor {next}"));
    }
    told
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
        let answer = text(attempt, "excerpt");
        let line: String = answer
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(60)
            .collect();
        [
            number(attempt, "number"),
            moment(attempt, "at"),
            text(attempt, "address"),
            result,
            number(attempt, "took_ms"),
            line,
        ]
    });
    told.push_str("\n\n");
    told.push_str(&with_head(head, rows));
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
    with_head(head, rows)
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
    ];
    let rows = list(answer, "endpoints").map(|it| {
        [
            text(it, "channel_id"),
            text(it, "version"),
            text(it, "health"),
            number(it, "queued"),
            moment(it, "next_probe_at"),
            text(it, "address"),
        ]
    });
    with_head(head, rows)
}

fn with_head<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let head = head.map(str::to_owned);
    aligned(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
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

//! Channels for people to read.

use serde_json::Value;
use switchboard_actors::domain::installation::channels::settings::ChannelSettings;

use crate::cli::fields;
use crate::cli::table::{NOTHING, aligned, entries, facts, listed, text, time};
use crate::config::program::command;

/// All channels, one line each.
pub(super) fn table(answer: &Value) -> String {
    let head = ["ID", "NAME", "STATE", "WEBHOOK V1", "WEBHOOK V2"];
    let rows = entries(answer, "channels").map(|channel| {
        [
            text(channel, "id"),
            text(channel, "name"),
            state(channel).to_owned(),
            text(channel, "webhook_v1"),
            text(channel, "webhook_v2"),
        ]
    });
    let make = command("channel create NAME");
    listed(head, rows, &format!("no channels; this makes one:  {make}"))
}

/// One channel, one line for each thing that there is to say.
pub(super) fn channel(channel: &Value) -> String {
    let paused = channel.get("paused_at").and_then(Value::as_i64);
    let state = match paused {
        Some(since) => format!("paused since {}: callbacks wait", time(since)),
        None => "callbacks are sent".to_owned(),
    };
    let mut lines = vec![
        ["id".to_owned(), text(channel, "id")],
        ["state".to_owned(), state],
    ];
    lines.extend(fields::lines::<ChannelSettings>(channel));
    let fingerprint = text(channel, "secret_fingerprint");
    lines.push(["fingerprint".to_owned(), fingerprint]);
    if let Some(rotation) = channel.get("rotation").filter(|known| !known.is_null()) {
        let end = rotation.get("ends_at").and_then(Value::as_i64);
        let dates = format!(
            "the secret {} signs until {}; both are taken",
            text(rotation, "old_secret_fingerprint"),
            end.map_or(NOTHING.to_owned(), time)
        );
        lines.push(["rotation".to_owned(), dates]);
    }
    if let Some(secret) = channel.get("secret").and_then(Value::as_str) {
        lines.push(["secret".to_owned(), secret.to_owned()]);
    }
    aligned(&lines)
}

/// The result of a test callback.
pub(super) fn test(came: &Value) -> String {
    let number = |key: &str| came.get(key).and_then(Value::as_u64);
    let status = match (
        number("status"),
        came.get("failure").and_then(Value::as_str),
    ) {
        (Some(status), _) => status.to_string(),
        (None, Some(failure)) => format!("none ({failure})"),
        (None, None) => NOTHING.to_owned(),
    };
    let is_delivered = came.get("delivered") == Some(&Value::Bool(true));
    let took_ms = number("took_ms").unwrap_or_default();
    let took = match number("answered_ms") {
        Some(answered_ms) => format!("{took_ms} ms, the head of the answer after {answered_ms} ms"),
        None => format!("{took_ms} ms"),
    };
    let mut lines = vec![
        [
            "delivered".to_owned(),
            if is_delivered { "yes" } else { "no" }.to_owned(),
        ],
        ["reason".to_owned(), text(came, "reason")],
        ["status".to_owned(), status],
    ];
    let texts = ["url", "address", "version"];
    lines.extend(facts(came, texts.map(|key| (key, key))));
    lines.push(["took".to_owned(), took]);
    for (key, name) in [("detail", "detail"), ("excerpt", "answer")] {
        let fact = text(came, key);
        if fact != NOTHING {
            lines.push([name.to_owned(), fact]);
        }
    }
    aligned(&lines)
}

fn state(channel: &Value) -> &'static str {
    let paused = channel.get("paused") == Some(&Value::Bool(true));
    let rotating = channel
        .get("rotation")
        .is_some_and(|known| !known.is_null());
    match (paused, rotating) {
        (false, false) => "on",
        (true, false) => "paused",
        (false, true) => "on, rotating",
        (true, true) => "paused, rotating",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_is_aligned_and_one_line_per_channel() {
        let answer = json!({ "channels": [
            { "id": "a", "name": "First\u{1b}[2J", "webhook_v1": null, "webhook_v2": "http://h/", "paused": true, "rotation": null },
            { "id": "longer", "name": "Второй", "webhook_v1": "http://g/", "webhook_v2": null, "paused": false, "rotation": {} },
        ] });
        let rows = "\
ID      NAME       STATE         WEBHOOK V1  WEBHOOK V2
a       First [2J  paused        -           http://h/
longer  Второй     on, rotating  http://g/   -";
        assert_eq!(table(&answer), rows);
        let none = table(&json!({ "channels": [] }));
        assert!(none.starts_with("no channels; "), "{none}");
    }

    #[test]
    fn a_failed_test_send_gives_its_reason() {
        let came = json!({ "delivered": false, "reason": "nobody listens", "status": null, "failure": "refused",
            "url": "http://h/", "address": null, "version": "v2", "took_ms": 3, "answered_ms": null, "detail": "connection refused" });
        let printed = test(&came);
        for line in [
            "delivered  no",
            "status     none (refused)",
            "took       3 ms",
            "detail     connection refused",
        ] {
            assert!(printed.lines().any(|it| it == line), "{line}: {printed}");
        }
    }
}

//! Erasures for people to read.

use serde_json::Value;

use crate::cli::table::{aligned, cell, entries, facts, table};

/// The counts of a certificate: the key and the words of each.
const COUNTS: [(&str, &str); 10] = [
    ("conversations", "conversations"),
    ("messages", "messages"),
    ("callback records", "callback_records"),
    ("contacts", "contacts"),
    ("leads", "leads"),
    ("notes", "notes"),
    ("tasks", "tasks"),
    ("users", "users"),
    ("files", "files"),
    ("masked places", "masked"),
];

/// One line for each erasure.
pub(super) fn erasures(answer: &Value) -> String {
    let columns = [
        ("ERASURE", "id"),
        ("STATE", "state"),
        ("WHAT", "what"),
        ("ACCOUNT", "account_id"),
        ("ORDERED", "ordered_at"),
        ("ENDED", "ended_at"),
    ];
    let none = "nothing was ever erased on order";
    table(answer, "erasures", columns, none)
}

/// One erasure with its certificate.
pub(super) fn erasure(it: &Value) -> String {
    let facts = facts(
        it,
        [
            ("erasure", "id"),
            ("state", "state"),
            ("what", "what"),
            ("account", "account_id"),
            ("contact", "contact_id"),
            ("ordered", "ordered_at"),
            ("ended", "ended_at"),
        ],
    );
    let mut rows: Vec<_> = facts.collect();
    if it.get("reason").is_some_and(Value::is_string) {
        rows.push(row("reason", cell(it, "reason")));
    }
    if let Some(certificate) = it.get("certificate").filter(|it| it.is_object()) {
        rows.extend(counted(certificate));
        let places = entries(certificate, "not_searched").filter_map(Value::as_str);
        rows.extend(places.map(|place| row("not searched", not_searched(place).to_owned())));
        rows.push(row("hash", cell(certificate, "hash")));
    }
    aligned(&rows)
}

/// A place that was not searched, in words.
fn not_searched(place: &str) -> &str {
    match place {
        "other_conversations" => "messages and files of other customers' conversations",
        "other_customers" => "what other customers are called and reached by",
        "names_of_the_account" => "names of users, roles, groups, channels and sources",
        other => other,
    }
}

/// The counts of a preview.
pub(super) fn preview(answer: &Value) -> String {
    let mut preview = "nothing is erased; an order would erase:\n".to_owned();
    preview.push_str(&aligned(&counted(answer)));
    preview
}

fn counted(it: &Value) -> Vec<[String; 2]> {
    let counts = it.get("counts").unwrap_or(&Value::Null);
    let records = [
        ("records erased", "erased_records"),
        ("records masked", "masked_records"),
    ];
    facts(counts, COUNTS).chain(facts(it, records)).collect()
}

fn row(name: &str, value: String) -> [String; 2] {
    [name.to_owned(), value]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_certificate_has_a_line_for_each_count() {
        let counts = json!({ "conversations": 2, "messages": 5, "callback_records": 3, "contacts": 1, "leads": 1,
            "notes": 0, "users": 0, "files": 1, "masked": 4 });
        let certificate = json!({ "counts": counts, "erased_records": 19, "masked_records": 2,
            "not_searched": ["other_conversations", "later"], "hash": "ab" });
        let printed = erasure(
            &json!({ "id": 1, "state": "done", "what": "customer", "account_id": "a", "contact_id": 7,
            "ordered_at": 1_803_193_316, "ended_at": null, "reason": null, "certificate": certificate }),
        );
        for line in [
            "erasure           1",
            "contact           7",
            "ended             -",
            "messages          5",
            "records erased    19",
            "not searched      messages and files of other customers' conversations",
            "not searched      later",
            "hash              ab",
        ] {
            assert!(
                printed.lines().any(|it| it == line),
                "{line} is not in:\n{printed}"
            );
        }
        assert_eq!(
            erasures(&json!({ "erasures": [] })),
            "nothing was ever erased on order"
        );
        let printed = preview(
            &json!({ "counts": { "messages": 5 }, "erased_records": 9, "masked_records": 0 }),
        );
        assert!(printed.starts_with("nothing is erased"), "{printed}");
    }
}

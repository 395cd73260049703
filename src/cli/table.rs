//! Answers of the service for people to read: texts without surprises, moments, columns.

use jiff::Timestamp;
use serde_json::Value;

pub(super) use crate::terminal::aligned;

/// The text for an absent value.
pub(super) const NOTHING: &str = "-";
/// The fields with moments whose names do not end with `_at`.
const MOMENTS: [&str; 2] = ["at", "since"];

/// A text of the answer, on one line and with nothing in it that a terminal would obey.
pub(super) fn text(value: &Value, key: &str) -> String {
    let text = value.get(key).and_then(Value::as_str);
    plain(text.unwrap_or_default())
}

fn plain(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    if plain.is_empty() {
        NOTHING.to_owned()
    } else {
        plain
    }
}

/// A moment in seconds, as a date and a time.
pub(super) fn time(seconds: i64) -> String {
    Timestamp::from_second(seconds).map_or(NOTHING.to_owned(), |time| time.to_string())
}

/// A field of an entry, `rights/is_admin` of an object in it: texts as they are, several behind one another, moments as a
/// date and a time, everything else as JSON has it.
pub(super) fn cell(entry: &Value, field: &str) -> String {
    let is_moment = field.ends_with("_at") || MOMENTS.contains(&field);
    match entry.pointer(&format!("/{field}")) {
        None | Some(Value::Null) => NOTHING.to_owned(),
        Some(Value::String(text)) => plain(text),
        Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
            let texts: Vec<_> = items.iter().filter_map(Value::as_str).collect();
            plain(&texts.join(", "))
        }
        Some(value) => match value.as_i64().filter(|_| is_moment) {
            Some(seconds) => time(seconds),
            None => value.to_string(),
        },
    }
}

/// The entries of a list of the answer.
pub(super) fn entries<'a>(answer: &'a Value, list: &str) -> impl Iterator<Item = &'a Value> {
    let entries = answer.get(list).and_then(Value::as_array);
    entries.into_iter().flatten()
}

/// The entries of a list, one line each, with these fields under these heads; a sentence where there are none.
pub(super) fn table<const N: usize>(
    answer: &Value,
    list: &str,
    columns: [(&str, &str); N],
    none: &str,
) -> String {
    let rows = entries(answer, list).map(|entry| columns.map(|(_, field)| cell(entry, field)));
    listed(columns.map(|(head, _)| head), rows, none)
}

/// The fields of an entry, each with its name.
pub(super) fn facts<const N: usize>(
    entry: &Value,
    fields: [(&str, &str); N],
) -> impl Iterator<Item = [String; 2]> {
    fields
        .into_iter()
        .map(|(name, field)| [name.to_owned(), cell(entry, field)])
}

/// One entry, one line for each field that it has.
pub(super) fn lines<const N: usize>(entry: &Value, fields: [(&str, &str); N]) -> String {
    let has = |field: &str| entry.pointer(&format!("/{field}")).is_some();
    let facts = facts(entry, fields)
        .zip(fields)
        .filter(|(_, (_, field))| has(field));
    aligned(&facts.map(|(fact, _)| fact).collect::<Vec<_>>())
}

/// Rows below their head; a sentence where there are none.
pub(super) fn listed<const N: usize>(
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    none: &str,
) -> String {
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return none.to_owned();
    }
    let head = head.map(str::to_owned);
    aligned(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_print_tables_and_entries_print_fields_with_values() {
        let answer = json!({ "users": [
            { "id": 1, "name": "Ada\u{1b}[2J", "rights": { "is_admin": true } },
            { "id": 12, "name": null, "rights": {} },
        ] });
        let columns = [("ID", "id"), ("NAME", "name"), ("ADMIN", "rights/is_admin")];
        let rows = "\
ID  NAME     ADMIN
1   Ada [2J  true
12  -        -";
        assert_eq!(table(&answer, "users", columns, "no users"), rows);
        let none = table(&json!({ "users": [] }), "users", columns, "no users");
        assert_eq!(none, "no users");
        let user = &answer["users"][0];
        let fields = [
            ("id", "id"),
            ("token", "token"),
            ("admin", "rights/is_admin"),
        ];
        assert_eq!(lines(user, fields), "id     1\nadmin  true");
        let token = json!({ "expires_at": 1_803_193_316, "revoked_at": null });
        assert_eq!(cell(&token, "expires_at"), "2027-02-21T07:01:56Z");
        assert_eq!(cell(&token, "revoked_at"), "-");
    }
}

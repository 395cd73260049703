//! `switchboard account`, `user`, `group`, `token`: what the operator does to accounts, their users, the groups of those,
//! and their bearer tokens.

pub(super) mod account;
pub(super) mod group;
pub(super) mod token;
pub(super) mod user;

use serde_json::{Map, Value, json};

use super::output::{CommandFailure, print, say};
use super::table::{aligned, listed, text, time};
use crate::config::program::command;

/// Puts a field into a body, if it was named.
pub(super) fn put(body: &mut Map<String, Value>, key: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        body.insert(key.to_owned(), json!(value));
    }
}

/// A body that changes something must name what.
pub(super) fn require_any_field(
    body: Map<String, Value>,
    words: &str,
) -> Result<Value, CommandFailure> {
    if body.is_empty() {
        return Err(CommandFailure::Usage(format!(
            "nothing to change\n  help: give at least one option; see  {}",
            command(&format!("{words} --help"))
        )));
    }
    Ok(Value::Object(body))
}

/// Prints the answer: as it came, or for people.
fn show(
    answer: &Value,
    json: bool,
    told: impl FnOnce(&Value) -> String,
) -> Result<(), CommandFailure> {
    if json {
        print(&answer.to_string())?;
    } else {
        print(&told(answer))?;
    }
    if answer.get("token").is_some() {
        say("keep the token: it is not shown again");
    }
    Ok(())
}

/// The entries of a list, one line each, with these fields under these heads; a sentence where there are none.
fn table<const N: usize>(
    answer: &Value,
    list: &str,
    columns: [(&str, &str); N],
    none: &str,
) -> String {
    let entries = answer.get(list).and_then(Value::as_array);
    let rows = entries.into_iter().flatten();
    let rows = rows.map(|entry| columns.map(|(_, field)| shown(entry, field)));
    listed(columns.map(|(head, _)| head), rows, none)
}

/// One entry, one line for each field that it has.
fn lines<const N: usize>(entry: &Value, fields: [(&str, &str); N]) -> String {
    let there = fields
        .iter()
        .filter(|(_, field)| entry.pointer(&pointer(field)).is_some());
    let rows = there.map(|(name, field)| [(*name).to_owned(), shown(entry, field)]);
    aligned(&rows.collect::<Vec<_>>())
}

/// A field of an entry, `rights/is_admin` of an object in it: texts as they are, moments (`…_at`) as a date and a time,
/// everything else as JSON has it.
fn shown(entry: &Value, field: &str) -> String {
    let value = entry.pointer(&pointer(field));
    let seconds = value.filter(|_| field.ends_with("_at"));
    if let Some(seconds) = seconds.and_then(Value::as_i64) {
        return time(seconds);
    }
    match value {
        None | Some(Value::Null | Value::String(_)) => {
            let (object, key) = field.rsplit_once('/').unwrap_or(("", field));
            let object = match object {
                "" => Some(entry),
                object => entry.pointer(&pointer(object)),
            };
            object.map_or_else(|| "-".to_owned(), |object| text(object, key))
        }
        Some(other) => other.to_string(),
    }
}

fn pointer(field: &str) -> String {
    format!("/{field}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_print_tables_and_entries_print_fields_with_values() {
        let answer = json!({ "users": [
            { "id": 1, "name": "Ada\u{1b}[2J", "rights": { "is_admin": true } },
            { "id": 12, "name": null, "rights": {} },
        ] });
        let columns = [("ID", "id"), ("NAME", "name"), ("ADMIN", "rights/is_admin")];
        let expected = "\
ID  NAME     ADMIN
1   Ada [2J  true
12  -        -";
        assert_eq!(table(&answer, "users", columns, "no users"), expected);
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
        assert_eq!(shown(&token, "expires_at"), "2027-02-21T07:01:56Z");
        assert_eq!(shown(&token, "revoked_at"), "-");
    }
}

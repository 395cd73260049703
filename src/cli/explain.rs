//! `switchboard explain`: the thing that an id names, asked of a running service.

use std::io::{self, Read as _};

use clap::Args;
use serde_json::{Value, json};
use switchboard_actors::domain::id::AccountId;

use super::fields::named;
use super::output::CliError;
use super::resource::Call;
use super::service::OperatorArgs;
use super::table::{NOTHING, aligned, cell, entries};

const EXAMPLES: &str = "Examples:
  switchboard explain 0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3
  switchboard explain 12 --account $ACCOUNT
  switchboard explain m-1 --conversation c-clara
  switchboard explain - < token";

/// More than any id has; the service refuses longer ones.
const BYTES_MAX: u64 = 64 << 10;

/// The facts of a match: what people read, and the field of the answer.
const FACTS: [(&str, &str); 12] = [
    ("id", "id"),
    ("other id", "twin"),
    ("name", "name"),
    ("account", "account_id"),
    ("channel", "channel_id"),
    ("scope", "scope_id"),
    ("conversation", "conversation_id"),
    ("lead", "lead_id"),
    ("contact", "contact_id"),
    ("user", "user_id"),
    ("client", "client_id"),
    ("refused", "refusal"),
];

/// Explain an id or a token: what it is, whose, and its id in the other interface
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExplainArgs {
    /// The id; - reads it from standard input, which keeps a token out of the history of the shell
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    id: String,
    /// Look in this account only
    #[arg(long, value_name = "ID")]
    account: Option<AccountId>,
    /// The conversation of a msgid, by either id
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) fn run(args: &ExplainArgs) -> Result<(), CliError> {
    let service = args.operator.service()?;
    let id = if args.id == "-" {
        standard_input().map_err(|error| CliError::failed("cannot read standard input", error))?
    } else {
        args.id.clone()
    };
    let body = named([
        ("id", json!(id)),
        ("account_id", json!(args.account)),
        ("conversation_id", json!(args.conversation)),
    ]);
    Call::post("admin/v1/explain-id", body.into(), shown)
        .with_outcome("is_known")
        .run(&service, args.operator.json)
}

fn standard_input() -> io::Result<String> {
    let mut text = String::new();
    io::stdin().take(BYTES_MAX).read_to_string(&mut text)?;
    Ok(text)
}

fn shown(answer: &Value) -> String {
    let matches: Vec<String> = entries(answer, "matches").map(one).collect();
    let mut text = if matches.is_empty() {
        "nothing has this id\n  help: a msgid is found with --conversation, and all other ids without".to_owned()
    } else {
        matches.join("\n\n")
    };
    if answer.get("is_partial") == Some(&Value::Bool(true)) {
        text.push_str("\nthere are more accounts or connections than were asked: give --account");
    }
    text
}

fn one(it: &Value) -> String {
    let kind = cell(it, "kind").replace('_', " ");
    let facts = FACTS
        .iter()
        .map(|(name, field)| [(*name).to_owned(), cell(it, field)]);
    let facts: Vec<_> = facts.filter(|[_, text]| text != NOTHING).collect();
    let heading = [["kind".to_owned(), kind]];
    aligned(&[&heading[..], &facts].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_printed_with_what_it_has() {
        let answer = json!({ "is_partial": true, "matches": [
            { "kind": "user_token", "id": null, "user_id": 7, "refusal": "expired" },
        ] });
        let text = shown(&answer);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert!(lines[0].ends_with("user token"), "{text}");
        assert!(
            lines[1].starts_with("user") && lines[1].ends_with('7'),
            "{text}"
        );
        assert!(lines[2].ends_with("expired"), "{text}");
        assert!(lines[3].ends_with("give --account"), "{text}");
        let nothing = shown(&json!({ "is_partial": false, "matches": [] }));
        assert!(nothing.starts_with("nothing has this id\n"), "{nothing}");
    }
}

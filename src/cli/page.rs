//! One page of a list: how much of it, and where the next one begins.

use clap::Args;
use serde_json::Value;

/// The part of a list that a command prints.
#[derive(Debug, Args)]
pub(super) struct PageArgs {
    /// Number of entries, at most 250
    #[arg(long, default_value_t = 50)]
    limit: u16,
    /// Start of the page: the cursor that the page before ended with
    #[arg(long)]
    cursor: Option<String>,
}

impl PageArgs {
    /// The path of the page, with these parameters of the list.
    pub(super) fn path<'a>(
        &self,
        list: &str,
        parameters: impl IntoIterator<Item = (&'a str, String)>,
    ) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("limit", &self.limit.to_string());
        for (name, value) in parameters {
            query.append_pair(name, &value);
        }
        if let Some(cursor) = &self.cursor {
            query.append_pair("cursor", cursor);
        }
        format!("{list}?{}", query.finish())
    }
}

/// A table, with a line about the next page if there is one.
pub(super) fn with_next(mut table: String, answer: &Value) -> String {
    if let Some(next) = answer.get("next").and_then(Value::as_str) {
        table.push_str(&format!("\nthere may be more:  --cursor {next}"));
    }
    table
}

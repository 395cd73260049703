//! `switchboard conversation`: the conversations that an account user sees, with the ids of both sides.

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::Value;
use switchboard_actors::domain::id::ConversationId;

use super::output::CliError;
use super::page::{PageArgs, with_next};
use super::resource::Call;
use super::service::{AccountUserArgs, Service};
use super::table::{entries, listed, text, time};
use crate::config::program::command;

const EXAMPLES: &str = "Examples:
  switchboard conversation list
  switchboard conversation list --state unread --query Clara";

const CONVERSATIONS: &str = "inbox/v1/conversations";
/// The list of an answer.
const LIST: &str = "conversations";
/// The longest excerpt of the last message, in characters.
const TEXT_MAX: usize = 40;

/// List the conversations of a running service that an account user sees
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConversationArgs {
    #[command(subcommand)]
    action: ConversationCommand,
    #[command(flatten)]
    user: AccountUserArgs,
}

#[derive(Debug, Subcommand)]
enum ConversationCommand {
    /// List conversations, newest activity first
    List(ListArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Only those in this state
    #[arg(long, value_parser = ["mine", "unread", "failed"])]
    state: Option<String>,
    /// Only those with this phone number, e-mail address, id, name or text
    #[arg(long, value_name = "TEXT")]
    query: Option<String>,
    #[command(flatten)]
    page: PageArgs,
}

pub(super) fn run(args: &ConversationArgs) -> Result<(), CliError> {
    let service = args.user.service()?;
    let ConversationCommand::List(list) = &args.action;
    Call::get(list.path(), table).run(&service, args.user.json)
}

impl ListArgs {
    fn path(&self) -> String {
        let state = self.state.clone().map(|it| ("state", it));
        let query = self.query.clone().map(|it| ("query", it));
        self.page
            .path(CONVERSATIONS, state.into_iter().chain(query))
    }
}

fn table(answer: &Value) -> String {
    let head = [
        "ID",
        "INTEGRATION'S ID",
        "CUSTOMER",
        "UNREAD",
        "ACTIVE",
        "LAST MESSAGE",
    ];
    let rows = entries(answer, LIST).map(|it| {
        let part = |name: &str| it.get(name).unwrap_or(&Value::Null);
        let last: String = text(part("last_message"), "text")
            .chars()
            .take(TEXT_MAX)
            .collect();
        [
            text(it, "id"),
            text(it, "client_id"),
            text(part("customer"), "name"),
            part("unread").to_string(),
            part("active_at").as_i64().map(time).unwrap_or_default(),
            last,
        ]
    });
    with_next(listed(head, rows, "no such conversations"), answer)
}

/// The service's id of a conversation that a person names by its id, the service's or the integration's.
pub(super) async fn find(service: &Service, named: &str) -> Result<ConversationId, CliError> {
    let unknown = || {
        CliError::Failed(format!(
            "there is no conversation with the id {named}, neither of the service nor of the integration\n  help: these are there:  {}",
            command("conversation list")
        ))
    };
    // The search finds exact ids first.
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("query", named);
    let path = format!("{CONVERSATIONS}?{}", query.finish());
    let answer = service.ask(Method::GET, &path, None).await?;
    meant(&answer, named)?.ok_or_else(unknown)
}

/// The conversation of this id among those that were found. Several channels may use the same id.
fn meant(answer: &Value, named: &str) -> Result<Option<ConversationId>, CliError> {
    let of = |key: &'static str| {
        let named_so = entries(answer, LIST)
            .filter(move |it| it.get(key).and_then(Value::as_str) == Some(named));
        named_so.filter_map(|it| it.get("id")?.as_str()?.parse().ok())
    };
    if let Some(id) = of("id").next() {
        return Ok(Some(id));
    }
    let ids: Vec<ConversationId> = of("client_id").collect();
    match ids.as_slice() {
        [] => Ok(None),
        [id] => Ok(Some(*id)),
        several => {
            let several: Vec<_> = several.iter().map(ToString::to_string).collect();
            Err(CliError::Failed(format!(
                "several conversations have the id {named}\n  help: name one by the service's id: {}",
                several.join(", ")
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_conversation_is_named_by_the_id_of_either_side() {
        let [first, second, third] =
            ["1", "2", "3"].map(|end| format!("00000000-0000-4000-8000-00000000000{end}"));
        let answer = json!({ "conversations": [
            { "id": first, "client_id": second },
            { "id": second, "client_id": "c-1" },
            { "id": third, "client_id": "c-2" },
            { "id": first, "client_id": "c-2" },
        ] });
        let id_for = |named: &str| meant(&answer, named).map(|id| id.map(|id| id.to_string()));
        assert_eq!(id_for("c-1").unwrap(), Some(second.clone()));
        assert_eq!(
            id_for(&second).unwrap(),
            Some(second),
            "the service's ids come first"
        );
        assert_eq!(id_for("c-9").unwrap(), None);
        let several = id_for("c-2").unwrap_err().to_string();
        assert!(
            several.contains(&first) && several.contains(&third),
            "{several}"
        );
    }
}

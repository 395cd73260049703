//! `switchboard erase` and `switchboard erasures`: the operator has a customer, an account or a relayed conversation erased, and sees what was.

mod print;

use std::time::Duration;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};
use switchboard_actors::domain::id::{AccountId, ChannelId, ContactId, PersonId};
use tokio::time::{Instant, sleep};

use super::fields::named;
use super::output::{CliError, print as print_line, say};
use super::resource::Call;
use super::service::{OperatorArgs, Service};

const ERASURES: &str = "admin/v1/erasures";

const EXAMPLES: &str = "Examples:
  switchboard erase customer --account af9945ff-1490-4cad-807d-945c15d88bec --contact 12 --dry-run
  switchboard erase customer --account af9945ff-1490-4cad-807d-945c15d88bec --contact 12
  switchboard erase account af9945ff-1490-4cad-807d-945c15d88bec
  switchboard erase relayed-conversation c-1 --channel shop \\
    --account af9945ff-1490-4cad-807d-945c15d88bec";

const LIST_EXAMPLES: &str = "Examples:
  switchboard erasures
  switchboard erasures 3 --json > certificate.json";

/// The pause between two looks at the state of the erasure.
const EVERY: Duration = Duration::from_millis(500);
/// The longest wait for the end. The service reads and rewrites a large journal for a while.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// Erase a customer, an account or a relayed conversation of a running service; this cannot be undone
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct EraseArgs {
    #[command(subcommand)]
    what: What,
    /// Only count what would be erased
    #[arg(long, global = true)]
    dry_run: bool,
    /// Do not wait until it is carried out
    #[arg(long, global = true, conflicts_with = "dry_run")]
    no_wait: bool,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Erase a customer: conversations, contact, leads, notes, files; mask the name elsewhere
    Customer(CustomerArgs),
    /// Erase an account with everything in it
    Account {
        /// The account
        #[arg(value_name = "ACCOUNT")]
        id: AccountId,
    },
    /// Erase a conversation whose hooks a relay took: those that were delivered, and those that wait
    RelayedConversation {
        /// The conversation, as its hooks name it
        #[arg(value_name = "CONVERSATION")]
        id: String,
        /// The channel of the relay
        #[arg(long, value_name = "CHANNEL")]
        channel: ChannelId,
        /// The account of the scope that the hooks came for
        #[arg(long, value_name = "ACCOUNT")]
        account: AccountId,
    },
}

/// The customer whose data the command erases.
#[derive(Debug, Args)]
pub(super) struct CustomerArgs {
    /// The account
    #[arg(long, value_name = "ACCOUNT")]
    pub(super) account: AccountId,
    /// The customer, by the number of the contact
    #[arg(long, value_name = "NUMBER", required_unless_present = "person")]
    pub(super) contact: Option<ContactId>,
    /// The customer, by the id of the person in the chat
    #[arg(long, value_name = "ID")]
    pub(super) person: Option<PersonId>,
}

/// List erasures, or show one with its certificate
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
pub(super) struct ErasuresArgs {
    /// Show this erasure
    #[arg(value_name = "ERASURE")]
    number: Option<u64>,
    #[command(flatten)]
    operator: OperatorArgs,
}

pub(super) fn run(args: &EraseArgs) -> Result<(), CliError> {
    let service = args.operator.service()?;
    let answer = actix_web::rt::System::new().block_on(args.act(&service))?;
    if args.operator.json {
        print_line(&answer.to_string())?;
    } else if args.dry_run {
        print_line(&print::preview(&answer))?;
    } else {
        print_line(&print::erasure(&answer))?;
    }
    match answer.get("state").and_then(Value::as_str) {
        Some("failed") => Err(CliError::Failed("nothing was erased".to_owned())),
        Some(_) | None => Ok(()),
    }
}

pub(super) fn run_list(args: &ErasuresArgs) -> Result<(), CliError> {
    let service = args.operator.service()?;
    let call = match args.number {
        Some(number) => Call::get(format!("{ERASURES}/{number}"), print::erasure),
        None => Call::list(ERASURES, print::erasures),
    };
    call.run(&service, args.operator.json)
}

impl EraseArgs {
    async fn act(&self, service: &Service) -> Result<Value, CliError> {
        let body = self.what.body();
        if self.dry_run {
            let path = format!("{ERASURES}/preview");
            return service.ask(Method::POST, &path, Some(&body)).await;
        }
        let erasure = service.ask(Method::POST, ERASURES, Some(&body)).await?;
        if self.no_wait {
            return Ok(erasure);
        }
        let number = erasure
            .get("id")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        say(&format!(
            "erasure {number} is ordered: the service completes requests in progress, erases, and goes on by itself"
        ));
        carried_out(service, number).await
    }
}

/// Waits until an erasure is carried out, also while the service does not answer.
async fn carried_out(service: &Service, number: u64) -> Result<Value, CliError> {
    let until = Instant::now() + PATIENCE;
    loop {
        let path = format!("{ERASURES}/{number}");
        let answer = service.ask(Method::GET, &path, None).await;
        let is_over = Instant::now() >= until;
        match answer {
            Ok(answer) => {
                let waits = answer.get("state").and_then(Value::as_str) == Some("waiting");
                if !waits || is_over {
                    return Ok(answer);
                }
            }
            Err(failure) if is_over => return Err(failure),
            Err(_) => {}
        }
        sleep(EVERY).await;
    }
}

impl What {
    fn body(&self) -> Value {
        match self {
            Self::Customer(customer) => Value::Object(named([
                ("what", json!("customer")),
                ("account_id", json!(customer.account)),
                ("contact_id", json!(customer.contact)),
                ("person_id", json!(customer.person)),
            ])),
            Self::Account { id } => json!({ "what": "account", "account_id": id }),
            Self::RelayedConversation {
                id,
                channel,
                account,
            } => {
                json!({ "what": "relayed_conversation", "account_id": account, "channel_id": channel,
                "conversation_id": id })
            }
        }
    }
}

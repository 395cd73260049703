//! `switchboard export`: everything that is known of one customer, as a file.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use switchboard_engine::store::disk::private;

use super::erase::CustomerArgs;
use super::output::{CliError, Stdout, say};
use super::service::OperatorArgs;

const EXAMPLES: &str = "Examples:
  switchboard export customer --account $ACCOUNT --contact 12 --to customer.jsonl
  switchboard export customer --account $ACCOUNT --contact 12 --to - | jq .kind";

/// Export what a running service knows of a customer
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExportArgs {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Export a customer as lines of JSON: messages, callbacks, contact, leads, notes, drafts
    Customer {
        #[command(flatten)]
        which: CustomerArgs,
        /// The file, which must not exist; - for the standard output
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
}

pub(super) fn run(args: &ExportArgs) -> Result<(), CliError> {
    let service = args.operator.service()?;
    let What::Customer { which, to } = &args.what;
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    if let Some(contact) = which.contact {
        query.append_pair("contact_id", &contact.to_string());
    }
    if let Some(person) = which.person {
        query.append_pair("person_id", &person.to_string());
    }
    let path = format!(
        "admin/v1/accounts/{}/customer?{}",
        which.account,
        query.finish()
    );
    if to.as_os_str() == "-" {
        let mut stdout = Stdout::open();
        let export = service.write_to(&path, &mut stdout);
        return actix_web::rt::System::new().block_on(export).map(drop);
    }
    // What is known of a customer is for the operator alone.
    let file = private::files().write(true).create_new(true).open(to);
    let cannot = |error| CliError::failed("cannot make the file", error);
    let mut file = file.map_err(cannot)?;
    let export = service.write_to(&path, &mut file);
    let bytes = match actix_web::rt::System::new().block_on(export) {
        Ok(bytes) => bytes,
        Err(failure) => {
            // Half of an export is none.
            std::fs::remove_file(to).unwrap_or_default();
            return Err(failure);
        }
    };
    say(&format!("wrote {bytes} bytes to {}", to.display()));
    Ok(())
}

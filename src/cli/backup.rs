//! `switchboard backup`: the archive of a service, and whether everything in it is right.

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};

use super::archive::{ArchiveArgs, progress};
use super::output::{CommandFailure, print};
use super::service::OperatorArgs;
use super::table::{NOTHING, aligned, time};
use crate::archive::restore::shown;
use crate::archive::verify::{Verified, verify};
use crate::exit_code::Exit;

const EXAMPLES: &str = "Examples:
  switchboard backup status
  switchboard backup now
  switchboard backup verify --from s3://bucket/switchboard";

/// Show, complete and check the archive of the service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BackupArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show how far the archive of a running service is
    Status(AskArgs),
    /// Archive everything that a running service has stored, and wait for it
    Now(AskArgs),
    /// Read everything in the archive and check it; needs no service
    Verify(VerifyArgs),
}

#[derive(Debug, Args)]
struct AskArgs {
    #[command(flatten)]
    operator: OperatorArgs,
}

#[derive(Debug, Args)]
struct VerifyArgs {
    #[command(flatten)]
    archive: ArchiveArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &BackupArgs) -> Result<(), CommandFailure> {
    match &args.action {
        Action::Status(args) => ask(args, Method::GET, "/admin/v1/archive"),
        Action::Now(args) => ask(args, Method::POST, "/admin/v1/archive/complete"),
        Action::Verify(args) => check(args),
    }
}

/// Asks the service, and fails if the archive fails or, after waiting, does not have everything.
fn ask(args: &AskArgs, method: Method, path: &str) -> Result<(), CommandFailure> {
    let service = args.operator.service()?;
    let waits = method == Method::POST;
    let asked = async { service.ask(method, path, None).await };
    let answer = actix_web::rt::System::new().block_on(asked)?;
    let text = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = |key: &str| answer.get(key).and_then(Value::as_u64).unwrap_or_default();
    if args.operator.json {
        print(&answer.to_string())?;
    } else {
        let current_at = answer.get("current_at").and_then(Value::as_i64);
        let current_at = current_at.map_or_else(|| NOTHING.to_owned(), time);
        let rows = [
            ["archive", text("to")].map(str::to_owned),
            ["state", text("state")].map(str::to_owned),
            [
                "records".to_owned(),
                format!("{} of {}", number("archived"), number("records")),
            ],
            ["files".to_owned(), number("files").to_string()],
            ["current at".to_owned(), current_at],
            [
                "epoch, entry".to_owned(),
                format!("{}, {}", number("epoch"), number("entry")),
            ],
        ];
        print(&aligned(&rows))?;
    }
    let is_complete = answer.get("complete").and_then(Value::as_bool);
    match answer.get("trouble").and_then(Value::as_str) {
        Some(trouble) => Err(CommandFailure::Failed(trouble.to_owned())),
        None if !waits || is_complete == Some(true) => Ok(()),
        None => Err(CommandFailure::Failed(
            "not everything is archived yet; run the command again".to_owned(),
        )),
    }
}

fn check(args: &VerifyArgs) -> Result<(), CommandFailure> {
    let opened = args.archive.open()?;
    let mut shown_progress = None;
    let mut hear = |done, total| {
        progress(&mut shown_progress, done, total, || "checked".to_owned());
    };
    let verified = verify(&*opened.store, &opened.url, &mut hear);
    if let Some(progress) = &mut shown_progress {
        progress.clear();
    }
    match verified {
        Ok(found) if args.json => print(&document(&opened.url, &found).to_string()),
        Ok(found) => print(&text(&found)),
        Err(failure) if !failure.is_damage() => {
            Err(CommandFailure::failed("cannot check", failure))
        }
        Err(failure) if args.json => {
            let told = json!({ "archive": opened.url, "verdict": "damaged", "reason": failure.to_string() });
            print(&told.to_string())?;
            Err(CommandFailure::Found(Exit::DataDamaged))
        }
        Err(failure) => {
            print(&format!("damaged: {failure}"))?;
            Err(CommandFailure::Found(Exit::DataDamaged))
        }
    }
}

fn text(found: &Verified) -> String {
    let until = found
        .time
        .map_or_else(String::new, |time| format!(", up to {}", shown(time)));
    let mut lines = vec![format!(
        "right: {} records in {} entries and {} volumes{until}; {} epochs; {} files; {} bytes",
        found.records, found.entries, found.volumes, found.epochs, found.files, found.bytes
    )];
    if found.superseded > 0 {
        lines.push(format!(
            "{} entries do not count: the service was restored to a moment before them",
            found.superseded
        ));
    }
    if found.replaced > 0 {
        lines.push(format!("erasures have replaced {} entries", found.replaced));
    }
    lines.join("\n")
}

fn document(archive: &str, found: &Verified) -> Value {
    json!({
        "archive": archive,
        "verdict": "right",
        "records": found.records,
        "entries": found.entries,
        "volumes": found.volumes,
        "epochs": found.epochs,
        "superseded": found.superseded,
        "replaced": found.replaced,
        "files": found.files,
        "bytes": found.bytes,
        "newest_entry_at": found.time.map(shown),
    })
}

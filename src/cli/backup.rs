//! `switchboard backup`: the archive of a service, and whether everything in it is right.

use std::time::Duration;

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::{Value, json};

use super::archive::{ArchiveArgs, progress};
use super::output::{CliError, print, say};
use super::service::OperatorArgs;
use super::table::{NOTHING, aligned, time};
use crate::exit_code::Exit;
use crate::media_layout::MediaLayout;
use switchboard_replication::archive::{Verified, verify};
use switchboard_replication::archive::{advice, shown};

const EXAMPLES: &str = "Examples:
  switchboard backup status
  switchboard backup now
  switchboard backup repair
  switchboard backup verify --from s3://bucket/switchboard";

/// Show, complete, check and repair the archive of the service
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BackupArgs {
    #[command(subcommand)]
    action: BackupCommand,
}

#[derive(Debug, Subcommand)]
enum BackupCommand {
    /// Show how far the archive of a running service is
    Status(AskArgs),
    /// Archive everything that a running service has stored, and wait for it
    Now(AskArgs),
    /// Read everything in the archive and check it; needs no service
    Verify(VerifyArgs),
    /// Let a running service write again what its archive lacks, from its data directory
    Repair(AskArgs),
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

pub(super) fn run(args: &BackupArgs) -> Result<(), CliError> {
    match &args.action {
        BackupCommand::Status(args) => ask(args, Method::GET, "/admin/v1/archive"),
        BackupCommand::Now(args) => ask(args, Method::POST, "/admin/v1/archive/complete"),
        BackupCommand::Verify(args) => check(args),
        BackupCommand::Repair(args) => repair(args),
    }
}

/// The pause between two looks at a repair that goes on.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Orders a repair, waits until it is done, and lets the archive go on.
fn repair(args: &AskArgs) -> Result<(), CliError> {
    let service = args.operator.service()?;
    let repaired = async {
        let mut answer = service
            .ask(Method::POST, "/admin/v1/archive/repair", None)
            .await?;
        while state_of(&answer) == Some("running") {
            actix_web::rt::time::sleep(LOOK_EVERY).await;
            answer = service.ask(Method::GET, "/admin/v1/archive", None).await?;
        }
        let repair = answer.get("repair").cloned().unwrap_or_default();
        let is_done = state_of(&answer) == Some("done");
        if is_done {
            // The archive goes on behind what was repaired.
            answer = service
                .ask(Method::POST, "/admin/v1/archive/complete", None)
                .await?;
        }
        Ok::<_, CliError>((repair, answer))
    };
    let (repair, answer) = actix_web::rt::System::new().block_on(repaired)?;
    if args.operator.json {
        print(&repair.to_string())?;
    }
    if let Some(reason) = word_of(&repair, "reason") {
        return Err(CliError::Failed(format!("not repaired: {reason}")));
    }
    if word_of(&repair, "state") != Some("done") {
        let trouble = word_of(&answer, "trouble").unwrap_or("the archive has stopped");
        return Err(CliError::Failed(format!("not repaired: {trouble}")));
    }
    let number = |key: &str| repair.get(key).and_then(Value::as_u64).unwrap_or_default();
    if !args.operator.json {
        print(&format!(
            "written again: {} objects and {} files",
            number("objects"),
            number("files")
        ))?;
    }
    if let Some(trouble) = word_of(&answer, "trouble") {
        return Err(CliError::Failed(trouble.to_owned()));
    }
    let unrepaired: Vec<_> = repair
        .get("left")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for object in &unrepaired {
        say(&format!(
            "still damaged, and not in the data directory: {object}"
        ));
    }
    if unrepaired.is_empty() {
        Ok(())
    } else {
        Err(CliError::Found(Exit::DataDamaged))
    }
}

/// The state of the repair, from the response.
fn state_of(answer: &Value) -> Option<&str> {
    word_of(answer.get("repair")?, "state")
}

fn word_of<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str()
}

/// Asks the service, and fails if the archive fails or, after waiting, does not have everything.
fn ask(args: &AskArgs, method: Method, path: &str) -> Result<(), CliError> {
    let service = args.operator.service()?;
    let waits = method == Method::POST;
    let response = async { service.ask(method, path, None).await };
    let answer = actix_web::rt::System::new().block_on(response)?;
    let text = |key: &str| answer.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = |key: &str| answer.get(key).and_then(Value::as_u64).unwrap_or_default();
    if args.operator.json {
        print(&answer.to_string())?;
    } else {
        let current_at = answer
            .get("current_at")
            .and_then(Value::as_i64)
            .map_or_else(|| NOTHING.to_owned(), time);
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
        Some(trouble) => Err(CliError::Failed(trouble.to_owned())),
        None if !waits || is_complete == Some(true) => Ok(()),
        None => Err(CliError::Failed(
            "not everything is archived yet; run the command again".to_owned(),
        )),
    }
}

fn check(args: &VerifyArgs) -> Result<(), CliError> {
    let archive = args.archive.open()?;
    let mut shown_progress = None;
    let mut hear = |done, total| {
        progress(&mut shown_progress, done, total, || "checked".to_owned());
    };
    let verified = verify(&*archive.store, &archive.url, &MediaLayout, &mut hear);
    if let Some(progress) = &mut shown_progress {
        progress.clear();
    }
    let report = verified.map_err(|failure| CliError::failed("cannot check", failure))?;
    let output = if args.json {
        document(&archive.url, &report).to_string()
    } else {
        text(&report)
    };
    print(&output)?;
    if report.damage.is_empty() {
        Ok(())
    } else {
        Err(CliError::Found(Exit::DataDamaged))
    }
}

/// The last record that can be restored in spite of damage; `None`: all of them.
fn restorable(found: &Verified) -> Option<u64> {
    (!found.restores_all).then_some(found.records)
}

/// The advice for this damage.
fn remedy(found: &Verified) -> String {
    match restorable(found) {
        Some(last) => advice(last),
        None => {
            "while the service has its data directory, `switchboard backup repair` writes it again"
                .to_owned()
        }
    }
}

fn verdict(found: &Verified) -> &'static str {
    if found.damage.is_empty() {
        "right"
    } else {
        "damaged"
    }
}

fn text(found: &Verified) -> String {
    let until = found
        .time
        .map_or_else(String::new, |time| format!(", up to {}", shown(time)));
    let verdict = verdict(found);
    let mut lines = vec![format!(
        "{verdict}: {} records in {} entries and {} volumes{until}; {} epochs; {} files; {} bytes",
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
    if !found.damage.is_empty() {
        lines.extend(found.damage.iter().map(|it| format!("damaged: {it}")));
        lines.push(format!("what to do: {}", remedy(found)));
    }
    lines.join("\n")
}

fn document(archive: &str, found: &Verified) -> Value {
    json!({
        "archive": archive,
        "verdict": verdict(found),
        "records": found.records,
        "entries": found.entries,
        "volumes": found.volumes,
        "epochs": found.epochs,
        "superseded": found.superseded,
        "replaced": found.replaced,
        "files": found.files,
        "bytes": found.bytes,
        "newest_entry_at": found.time.map(shown),
        "damaged": found.damage,
        "advice": (!found.damage.is_empty()).then(|| remedy(found)),
        "restorable_record": restorable(found),
    })
}

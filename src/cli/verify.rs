//! `switchboard verify`: reads everything in a data directory that no service uses, and says what is right, torn or
//! damaged, whose it was, and what to do.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use switchboard_actors::System;
use switchboard_actors::system::verify::MovedIndex;
use switchboard_engine::store::verify::{
    self, Damage, FileReport, FileState, Touched, VerifyReport,
};

use super::data;
use super::output::{CliError, print, say};
use super::progress::Progress;
use crate::config::load::environment;
use crate::config::{Overrides, Settings};
use crate::config_file;
use crate::exit_code::{self, Exit};
use crate::serve::lock;
use crate::terminal::aligned;

const EXAMPLES: &str = "Examples:
  switchboard verify --data-dir /var/lib/switchboard
  switchboard verify --json | jq '.files[] | select(.state == \"damaged\")'
  switchboard verify --rebuild-index";

/// Check the data directory of a stopped service
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct VerifyArgs {
    /// The configuration [default: config.toml, else the one in /etc/switchboard]
    #[arg(env = crate::variables::CONFIG, long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The data directory [store.path]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<String>,
    /// Move the index aside first, so that the next start rebuilds it from the journal; not if the journal is damaged
    #[arg(long)]
    rebuild_index: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", exit_code::help_of_verify())
}

pub(super) fn run(args: &VerifyArgs) -> Result<(), CliError> {
    let directory = directory(args)?;
    let place = directory.display();
    if !directory.is_dir() {
        return Err(CliError::Failed(format!(
            "there is no data directory {place}\n  help: name it with --data-dir"
        )));
    }
    data::refuse_nothing(&directory)?;
    // Held to the end: a service that starts meanwhile would write what is being read.
    let _locked = lock::take(&directory).map_err(|error| CliError::Failed(format!("{error:#}")))?;
    let failed = |error: &dyn std::fmt::Display| CliError::failed("cannot check", error);
    let mut shown_progress = None;
    let mut hear = |at: &verify::VerifyProgress| {
        let progress = shown_progress.get_or_insert_with(|| Progress::new(at.total));
        progress.at(at.done, |_elapsed: Duration| at.file.clone());
    };
    let aside = if args.rebuild_index {
        let aside = System::move_index_aside(&directory, &mut hear);
        Some(aside.map_err(|error| failed(&error))?)
    } else {
        None
    };
    let report = data::verify(&directory, &mut hear);
    if let Some(progress) = &mut shown_progress {
        progress.clear();
    }
    let report = report?;
    if args.json {
        print(&document(&directory, &report, aside.as_ref()).to_string())?;
    } else {
        say_where(aside.as_ref());
        print(&text(&report))?;
    }
    match report.verdict() {
        FileState::Sound | FileState::Other | FileState::Torn => Ok(()),
        FileState::Rebuildable => Err(CliError::Found(Exit::IndexDamaged)),
        FileState::Damaged => Err(CliError::Found(Exit::DataDamaged)),
    }
}

fn say_where(aside: Option<&MovedIndex>) {
    match aside {
        Some(MovedIndex::Moved(places)) => {
            for place in places {
                say(&format!("moved aside: {place}"));
            }
        }
        Some(MovedIndex::Kept(damaged)) => say(&format!(
            "the index stays where it is: a damaged journal ({}) cannot rebuild it, and it shows what is missing",
            damaged.join(", ")
        )),
        None => {}
    }
}

fn directory(args: &VerifyArgs) -> Result<PathBuf, CliError> {
    if let Some(directory) = &args.data_dir {
        return Ok(PathBuf::from(directory));
    }
    let config = config_file::find(args.config.as_deref());
    let settings = Settings::load(config.as_deref(), &environment(), Overrides::default())?;
    Ok(settings.store.path)
}

fn word(state: FileState) -> &'static str {
    match state {
        FileState::Sound => "right",
        FileState::Other => "other",
        FileState::Torn => "torn",
        FileState::Rebuildable => "rebuildable",
        FileState::Damaged => "damaged",
    }
}

/// The report for a person: a line for each file, more for those that something is wrong with, and the sum at the
/// end.
fn text(report: &VerifyReport) -> String {
    let row = |file: &FileReport| {
        [
            file.file.clone(),
            file.bytes.to_string(),
            word(file.state).to_owned(),
            file.note.clone(),
        ]
    };
    let rows: Vec<_> = report.files.iter().map(row).collect();
    let table = aligned(&rows);
    let mut lines = Vec::new();
    for (line, file) in table.lines().zip(&report.files) {
        lines.push(line.to_owned());
        for damage in &file.damage {
            lines.push(format!("  offset {}, {}", damage.offset, what(damage)));
            lines.extend(
                damage
                    .touched
                    .iter()
                    .map(|it| format!("  touched: {}", whose(it))),
            );
            lines.push(format!("  what to do: {}", damage.advice));
        }
    }
    let count = |state| report.files.iter().filter(|it| it.state == state).count();
    let records = match (report.records, report.erased) {
        (records, 0) => format!("{records} records"),
        (records, erased) => format!("{records} records with {erased} records erased"),
    };
    lines.push(match report.verdict() {
        FileState::Sound | FileState::Other => format!("right: {records}, nothing is damaged"),
        FileState::Torn => format!(
            "right: {records}, nothing is damaged; the next start cuts off a write that never finished"
        ),
        FileState::Rebuildable => format!(
            "only the index is damaged: {records}, none is lost"
        ),
        FileState::Damaged => format!(
            "damaged: {} of {} files; {records} can be read",
            count(FileState::Damaged),
            report.files.len()
        ),
    });
    lines.join("\n")
}

fn what(damage: &Damage) -> String {
    let records = match damage.records {
        Some((first, last)) if first == last => format!("; record {} cannot be used", first.0),
        Some((first, last)) => format!("; records {} to {} cannot be used", first.0, last.0),
        None => String::new(),
    };
    format!("{} bytes: {}{records}", damage.bytes, damage.reason)
}

fn whose(touched: &Touched) -> String {
    let account = touched
        .owner
        .as_ref()
        .map_or_else(String::new, |account| format!(" of account {account}"));
    let probably = if touched.certain {
        ""
    } else {
        " (by what can still be read of the damaged bytes)"
    };
    format!("{}{account}{probably}", touched.stream)
}

fn document(directory: &Path, report: &VerifyReport, aside: Option<&MovedIndex>) -> Value {
    let (moved, kept) = match aside {
        Some(MovedIndex::Moved(places)) => (places.as_slice(), None),
        Some(MovedIndex::Kept(damaged)) => (&[][..], Some(damaged)),
        None => (&[][..], None),
    };
    let touched = |it: &Touched| json!({ "stream": it.stream, "account_id": it.owner, "certain": it.certain });
    let damage = |it: &Damage| {
        json!({
            "offset": it.offset,
            "bytes": it.bytes,
            "reason": it.reason,
            "first_record": it.records.map(|records| records.0.0),
            "last_record": it.records.map(|records| records.1.0),
            "touched": it.touched.iter().map(touched).collect::<Vec<_>>(),
            "advice": it.advice,
        })
    };
    let file = |it: &FileReport| {
        json!({
            "file": it.file,
            "bytes": it.bytes,
            "state": word(it.state),
            "note": it.note,
            "damage": it.damage.iter().map(damage).collect::<Vec<_>>(),
        })
    };
    json!({
        "directory": directory.display().to_string(),
        "verdict": word(report.verdict()),
        "records": report.records,
        "erased": report.erased,
        "moved_aside": moved,
        "index_kept_because_of": kept,
        "files": report.files.iter().map(file).collect::<Vec<_>>(),
    })
}

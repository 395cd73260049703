//! `switchboard restore`: a data directory of an archive; with `--check` alone, a drill.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use jiff::Timestamp;
use serde_json::json;
use switchboard_actors::{ReplayWatch, Replayed, System, SystemConfig, Threads};
use switchboard_engine::store::verify::FileState;
use switchboard_engine::time::UnixMillis;

use super::archive::{ArchiveArgs, progress};
use super::data;
use super::output::{CliError, print, say};
use crate::exit_code::Exit;
use crate::media_layout::MediaLayout;
use crate::serve::lock;
use switchboard_replication::archive::{Restore, Restored, Step, Upto, shown};

const EXAMPLES: &str = "Examples:
  switchboard restore --from file:///mnt/backup/switchboard --to data
  switchboard restore --to data --at 2026-11-25T12:00:00Z
  switchboard restore --check
";

/// The size of a file of the restored journal.
const SEGMENT_BYTES: u64 = 64 << 20;

/// Make a data directory of an archive
///
/// The archive is only read. The next start of a service on the data directory goes on with the archive; a process that still
/// archives to it stops then. Without --to, --check restores into a temporary directory and removes it: a restore drill.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RestoreArgs {
    #[command(flatten)]
    archive: ArchiveArgs,
    /// The data directory to make
    #[arg(long, value_name = "DIR", required_unless_present = "check")]
    to: Option<PathBuf>,
    /// Restore what was archived by this time, as in 2026-11-25T12:00:00Z [default: everything]
    #[arg(long, value_name = "TIME", conflicts_with = "record")]
    at: Option<Timestamp>,
    /// Restore up to this record of the journal [default: everything]
    #[arg(long, value_name = "NUMBER")]
    record: Option<u64>,
    /// Check everything in the data directory afterwards, as `switchboard verify` does
    #[arg(long)]
    check: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &RestoreArgs) -> Result<(), CliError> {
    let archive = args.archive.open()?;
    let failed = |error: &dyn std::fmt::Display| CliError::failed("cannot restore", error);
    let (to, _drill) = match &args.to {
        Some(to) => (to.clone(), None),
        None => {
            let drill = tempfile::tempdir().map_err(|error| failed(&error))?;
            (drill.path().join("data"), Some(drill))
        }
    };
    let restore = Restore {
        files: &MediaLayout,
        store: &*archive.store,
        from: &archive.url,
        to: &to,
        upto: upto(args),
        segment_bytes: SEGMENT_BYTES,
    };
    let mut shown_progress = None;
    let mut hear = |step: Step| {
        progress(&mut shown_progress, step.done, step.total, || {
            format!("{} records", step.records)
        });
    };
    let restored = restore.run(&mut hear);
    if let Some(progress) = &mut shown_progress {
        progress.clear();
    }
    let restored = match restored {
        Ok(restored) => restored,
        Err(failure) if failure.is_damage() => {
            if args.json {
                let report = json!({
                    "data_dir": null,
                    "reason": failure.to_string(),
                    "restorable_record": failure.restorable(),
                });
                print(&report.to_string())?;
            }
            say(&failed(&failure).to_string());
            return Err(CliError::Found(Exit::DataDamaged));
        }
        Err(failure) => return Err(failed(&failure)),
    };
    if args.to.is_some() {
        index(&to);
    }
    let damage = if args.check { damage(&to)? } else { Vec::new() };
    tell(args, &restored, &damage)?;
    if damage.is_empty() {
        Ok(())
    } else {
        Err(CliError::Found(Exit::DataDamaged))
    }
}

fn upto(args: &RestoreArgs) -> Upto {
    match (args.at, args.record) {
        // Before 1970 there was no archive.
        (Some(at), _) => Upto::Time(UnixMillis::new(at.as_millisecond().max(0).unsigned_abs())),
        (None, Some(record)) => Upto::Record(record),
        (None, None) => Upto::Newest,
    }
}

/// Builds the index of the data directory, so that the first start finds it. Without it, that start builds it.
fn index(directory: &Path) {
    let line = Mutex::new(None);
    let watch = ReplayWatch::new(move |replayed: Replayed| {
        let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
        progress(&mut line, replayed.seq.0, replayed.last.0, || {
            format!("index: {} of {} records", replayed.seq.0, replayed.last.0)
        });
        if replayed.seq == replayed.last
            && let Some(progress) = &mut *line
        {
            progress.clear();
        }
    });
    let config = SystemConfig {
        threads: Threads::Own(1),
        replay_watch: watch,
        ..SystemConfig::default()
    };
    let outcome = lock::take(directory)
        .map_err(|error| format!("{error:#}"))
        .and_then(|_locked| {
            System::catch_up(directory, &config).map_err(|error| error.to_string())
        });
    if let Err(why) = outcome {
        say(&format!(
            "the index is not built ({why}); the first start builds it"
        ));
    }
}

/// Returns what is damaged in the data directory.
fn damage(directory: &Path) -> Result<Vec<String>, CliError> {
    let _locked = lock::take(directory).map_err(|error| CliError::Failed(format!("{error:#}")))?;
    let report = data::verify(directory, &mut |_| {})?;
    let wrong = report
        .files
        .iter()
        .filter(|file| file.state == FileState::Damaged);
    Ok(wrong.map(|file| file.file.clone()).collect())
}

fn tell(args: &RestoreArgs, restored: &Restored, damage: &[String]) -> Result<(), CliError> {
    let until = restored.time.map(shown);
    if args.json {
        let report = json!({
            "data_dir": args.to.as_ref().map(|to| to.display().to_string()),
            "records": restored.records,
            "archived_at": until,
            "files": restored.files,
            "checked": args.check,
            "damaged": damage,
        });
        return print(&report.to_string());
    }
    let place = args.to.as_ref().map_or_else(
        || "a temporary directory, which is removed".to_owned(),
        |to| to.display().to_string(),
    );
    let until = until.map_or_else(String::new, |until| format!(", up to {until}"));
    let (records, files) = (restored.records, restored.files);
    let check = match (args.check, damage) {
        (false, _) => String::new(),
        (true, []) => "; checked, and right".to_owned(),
        (true, _) => format!("; damaged: {}", damage.join(", ")),
    };
    print(&format!(
        "restored: {records} records{until}, and {files} files, into {place}{check}"
    ))?;
    if args.to.is_some() {
        say(
            "start a service on it with --data-dir, or move it to where store.path of the configuration leads",
        );
    }
    Ok(())
}

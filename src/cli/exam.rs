//! `switchboard exam`: plays the counterpart at its worst against a program, and judges it rule by rule.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use switchboard_engine::store::disk::whole_file;
use switchboard_exam::examinee::Examinee;
use switchboard_exam::report::{Tally, headline, html, json, junit, lines};
use switchboard_exam::run::{ExamOptions, RuleReport, rules, run as run_exam};

use super::output::{CliError, print, say};

const EXAMPLES: &str = "Examples:
  switchboard exam --command \"node bridge.mjs\"
  switchboard exam --command \"python3 bridge.py\" --only 9,28 --html exam.html
  switchboard exam --command \"./bridge\" --waive 25=\"no buttons yet\" --junit exam.xml --strict
  switchboard exam --list

Exit codes:
  0  no rule is broken
  1  a rule is broken, or the exam itself cannot run; with --strict, also when a rule warns or was not tried
  2  the flags are invalid";

/// Examine an integration: play the counterpart at its worst, and judge rule by rule
///
/// Each rule has a world of its own. The exam starts the program in it, with the variables of scenario files
/// (`SWITCHBOARD_URL` and others) and `SWITCHBOARD_EXAM_DIRECTORY`, a directory that outlives its restarts. Then it sends
/// callbacks twice, loses answers, kills the program, and looks at what the program has done.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExamArgs {
    /// The program and its arguments, separated by spaces
    #[arg(long, value_name = "COMMAND", required_unless_present = "list")]
    command: Option<String>,
    /// The path of the program's address for callbacks
    #[arg(long, value_name = "PATH", default_value = "/")]
    path: String,
    /// Try only these rules
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    only: Vec<u8>,
    /// Do not try a rule, for this reason
    #[arg(long, value_name = "NUMBER=REASON", value_parser = waiver)]
    waive: Vec<Waiver>,
    /// Fail for warnings and for rules that were not tried too
    #[arg(long)]
    strict: bool,
    /// The seed of the worlds: the same one gives the same ids and secrets in one process
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// The number of rules that are tried at once
    #[arg(long, value_name = "NUMBER", default_value_t = 8)]
    jobs: usize,
    /// Write a page for people to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write an XML report for continuous integration to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a document for programs to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// List the rules, and try none
    #[arg(long)]
    list: bool,
}

/// A rule that is not tried.
#[derive(Clone, Debug)]
struct Waiver {
    number: u8,
    reason: String,
}

fn waiver(text: &str) -> Result<Waiver, String> {
    let (number, reason) = text
        .split_once('=')
        .filter(|(_, reason)| !reason.trim().is_empty())
        .ok_or("expected a number and a reason, as in 25=\"no buttons yet\"")?;
    Ok(Waiver {
        number: number.trim().parse().map_err(|why| format!("{why}"))?,
        reason: reason.to_owned(),
    })
}

pub(super) fn run(args: &ExamArgs) -> Result<(), CliError> {
    if args.list {
        return list();
    }
    let waivers: BTreeMap<u8, String> = args
        .waive
        .iter()
        .map(|waiver| (waiver.number, waiver.reason.clone()))
        .collect();
    let named: Vec<u8> = args.only.iter().chain(waivers.keys()).copied().collect();
    let unknown: Vec<String> = named
        .into_iter()
        .filter(|number| !rules().any(|rule| rule.number == *number))
        .map(|number| number.to_string())
        .collect();
    if !unknown.is_empty() {
        return Err(CliError::Usage(format!(
            "there is no rule {}: «switchboard exam --list» lists them",
            unknown.join(", ")
        )));
    }
    let command = args.command.clone().unwrap_or_default();
    let Some(examinee) = Examinee::from_command_line(&command, &args.path) else {
        return Err(CliError::Usage("--command names no program".to_owned()));
    };
    let options = ExamOptions {
        only: args.only.clone(),
        waivers,
        seed: args.seed,
        jobs: args.jobs,
    };
    let reports = run_exam(&examinee, &options, progress)
        .map_err(|why| CliError::failed("the exam cannot run", format!("{why:#}")))?;
    print(&headline(&reports))?;
    for line in lines(&reports) {
        print(&line)?;
    }
    write(args.html.as_deref(), || html(&command, &reports))?;
    write(args.junit.as_deref(), || junit(&reports, args.strict))?;
    write(args.json.as_deref(), || format!("{:#}\n", json(&reports)))?;
    if Tally::count(&reports).passes(args.strict) {
        Ok(())
    } else {
        Err(CliError::Told)
    }
}

fn list() -> Result<(), CliError> {
    for rule in rules() {
        print(&format!("{:>2}  {}", rule.number, rule.title))?;
    }
    Ok(())
}

/// Says how a rule ended.
fn progress(report: &RuleReport) {
    say(&format!(
        "{:<9} {:>2}  {} ({:.1} s)",
        report.verdict.word(),
        report.rule.number,
        report.rule.title,
        report.took.as_secs_f64()
    ));
}

fn write(path: Option<&Path>, document: impl FnOnce() -> String) -> Result<(), CliError> {
    let Some(path) = path else { return Ok(()) };
    whole_file::write(path, document(), whole_file::READABLE)
        .map_err(|why| CliError::failed(&format!("cannot write {}", path.display()), why))
}

//! `switchboard exam`: plays the counterpart at its worst against a program, and judges it rule by rule.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::Timestamp;
use switchboard_engine::store::disk::whole_file;
use switchboard_exam::examinee::{Examinee, HOOKS_PATH, MEMORY};
use switchboard_exam::report::{Tally, badge, headline, html, json, junit, lines};
use switchboard_exam::role::Profile;
use switchboard_exam::run::{ExamOptions, RuleReport, rules, run as run_exam, variables};

use super::dev::read_worlds_key;
use super::output::{CliError, complain, print, say};
use crate::exit_code::Exit;

const EXAMPLES: &str = "Examples:
  switchboard exam --command \"node bridge.mjs\"
  switchboard exam --command \"python3 bridge.py\" --only 9,28 --html exam.html
  switchboard exam --command \"./bridge\" --waive 25=\"no buttons yet\" --junit exam.xml --strict
  switchboard exam --webhook http://127.0.0.1:9000/in --worlds-key worlds.key    it runs already
  switchboard exam --list

Exit codes:
  0  no rule is broken
  1  a rule is broken; with --strict, also when a rule warns or was not tried
  2  the flags are invalid, or the exam itself could not run";

/// The longest time until a program that runs already accepts connections: a person may start it meanwhile.
const STARTS_WITHIN: Duration = Duration::from_secs(600);

/// Examine an integration: play the counterpart at its worst, and judge rule by rule
///
/// Each rule has a world of its own. The exam starts the program in it, with the variables of scenario files
/// (`SWITCHBOARD_URL` and others) and `SWITCHBOARD_EXAM_DIRECTORY`, a directory that outlives its restarts. Then it sends
/// callbacks twice, loses answers, kills the program, and looks at what the program has done.
///
/// With `--webhook` the program runs already. The exam says the values that it has to have, which are the same each time with
/// one key, seed and port, and waits until it accepts connections. Rules that must start or kill it are not tried.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExamArgs {
    /// The program and its arguments, separated by spaces
    #[arg(long, value_name = "COMMAND", required_unless_present_any = ["webhook", "list"])]
    command: Option<String>,
    /// The address for callbacks of a bridge that runs already, on this machine
    #[arg(
        long,
        value_name = "URL",
        conflicts_with_all = ["command", "path", "hooks_path", "jobs", "memory"],
        requires = "worlds_key"
    )]
    webhook: Option<String>,
    /// With --webhook: the file from which the secrets of the worlds follow, of 16 to 4,096 bytes
    #[arg(
        long,
        value_name = "FILE",
        requires = "webhook",
        conflicts_with = "command"
    )]
    worlds_key: Option<PathBuf>,
    /// With --webhook: the port of the worlds, the same for each rule
    #[arg(
        long,
        value_name = "PORT",
        conflicts_with = "command",
        default_value_t = 18_080
    )]
    world_port: u16,
    #[command(flatten)]
    paths: PathArgs,
    /// bridge: it gets callbacks of a channel; bot: it gets hooks of the account; both
    #[arg(long, value_name = "PROFILE", default_value = "bridge", value_parser = profiles())]
    profile: Profile,
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
    /// The most memory that the program and all that it starts may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = MEMORY >> 20, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Write a page for people to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write an XML report for continuous integration to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a document for programs to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write an image with the version, the profile, the date and the numbers to this file
    #[arg(long, value_name = "FILE")]
    badge: Option<PathBuf>,
    /// List the rules, and try none
    #[arg(long)]
    list: bool,
}

/// The paths of the program.
#[derive(Debug, Args)]
pub(super) struct PathArgs {
    /// The path of the program's address for callbacks; `:scope_id` in it stands for the scope
    #[arg(long, value_name = "PATH", default_value = "/")]
    pub(super) path: String,
    /// The path and perhaps the query of the program's address for hooks, which the exam subscribes
    #[arg(long, value_name = "PATH", default_value = HOOKS_PATH, value_parser = hooks_path)]
    pub(super) hooks_path: String,
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    let words = PossibleValuesParser::new(Profile::WORDS);
    words.try_map(|word| word.parse())
}

fn hooks_path(text: &str) -> Result<String, String> {
    let is_plain = text
        .chars()
        .all(|sign| sign.is_ascii_graphic() && sign != '#');
    if text.starts_with('/') && is_plain {
        return Ok(text.to_owned());
    }
    Err("expected a path that begins with a slash, without blanks and without #".to_owned())
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
        return list(args.profile);
    }
    // With 1, a program breaks a rule.
    examine(args).map_err(|error| {
        if !matches!(error, CliError::Failed(_)) {
            return error;
        }
        complain(&error.to_string());
        CliError::Found(Exit::NotExamined)
    })
}

/// Runs the exam, and writes its reports.
fn examine(args: &ExamArgs) -> Result<(), CliError> {
    let waivers: BTreeMap<u8, String> = args
        .waive
        .iter()
        .map(|waiver| (waiver.number, waiver.reason.clone()))
        .collect();
    let examinee = examinee(args)?;
    let options = ExamOptions {
        profile: args.profile,
        only: args.only.clone(),
        waivers,
        seed: args.seed,
        jobs: args.jobs,
    };
    let problems = options.problems();
    if !problems.is_empty() {
        let problems = problems.join("; ");
        return Err(CliError::Usage(format!(
            "{problems}. «switchboard exam --list --profile both» lists the rules"
        )));
    }
    await_program(&examinee, &options)?;
    let reports = run_exam(&examinee, &options, progress)
        .map_err(|why| CliError::failed("the exam cannot run", format!("{why:#}")))?;
    let name = args
        .command
        .as_deref()
        .or(args.webhook.as_deref())
        .unwrap_or_default();
    write_reports(args, name, &reports)?;
    match print_report(&reports) {
        // The reader has closed the output, and the exit code still says how the exam ended.
        Ok(()) | Err(CliError::Unread) if !Tally::count(&reports).passes(args.strict) => {
            Err(CliError::Told)
        }
        outcome => outcome,
    }
}

fn print_report(reports: &[RuleReport]) -> Result<(), CliError> {
    print(&headline(reports))?;
    lines(reports).iter().try_for_each(|line| print(line))
}

/// The program that the flags name.
fn examinee(args: &ExamArgs) -> Result<Examinee, CliError> {
    if let (Some(url), Some(path)) = (&args.webhook, &args.worlds_key) {
        if args.profile != Profile::Bridge {
            let why = "--webhook is for bridges: a bot needs an OAuth code of each world, so give its --command";
            return Err(CliError::Usage(why.to_owned()));
        }
        let examinee = Examinee::from_webhook(url, args.world_port, read_worlds_key(path)?);
        return examinee.map_err(|why| CliError::Usage(format!("--webhook: {why}")));
    }
    let command = args.command.as_deref().unwrap_or_default();
    let Some(program) = Examinee::from_command_line(command) else {
        return Err(CliError::Usage("--command names no program".to_owned()));
    };
    Ok(Examinee {
        path: args.paths.path.clone(),
        hooks_path: args.paths.hooks_path.clone(),
        memory: args.memory << 20,
        ..program
    })
}

/// Says the values that a program that runs already has to have, and waits until it accepts connections.
fn await_program(examinee: &Examinee, options: &ExamOptions) -> Result<(), CliError> {
    let Some(program) = examinee.running() else {
        return Ok(());
    };
    let failed = |why: String| CliError::failed("the exam cannot run", why);
    say("The program has to have these values:");
    for (name, value) in variables(examinee, options).map_err(|why| failed(format!("{why:#}")))? {
        say(&format!("{name}={value}"));
    }
    let port = program.port;
    if !program.is_up_within(Duration::ZERO) {
        say(&format!(
            "The exam begins when the program accepts connections on port {port}."
        ));
    }
    if program.is_up_within(STARTS_WITHIN) {
        return Ok(());
    }
    let minutes = STARTS_WITHIN.as_secs() / 60;
    Err(failed(format!(
        "nothing accepts connections on port {port} within {minutes} minutes: start the program"
    )))
}

fn write_reports(args: &ExamArgs, command: &str, reports: &[RuleReport]) -> Result<(), CliError> {
    let date = Timestamp::now().strftime("%Y-%m-%d").to_string();
    write(args.html.as_deref(), || html(command, reports))?;
    write(args.junit.as_deref(), || junit(reports, args.strict))?;
    write(args.json.as_deref(), || format!("{:#}\n", json(reports)))?;
    write(args.badge.as_deref(), || {
        badge(args.profile, &date, reports)
    })
}

fn list(profile: Profile) -> Result<(), CliError> {
    for rule in rules().filter(|rule| rule.is_in(profile)) {
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

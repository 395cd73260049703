//! `switchboard config`: whether a configuration is right, what counts of it, and which limits follow.

mod limits;
mod print;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::key::ConfigArgs;
use super::output::{CliError, print, say};
use crate::config::load::environment;
use crate::config::{Overrides, Settings};
use crate::config_file::CONFIG_FILE;
use crate::exit_code::Exit;
use crate::variables;

const EXAMPLES: &str = "Examples:
  switchboard config check /etc/switchboard.toml
  SWITCHBOARD_SERVER__LISTEN=0.0.0.0:80 switchboard config show
  switchboard config limits --config /etc/switchboard.toml";

/// Check a configuration, or print the effective one or its limits
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConfigCommand {
    #[command(subcommand)]
    action: ConfigAction,
    /// Print one JSON document
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum ConfigAction {
    /// Print all problems of a configuration; exits with 2 if there are any
    Check(CheckArgs),
    /// Print each setting with its value and source: default, line or variable
    Show(ConfigArgs),
    /// Print the limits that clients share, as they are on this machine
    Limits(ConfigArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// The configuration, as --config names it [default: config.toml, else the one in /etc/switchboard]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
}

impl CheckArgs {
    /// The file that is meant: an argument or an option, but not two files.
    fn file(&self) -> Result<PathBuf, CliError> {
        let Some(file) = &self.file else {
            return Ok(self.config.file().unwrap_or_else(|| CONFIG_FILE.into()));
        };
        let option = self.config.config.as_ref();
        // The variable counts only where nothing is said.
        let variable = std::env::var_os(variables::CONFIG).map(PathBuf::from);
        let other = option.filter(|other| *other != file && Some(*other) != variable.as_ref());
        match other {
            None => Ok(file.clone()),
            Some(other) => Err(CliError::Usage(format!(
                "two configurations are named, {} and {}; check one of them",
                file.display(),
                other.display()
            ))),
        }
    }
}

pub(super) fn run(args: &ConfigCommand) -> Result<(), CliError> {
    match &args.action {
        ConfigAction::Check(check) => self::check(&check.file()?, args.json),
        ConfigAction::Show(show) => self::show(show, args.json),
        ConfigAction::Limits(limits) => limits::run(limits, args.json),
    }
}

/// Variables count as they would for the service.
fn check(file: &Path, json: bool) -> Result<(), CliError> {
    let settings = Settings::load(Some(file), &environment(), Overrides::default());
    if json {
        let problems = settings
            .as_ref()
            .err()
            .map(|errors| errors.as_json())
            .unwrap_or_default();
        print(&json!({ "valid": problems.is_empty(), "problems": problems }).to_string())?;
        return settings
            .map(drop)
            .map_err(|_told| CliError::Found(Exit::Invalid));
    }
    let settings = settings?;
    print(&format!(
        "{}: valid, declares {} and {}",
        file.display(),
        counted(settings.accounts.len(), "account"),
        counted(settings.channels.len(), "channel"),
    ))
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn show(args: &ConfigArgs, json: bool) -> Result<(), CliError> {
    let path = args.file();
    let (_, settings) =
        Settings::load_with_origins(path.as_deref(), &environment(), Overrides::default())?;
    if path.is_none() {
        say(&format!("no {CONFIG_FILE} here: defaults and variables"));
    }
    let file = path
        .unwrap_or_else(|| CONFIG_FILE.into())
        .display()
        .to_string();
    print(&if json {
        print::document(&settings, &file).to_string()
    } else {
        print::toml(&settings, &file)
    })
}

//! `switchboard completions`, `man` and `openapi`: what the program says of itself to shells and to programs.

use std::path::PathBuf;

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use switchboard_http::openapi;

use super::manual;
use super::output::{CliError, print};
use crate::config::program::NAME;

const COMPLETIONS: &str = "Examples:
  switchboard completions bash > ~/.local/share/bash-completion/completions/switchboard
  switchboard completions fish > ~/.config/fish/completions/switchboard.fish";

const MAN: &str = "Examples:
  switchboard man ~/.local/share/man/man1
  switchboard man . && man ./switchboard.1";

const OPENAPI: &str = "Examples:
  switchboard openapi > openapi.json
  switchboard openapi | jq '.paths | keys'";

/// Print the completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: For,
}

/// Write the manual pages of all commands to a directory
#[derive(Debug, Args)]
#[command(after_help = MAN)]
pub(super) struct ManArgs {
    /// The directory; the command makes it if it is missing
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Print the OpenAPI document of the service, as /openapi.json serves it
#[derive(Debug, Args)]
#[command(after_help = OPENAPI)]
pub(super) struct OpenapiArgs {}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum For {
    Bash,
    Zsh,
    Fish,
}

pub(super) fn completions(args: &CompletionsArgs, all: &mut Command) -> Result<(), CliError> {
    let shell = match args.shell {
        For::Bash => Shell::Bash,
        For::Zsh => Shell::Zsh,
        For::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, all, NAME, &mut script);
    print(String::from_utf8_lossy(&script).trim_end())
}

pub(super) fn man(args: &ManArgs, all: Command) -> Result<(), CliError> {
    let directory = &args.directory;
    let what = format!("cannot write to {}", directory.display());
    manual::write_all(all, directory).map_err(|error| CliError::failed(&what, error))
}

pub(super) fn openapi() -> Result<(), CliError> {
    print(&format!("{:#}", openapi::document()))
}

//! `switchboard init`: writes a configuration that works as it is, with everything that the first hour needs.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{CliError, print, say};
use crate::config::load::environment;
use crate::config::program::command;
use crate::config::{Overrides, SHIPPED, Settings};
use crate::config_file::{self, CONFIG_FILE};
use crate::serve::announce::banner;

const EXAMPLES: &str = "Examples:
  switchboard init                 ./config.toml, which all commands find
  switchboard init trial.toml      for  switchboard serve --config trial.toml";

/// For the owner alone: secrets are written into it.
const MODE: u32 = 0o600;

/// Write a configuration to begin with: a demo account, user and channel
///
/// The file has every setting with its default and a sentence. Its secrets are in every copy of the program, so the
/// service accepts them on loopback only.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct InitArgs {
    /// The file, or a directory for config.toml; an existing file stays as it is
    #[arg(value_name = "FILE", default_value = CONFIG_FILE)]
    file: PathBuf,
}

pub(super) fn run(args: &InitArgs) -> Result<(), CliError> {
    let file = if args.file.is_dir() {
        args.file.join(CONFIG_FILE)
    } else {
        args.file.clone()
    };
    write(&file)?;
    let settings = Settings::load(Some(&file), &environment(), Overrides::default())?;
    print(&format!("wrote {}", file.display()))?;
    let flag = config_file::flag(Some(&file));
    let mut rows = banner::declared(&settings);
    if let Some(url) = settings.service_url() {
        rows.insert(0, ["Console".to_owned(), url.to_string()]);
    }
    let serve = command(&format!("serve{flag}"));
    let steps = banner::next_steps(&settings, &flag).unwrap_or_default();
    say(&format!(
        "\n{}\n\nStart the service:\n  {serve}\n\n{steps}",
        banner::indented(&rows)
    ));
    Ok(())
}

/// Writes the file, if there is none of this name.
fn write(file: &Path) -> Result<(), CliError> {
    let place = file.display();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(MODE);
    let mut config = options.open(file).map_err(|error| {
        if error.kind() == ErrorKind::AlreadyExists {
            return CliError::Failed(format!(
                "{place} is there already, and stays as it is\n  help: name another file, as in  {}",
                command("init trial.toml")
            ));
        }
        CliError::failed(&format!("cannot write {place}"), error)
    })?;
    let outcome = config
        .write_all(SHIPPED.as_bytes())
        .and_then(|()| config.sync_all());
    outcome.map_err(|error| {
        // Half a file would only be in the way of the next attempt.
        std::fs::remove_file(file).unwrap_or_default();
        CliError::failed(&format!("cannot write {place}"), error)
    })
}

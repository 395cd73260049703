//! `switchboard completions`, `man`, `openapi` and `docs`: what the program says of itself to shells, programs and readers.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use switchboard_http::{documentation, openapi};

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

const DOCS: &str = "Examples:
  switchboard docs
  switchboard docs worlds
  switchboard docs exam/09
  switchboard docs --write /tmp/switchboard";

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

/// Print the list of the documentation's pages, or a page in Markdown
#[derive(Debug, Args)]
#[command(after_help = DOCS)]
pub(super) struct DocsArgs {
    /// The page, as the list names it [default: the list]
    #[arg(value_name = "PAGE")]
    page: Option<String>,
    /// Write the list and all pages to a directory; the command makes it if it is missing
    #[arg(long, value_name = "DIR", conflicts_with = "page")]
    write: Option<PathBuf>,
}

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

pub(super) fn docs(args: &DocsArgs) -> Result<(), CliError> {
    match (&args.write, &args.page) {
        (Some(directory), _) => {
            let what = format!("cannot write to {}", directory.display());
            write_pages(directory).map_err(|error| CliError::failed(&what, error))
        }
        (None, None) => print(documentation::list().trim_end()),
        (None, Some(name)) => {
            let page = documentation::pages().find(|page| is_named(page.path(), name));
            let page = page.ok_or_else(|| {
                CliError::Usage(format!(
                    "there is no page «{name}»\n  help: «switchboard docs» lists the pages"
                ))
            })?;
            print(page.markdown().trim_end())
        }
    }
}

/// Returns whether a name means this page: its path, which may lack the folder at its beginning and the type at its end.
fn is_named(path: &str, name: &str) -> bool {
    let name = name.trim_start_matches('/');
    let whole = path.strip_suffix(".md").unwrap_or(path);
    let short = whole.strip_prefix("docs/").unwrap_or(whole);
    let stem = name.strip_suffix(".md").unwrap_or(name);
    stem == whole || stem == short
}

fn write_pages(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    fs::write(directory.join("llms.txt"), documentation::list())?;
    for page in documentation::pages() {
        let file = directory.join(page.path());
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, page.markdown())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_short_names() {
        for name in ["worlds", "worlds.md", "docs/worlds", "/docs/worlds.md"] {
            assert!(is_named("docs/worlds.md", name), "{name}");
        }
        for name in ["", "world", "exam/worlds", "docs", "../docs/worlds.md"] {
            assert!(!is_named("docs/worlds.md", name), "{name}");
        }
        assert!(is_named("docs/exam/09.md", "exam/09"));
    }
}

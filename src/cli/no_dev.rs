//! `switchboard dev` of a build without it.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;

use super::output::CliError;
use crate::config::Settings;
use crate::serve::options::ServeOptions;

const EXAMPLES: &str = "Examples:
  cargo build --release                        a build with it
  cargo build --release --no-default-features  a build without it";

/// Run the service with worlds and a proxy for the tests of integrations (not in this build)
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true)]
pub(super) struct DevArgs {
    /// The arguments of a build that has this command
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

impl DevArgs {
    /// Says that this build has no such command.
    pub(super) fn run(
        self,
        _serve: impl FnOnce(Settings, ServeOptions) -> ExitCode,
    ) -> Result<ExitCode, CliError> {
        let words: Vec<_> = self
            .arguments
            .iter()
            .map(|it| it.to_string_lossy())
            .collect();
        let subcommand = format!("dev {}", words.join(" "));
        Err(CliError::Usage(format!(
            "this build has no «switchboard {}»: it was made without the feature «dev» (--no-default-features); build with the default features",
            subcommand.trim_end()
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_dev_names_the_feature() {
        let args = DevArgs {
            arguments: vec!["run".into(), "--junit".into()],
        };
        let error = args.run(|_, _| ExitCode::SUCCESS).unwrap_err().to_string();
        assert!(
            error.starts_with("error: this build has no «switchboard dev run --junit»"),
            "{error}"
        );
        assert!(error.contains("without the feature «dev»"), "{error}");
    }
}

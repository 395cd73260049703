//! The command line of the process, with options whose values come from environment variables.

use clap::{Command, CommandFactory, FromArgMatches};

use super::{Cli, leading};
use crate::config::load::environment;

/// The command line of this process. An empty variable counts as none: shells and files of containers leave them behind.
pub(super) fn command_line() -> Cli {
    let variables = environment();
    let empty = |name: &str| variables.get(name).is_some_and(String::is_empty);
    let command = without(Cli::command(), &empty);
    let arguments = leading::moved(&command, std::env::args_os());
    let matches = command.try_get_matches_from(arguments);
    let cli = matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    cli.unwrap_or_else(|error| error.exit())
}

/// The command without the variables that are empty.
fn without(command: Command, empty: &impl Fn(&str) -> bool) -> Command {
    let command = command.mut_args(|arg| {
        let variable = arg.get_env().and_then(|name| name.to_str());
        if variable.is_some_and(empty) {
            arg.env(None::<&str>)
        } else {
            arg
        }
    });
    command.mut_subcommands(|command| without(command, empty))
}

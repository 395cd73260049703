//! Options whose values come from environment variables.

use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory, FromArgMatches};

use super::Cli;
use crate::config::load::environment;

/// The command line of this process. An empty variable counts as none: shells and files of containers leave them behind.
/// An error in the value of a variable names the variable.
pub(super) fn parse() -> Cli {
    let variables = environment();
    let empty = |name: &str| variables.get(name).is_some_and(String::is_empty);
    let command = without(Cli::command(), &empty);
    let names = variables_of(&command);
    let matches = command.try_get_matches();
    let parsed = matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    parsed.unwrap_or_else(|error| {
        let given: Vec<String> = std::env::args().collect();
        named(error, &names, &given).exit()
    })
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

/// Each option that has a variable, with its name.
fn variables_of(command: &Command) -> Vec<(String, String)> {
    let own = command.get_arguments().filter_map(|arg| {
        let variable = arg.get_env()?.to_str()?.to_owned();
        Some((format!("--{}", arg.get_long()?), variable))
    });
    let below = command.get_subcommands().flat_map(variables_of);
    own.chain(below).collect()
}

/// The error, with the variable that its value comes from.
fn named(mut error: clap::Error, names: &[(String, String)], given: &[String]) -> clap::Error {
    let Some(ContextValue::String(arg)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let option = arg.split_whitespace().next().unwrap_or_default();
    let is_given = |word: &String| word == option || word.starts_with(&format!("{option}="));
    let known = names.iter().find(|(long, _)| long == option);
    if let Some((_, variable)) = known.filter(|_| !given.iter().any(is_given)) {
        let tip = format!("the value comes from the environment variable {variable}");
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

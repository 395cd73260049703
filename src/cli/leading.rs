//! Flags before the command: `switchboard --config x serve` means `switchboard serve --config x`.

use std::ffi::OsString;

use clap::Command;

/// The arguments with the flags that stand before a command behind it. The parser of the command judges them.
pub(super) fn moved(
    program: &Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let words = arguments.get(1..).unwrap_or_default();
    let flags = leading_flags(program, words);
    let is_command = words
        .get(flags)
        .and_then(|word| word.to_str())
        .is_some_and(|word| word != "help" && program.find_subcommand(word).is_some());
    if flags > 0 && is_command {
        // The name of the program, the flags, the command.
        if let Some(part) = arguments.get_mut(1..flags.saturating_add(2)) {
            part.rotate_right(1);
        }
    }
    arguments
}

/// Returns how many of the first words are flags of the service and their values.
fn leading_flags(program: &Command, words: &[OsString]) -> usize {
    let mut flags = 0_usize;
    while let Some(flag) = words
        .get(flags)
        .and_then(|word| word.to_str()?.strip_prefix("--"))
    {
        let name = flag.split_once('=').map_or(flag, |(name, _)| name);
        let mut all = program.get_arguments();
        let Some(flag_definition) = all.find(|arg| arg.get_long() == Some(name)) else {
            break;
        };
        let has_value_behind = !flag.contains('=') && flag_definition.get_action().takes_values();
        flags = flags.saturating_add(if has_value_behind { 2 } else { 1 });
    }
    flags
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn flags_before_a_command_are_those_of_the_command() {
        let reordered = |words: &str| {
            let arguments = words.split(' ').map(OsString::from);
            let words = moved(&Cli::command(), arguments);
            let texts: Vec<_> = words.iter().map(|it| it.to_str().unwrap()).collect();
            texts.join(" ")
        };
        for (typed, expected) in [
            ("s --config x serve", "s serve --config x"),
            (
                "s --config=x --ephemeral serve --listen y",
                "s serve --config=x --ephemeral --listen y",
            ),
            ("s --config x channel list", "s channel --config x list"),
            ("s --config serve", "s --config serve"),
            ("s --config x", "s --config x"),
            ("s serve --config x", "s serve --config x"),
            ("s --help serve", "s --help serve"),
            ("s --config x nonsense", "s --config x nonsense"),
            ("s", "s"),
        ] {
            assert_eq!(reordered(typed), expected, "{typed}");
        }
    }
}

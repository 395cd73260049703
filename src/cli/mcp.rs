//! `switchboard mcp`: worlds and the exam for agents.

use clap::Args;
use switchboard_exam::examinee::Examinee;

use super::dev::WorldsKeyArgs;
use super::exam::PathArgs;
use super::output::{CliError, say};
use crate::mcp::{ExamProgram, serve};

const EXAMPLES: &str = "Examples:
  switchboard mcp --command \"python3 bridge.py\"     for the configuration of an agent
  switchboard mcp --worlds-key worlds.key           the same secrets of worlds each time
  switchboard mcp --allow-any-command               the agent names the program of the exam";

/// Give an agent worlds and the exam as tools, by the Model Context Protocol
///
/// The command reads requests from standard input and writes answers to standard output; the client of an agent starts and
/// ends it. Its tools make worlds, speak as their people, wait, order faults, read journals, explain refused requests, and
/// examine a program. The worlds are in memory and end with the command.
///
/// The exam runs the program that --command names, and no other one, since the texts that an agent reads may steer it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct McpArgs {
    /// The program that the exam runs, with its arguments, separated by spaces
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    #[command(flatten)]
    paths: PathArgs,
    /// Let the agent name the program: it can then run any command as you
    #[arg(long)]
    allow_any_command: bool,
    #[command(flatten)]
    key: WorldsKeyArgs,
}

pub(super) fn run(args: McpArgs) -> Result<(), CliError> {
    let names_none = |line: &str| Examinee::from_command_line(line).is_none();
    if args.command.as_deref().is_some_and(names_none) {
        return Err(CliError::Usage("--command names no program".to_owned()));
    }
    let key = args.key.read()?;
    // Standard output has the protocol.
    say("switchboard mcp: waiting for an agent on standard input");
    let program = ExamProgram {
        command: args.command,
        path: args.paths.path,
        hooks_path: args.paths.hooks_path,
        takes_commands: args.allow_any_command,
    };
    serve(program, key).map_err(|why| CliError::Failed(format!("{why:#}")))
}

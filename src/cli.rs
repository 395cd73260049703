//! The command line: the service itself, small commands that stand in for an integration, and those of the operator.
//!
//! Data goes to stdout, talk to stderr. `exit_code` declares what a command ends with.

mod archive;
mod backup;
mod channel;
mod chat;
mod config;
mod connect;
mod conversation;
mod data;
mod delivery;
#[cfg(feature = "dev")]
mod dev;
#[cfg(not(feature = "dev"))]
#[path = "cli/no_dev.rs"]
mod dev;
mod document;
mod erase;
#[cfg(feature = "dev")]
mod exam;
mod explain;
mod export;
mod fields;
mod given;
mod import;
mod init;
mod key;
mod leading;
mod listen;
mod manual;
#[cfg(feature = "dev")]
mod mcp;
mod oauth_client;
mod output;
mod page;
mod parse;
mod people;
mod progress;
mod ready;
mod relay;
mod reply;
mod request;
mod resource;
mod restore;
mod secret;
mod send;
mod serve;
mod service;
mod shared_log;
mod sign;
mod table;
mod url;
mod verify;
mod version;
mod web;
mod webhook;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use self::resource::Resource;
use self::serve::ServeArgs;
use crate::config::Settings;
use crate::exit_code;
use crate::serve::options::ServeOptions;

const EXAMPLES: &str = "Examples:
  switchboard                                    serve with ./config.toml
  switchboard --listen 127.0.0.1:0 --ephemeral   serve on a free port, keep nothing";

/// A chat-channel service in one binary.
#[derive(Debug, Parser)]
#[command(name = "switchboard", version, after_help = after_help(), args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    serve: ServeArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::InitArgs),
    Serve(ServeArgs),
    Dev(Box<dev::DevArgs>),
    #[cfg(feature = "dev")]
    Exam(exam::ExamArgs),
    #[cfg(feature = "dev")]
    Mcp(mcp::McpArgs),
    Listen(listen::ListenArgs),
    Connect(Box<connect::ConnectArgs>),
    Send(Box<send::SendArgs>),
    Reply(reply::ReplyArgs),
    Conversation(conversation::ConversationArgs),
    Request(Resource<request::RequestCommand>),
    Explain(Box<explain::ExplainArgs>),
    Import(Box<import::ImportArgs>),
    Sign(sign::SignArgs),
    Channel(Box<Resource<channel::ChannelCommand>>),
    OauthClient(Box<Resource<oauth_client::OauthClientCommand>>),
    Account(Box<Resource<people::account::AccountCommand>>),
    User(Box<Resource<people::user::UserCommand>>),
    Group(Box<Resource<people::group::GroupCommand>>),
    Token(Box<Resource<people::token::TokenCommand>>),
    Webhook(Box<Resource<webhook::WebhookCommand>>),
    Delivery(Box<Resource<delivery::DeliveryCommand>>),
    Relay(Box<Resource<relay::RelayCommand>>),
    Erase(Box<erase::EraseArgs>),
    Erasures(Box<erase::ErasuresArgs>),
    Export(Box<export::ExportArgs>),
    Config(config::ConfigCommand),
    Backup(backup::BackupArgs),
    SharedLog(shared_log::SharedLogArgs),
    Restore(restore::RestoreArgs),
    Verify(verify::VerifyArgs),
    Ready(ready::ReadyArgs),
    Completions(document::CompletionsArgs),
    Man(document::ManArgs),
    Openapi(document::OpenapiArgs),
    Docs(document::DocsArgs),
    Version(version::VersionArgs),
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", exit_code::help())
}

/// Runs the command of this process's arguments. `serve` is called for the service itself.
pub fn run(serve: impl FnOnce(Settings, ServeOptions) -> ExitCode) -> ExitCode {
    if let Some(code) = switchboard_media::run_if_asked() {
        return code;
    }
    let cli = parse::command_line();
    let outcome = match cli.command.unwrap_or(Command::Serve(cli.serve)) {
        Command::Serve(args) => match args.prepare() {
            Ok((settings, options)) => return serve(settings, options),
            Err(failure) => Err(failure),
        },
        Command::Dev(args) => match args.run(serve) {
            Ok(code) => return code,
            Err(failure) => Err(failure),
        },
        #[cfg(feature = "dev")]
        Command::Exam(args) => exam::run(&args),
        #[cfg(feature = "dev")]
        Command::Mcp(args) => mcp::run(args),
        Command::Init(args) => init::run(&args),
        Command::Listen(args) => listen::run(args),
        Command::Connect(args) => connect::run(&args),
        Command::Send(args) => send::run(&args),
        Command::Reply(args) => reply::run(&args),
        Command::Conversation(args) => conversation::run(&args),
        Command::Request(resource) => resource.run(),
        Command::Explain(args) => explain::run(&args),
        Command::Import(args) => import::run(*args),
        Command::Sign(args) => sign::run(args),
        Command::Channel(resource) => resource.run(),
        Command::OauthClient(resource) => resource.run(),
        Command::Account(resource) => resource.run(),
        Command::User(resource) => resource.run(),
        Command::Group(resource) => resource.run(),
        Command::Token(resource) => resource.run(),
        Command::Webhook(resource) => resource.run(),
        Command::Delivery(resource) => resource.run(),
        Command::Relay(resource) => resource.run(),
        Command::Backup(args) => backup::run(&args),
        Command::SharedLog(args) => shared_log::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Erase(args) => erase::run(&args),
        Command::Erasures(args) => erase::run_list(&args),
        Command::Export(args) => export::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Ready(args) => ready::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Completions(args) => document::completions(&args, &mut Cli::command()),
        Command::Man(args) => document::man(&args, Cli::command()),
        Command::Openapi(_) => document::openapi(),
        Command::Docs(args) => document::docs(&args),
        Command::Version(args) => version::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.print(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn serving_needs_no_subcommand() {
        let bare = Cli::try_parse_from(["switchboard", "--listen", "127.0.0.1:0"]).unwrap();
        assert!(bare.command.is_none());
        assert_eq!(bare.serve.listen.as_deref(), Some("127.0.0.1:0"));
        let explicit = Cli::try_parse_from(["switchboard", "serve", "--ephemeral"]).unwrap();
        assert!(matches!(explicit.command, Some(Command::Serve(args)) if args.ephemeral));
    }

    /// A line that the parser would wrap, or a file that a package or an image may not have.
    fn wrong_lines(command: &clap::Command) -> Vec<String> {
        const COLUMNS_MAX: usize = 100;
        let after = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let is_prose = |line: &&str| {
            !line
                .trim_start()
                .starts_with(|it: char| it.is_ascii_digit())
        };
        let long = after
            .lines()
            .filter(is_prose)
            .filter(|line| line.chars().count() > COLUMNS_MAX);
        let help = command.clone().render_long_help().to_string();
        let foreign = help.lines().filter(|line| line.contains("docs/"));
        let mut wrong: Vec<String> = long.chain(foreign).map(str::to_owned).collect();
        wrong.extend(command.get_subcommands().flat_map(wrong_lines));
        wrong
    }

    #[test]
    fn examples_keep_their_line_and_no_help_names_a_page() {
        assert_eq!(wrong_lines(&Cli::command()), Vec::<String>::new());
    }

    #[test]
    fn every_command_shows_two_examples() {
        let cli = Cli::command();
        let commands = cli
            .get_subcommands()
            .filter(|command| command.get_name() != "help");
        let helps: Vec<String> = std::iter::once(&cli)
            .chain(commands)
            .map(|command| command.clone().render_help().to_string())
            .collect();
        let sentences: BTreeSet<_> = helps.iter().map(|help| help.lines().next()).collect();
        assert_eq!(sentences.len(), helps.len(), "{sentences:?}");
        for help in helps {
            let (_, examples) = help.split_once("Examples:\n").expect(&help);
            assert!(examples.lines().count() >= 2, "{help}");
        }
    }
}

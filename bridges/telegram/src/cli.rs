//! The command line. A secret is never the value of a flag: other users of the machine read those.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// A bridge between Telegram and Switchboard.
#[derive(Debug, Parser)]
#[command(
    name = "switchboard-telegram",
    version,
    about,
    after_help = "The token of the bot is in TELEGRAM_BOT_TOKEN, or in a file that telegram.token_file names. \
                  The file of settings, telegram.toml, explains each setting and its variable."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) flags: Flags,
}

/// The commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Command {
    /// Bridges messages until it is stopped. It is what happens without a command.
    Run,
    /// Says what is wrong with the settings, the bot, the service and the installation. Ends with 1 if anything is.
    Check,
}

/// The flags, over the environment and the file.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Flags {
    /// The file of settings; `telegram.toml` of this directory without it, else the shipped one.
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "TELEGRAM_BRIDGE_CONFIG"
    )]
    pub(crate) config: Option<PathBuf>,
    /// The address to listen on, as 127.0.0.1:9001.
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// The address of the bridge in links of files.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// The directory for everything that the bridge remembers.
    #[arg(long, global = true, value_name = "DIRECTORY")]
    pub(crate) directory: Option<String>,
    /// The address of Switchboard.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) service_url: Option<String>,
    /// The address of the Bot API.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) telegram_url: Option<String>,
    /// The form of the log: text or json.
    #[arg(long, global = true, value_name = "FORM")]
    pub(crate) log_format: Option<String>,
}

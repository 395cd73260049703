//! `switchboard-telegram`: a bridge between Switchboard and Telegram.
//!
//! `poller` reads updates and `intake` stores them; the core posts them to the service. `callbacks` and `delivery` show in Telegram
//! what account users write. `account` names contacts and marks leads, `files` passes customers' files on, `avatars` adds links of
//! their pictures, `business` addresses calls for chats of business accounts, and `pages` reports the state of the bridge. `exam` is
//! the other side of the bridge when `switchboard exam` tries it.

mod account;
mod avatars;
mod business;
mod callbacks;
mod check;
mod cli;
mod delivery;
mod exam;
mod files;
mod intake;
mod logging;
mod memory;
mod metrics;
mod pages;
mod poller;
mod posted;
mod program;
mod report;
mod settings;
mod status;
mod telegram;

use std::process::ExitCode;

use clap::Parser as _;
use tokio::task::LocalSet;

use crate::cli::{Cli, Command};
use crate::settings::Settings;

/// One thread does everything but the writing of the store: no two changes of what is remembered come between each other.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    // For services with TLS. Another provider may be there already.
    drop(rustls::crypto::ring::default_provider().install_default());
    let cli = Cli::parse();
    let settings = match Settings::read(&cli.flags) {
        Ok(settings) => settings,
        Err(error) => {
            say(&error.to_string());
            return ExitCode::FAILURE;
        }
    };
    let local = LocalSet::new();
    match cli.command.unwrap_or(Command::Run) {
        Command::Run => {
            logging::begin(settings.log_format, &settings.secret);
            match local.run_until(program::run(settings)).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    tracing::error!("{error:#}");
                    ExitCode::FAILURE
                }
            }
        }
        Command::Check => local.run_until(check::run(&settings)).await,
    }
}

#[expect(
    clippy::print_stderr,
    reason = "there is no log before the settings are read"
)]
fn say(text: &str) {
    eprintln!("{text}");
}

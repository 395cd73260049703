//! `switchboard dev`: the service as `serve` runs it, with what only the development of integrations needs: worlds and a
//! proxy; `switchboard dev run`, which runs scenario files; and
//! `switchboard dev attach`, by which programs share one process.

mod attach;
mod run;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use switchboard_worlds::dev::vendor_listeners::VendorListeners;
use switchboard_worlds::dev::worlds_key::WorldsKey;

use self::attach::AttachArgs;
use self::run::RunArgs;
use super::output::CliError;
use super::serve::ServeArgs;
use crate::config::Settings;
use crate::dev_tools::Tools;
use crate::serve::options::{DevOptions, ServeOptions};

const EXAMPLES: &str = "Examples:
  switchboard dev --ephemeral --listen 127.0.0.1:0 --ready-file ready.json --stop-with-stdin
  switchboard dev --proxy > proxy.env      the shell of an integration reads it:  . ./proxy.env
  switchboard dev --proxy 127.0.0.1:0 --json --ephemeral --ready-file ready.json
  switchboard dev --tls 127.0.0.1:443            for programs that a hosts file leads here
  switchboard dev run examples/scenarios/*.toml  run scenario files";

/// Run the service with worlds and a proxy for the tests of integrations
///
/// A world is a service of its own in memory, with its own address, clock and faults. Programs make worlds by HTTP at the
/// address that the ready file names: POST /dev/v1/worlds with the ready file's token makes one and answers what it has. The
/// kits for Python, Node and PHP do so.
///
/// The proxy accepts HTTPS requests for the hosts of the counterpart (amojo.amocrm.ru, amojo.amocrm.com, amojo.kommo.com,
/// www and the subdomains of accounts) and passes them to the world that they name, else to this service. It refuses all
/// other hosts. Its certificates are signed by an authority in the data directory (dev/ca.pem), which is valid for these
/// domains only. The command prints the environment variables that lead curl, Python, Node, PHP, Ruby, Go and Java to the
/// proxy.
///
/// The TLS listener does the same for programs that know no proxy: it takes the host from the TLS handshake. The command
/// prints the lines for a hosts file and for the network aliases of a container.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(super) struct DevArgs {
    #[command(subcommand)]
    command: Option<DevCommand>,
    #[command(flatten)]
    serve: ServeArgs,
    /// The address of the proxy, on loopback; port 0 selects a free port [without a value: 127.0.0.1:8090]
    #[arg(
        long,
        value_name = "HOST:PORT",
        num_args = 0..=1,
        default_missing_value = "127.0.0.1:8090",
        value_parser = loopback
    )]
    proxy: Option<SocketAddr>,
    /// The address of the TLS listener; programs ask port 443. An address that other machines reach needs secrets of your own
    /// in the configuration [without a value: 127.0.0.1:8443]
    #[arg(
        long,
        value_name = "HOST:PORT",
        num_args = 0..=1,
        default_missing_value = "127.0.0.1:8443"
    )]
    tls: Option<SocketAddr>,
    /// Print the environment variables as one JSON document instead of lines for a shell
    #[arg(long)]
    json: bool,
    /// Stop when standard input is closed: a program that starts this one then never leaves it behind
    #[arg(long)]
    stop_with_stdin: bool,
    /// Stop after the last program that has attached itself: see «switchboard dev attach»
    #[arg(long)]
    end_with_leases: bool,
    #[command(flatten)]
    key: WorldsKeyArgs,
}

/// The key from which the secrets of worlds follow.
#[derive(Debug, Args)]
pub(super) struct WorldsKeyArgs {
    /// Derive the secrets of worlds from this file instead of from chance: worlds with the same seed are then the same in
    /// every process that has the file
    #[arg(long, value_name = "FILE")]
    worlds_key: Option<PathBuf>,
}

impl WorldsKeyArgs {
    /// The key in the file; `None`: no file was named.
    pub(super) fn read(&self) -> Result<Option<WorldsKey>, CliError> {
        let key = self.worlds_key.as_deref().map(read_worlds_key);
        key.transpose()
    }
}

/// The key in this file.
pub(super) fn read_worlds_key(path: &Path) -> Result<WorldsKey, CliError> {
    WorldsKey::read(path).map_err(|why| CliError::Usage(format!("{why:#}")))
}

#[derive(Debug, Subcommand)]
enum DevCommand {
    Run(RunArgs),
    Attach(AttachArgs),
}

impl DevArgs {
    /// Does what is asked; `serve` is called for the service.
    pub(super) fn run(
        mut self,
        serve: impl FnOnce(Settings, ServeOptions) -> ExitCode,
    ) -> Result<ExitCode, CliError> {
        match self.command.take() {
            Some(DevCommand::Run(args)) => run::run(&args).map(|()| ExitCode::SUCCESS),
            Some(DevCommand::Attach(args)) => attach::run(&args).map(|()| ExitCode::SUCCESS),
            None => self
                .prepare()
                .map(|(settings, options)| serve(settings, options)),
        }
    }

    /// The settings and options to run with.
    fn prepare(self) -> Result<(Settings, ServeOptions), CliError> {
        if self.json && self.proxy.is_none() && self.tls.is_none() {
            let why = "--json prints the variables of --proxy or --tls: give one of them";
            return Err(CliError::Usage(why.to_owned()));
        }
        let (settings, options) = self.serve.prepare()?;
        let tools = Tools {
            vendor: VendorListeners {
                proxy: self.proxy,
                tls: self.tls,
            },
            json: self.json,
            end_with_leases: self.end_with_leases,
            worlds_key: self.key.read()?,
        };
        let dev = Some(DevOptions {
            stop_with_stdin: self.stop_with_stdin,
            tools: Arc::new(tools),
        });
        Ok((settings, ServeOptions { dev, ..options }))
    }
}

/// The proxy asks for no password, so other machines must not reach it.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_no_address| "write an IP address and a port, as in 127.0.0.1:8090".to_owned())?;
    if address.ip().to_canonical().is_loopback() {
        Ok(address)
    } else {
        Err("the proxy listens on loopback only, as in 127.0.0.1:8090".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proxy_listens_on_loopback_only() {
        for text in ["127.0.0.1:0", "[::1]:8090"] {
            assert!(loopback(text).is_ok(), "{text}");
        }
        for text in [
            "0.0.0.0:8090",
            "10.0.0.1:80",
            "[::]:1",
            "localhost:80",
            "127.0.0.1",
            "",
        ] {
            assert!(loopback(text).is_err(), "{text}");
        }
    }
}

//! The messages of the service for people, and for programs that wait until it is ready.

pub(crate) mod banner;

use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;
use switchboard_actors::System;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::installation::accounts::Account;
use switchboard_actors::domain::operator::token::MadeToken;
use switchboard_actors::system::StopReport;
use switchboard_engine::store::disk::private;
use switchboard_engine::store::disk::whole_file;
use switchboard_network::outbound::guard::AddressGuard;
use url::Url;

use crate::config::Settings;
use crate::config_file;
use crate::exit_code::Exit;
use crate::ready_file::ReadyFile;
use crate::serve::dev_tools::DevRound;
use crate::serve::options::ServeOptions;
use crate::terminal::{Stdout, complain, say};
use crate::variables;

/// Warns of callback addresses that are refused for their spelling: the settings may have become stricter since they
/// were saved.
pub(super) fn forbidden_addresses(system: &System, guard: &AddressGuard) {
    for channel in system.channels().iter() {
        for version in HookVersion::ALL {
            let Some(address) = channel.template(version) else {
                continue;
            };
            if let Err(why) = guard.check(address.url()) {
                tracing::warn!(channel = %channel.id, %version, %why, "callbacks are held: they may not go to this address; change it, or see dispatch.allow_private_networks");
            }
        }
    }
}

/// So many accounts have a line for a hosts file.
const SUBDOMAINS_MAX: usize = 20;

/// The contents of a service, as far as the first text depends on them.
#[derive(Clone, Copy)]
pub(super) enum Contents {
    /// Accounts.
    Accounts,
    /// Relays alone.
    Relays,
    /// Nothing yet.
    Nothing,
}

impl Contents {
    /// Those of this system.
    pub(super) async fn read(system: &System) -> Result<Self> {
        if system.accounts().await?.count() > 0 {
            return Ok(Self::Accounts);
        }
        let is_only_relay = system.is_only_relay().await?;
        Ok(if is_only_relay {
            Self::Relays
        } else {
            Self::Nothing
        })
    }
}

/// The ways to reach the service.
pub(super) struct Reached<'r> {
    /// The address of its listener.
    pub(super) address: SocketAddr,
    /// That, or its public address, as a URL.
    pub(super) url: &'r Url,
    /// The tools of `switchboard dev`, if there are any.
    pub(super) dev: Option<&'r dyn DevRound>,
    /// The contents of the service.
    pub(super) contents: Contents,
    /// The file by which programs learn all this, if one is wanted.
    pub(super) ready_file: Option<&'r ReadyFile>,
}

/// The service takes requests: says so, and what to try next.
pub(super) fn ready(
    system: &System,
    settings: &Settings,
    options: &ServeOptions,
    reached: &Reached<'_>,
) -> Result<()> {
    let (address, base) = (reached.address, reached.url.as_str().trim_end_matches('/'));
    let data = if options.ephemeral {
        "in memory, lost when the service stops".to_owned()
    } else {
        settings.store.path.display().to_string()
    };
    let mut rows = [
        ["Console", &format!("{base}/")],
        ["Chat interface", &format!("{base}/v2/origin/custom/…")],
        ["Account interface", &format!("{base}/api/v4/…")],
        ["Inbox", &format!("{base}/inbox/v1/…")],
        ["Operator", &format!("{base}/admin/v1/…")],
        ["Health", &format!("{base}/healthz  {base}/readyz")],
        ["Data", &data],
    ]
    .map(|row| row.map(str::to_owned))
    .to_vec();
    rows.extend(banner::declared(settings));
    rows.extend(reached.dev.iter().flat_map(|dev| dev.rows()));
    let version = env!("CARGO_PKG_VERSION");
    let steps = match reached.contents {
        Contents::Accounts => banner::next_steps(
            settings,
            &config_file::flag(options.source.config.as_deref()),
        ),
        Contents::Relays => Some(banner::relay_steps(base)),
        Contents::Nothing => banner::first_steps(base),
    };
    let next = steps.map_or_else(String::new, |steps| format!("\n{steps}\n"));
    say(&format!(
        "switchboard {version} is ready on {address}\n\n{}\n{next}",
        banner::indented(&rows)
    ));
    if let Some(file) = reached.ready_file {
        write_ready_file(file, system, settings, reached)?;
    }
    let printed = reached.dev.and_then(|dev| dev.printed(&subdomains(system)));
    if let Some(text) = printed {
        // Who does not read it has the ready file.
        write_out(&text).unwrap_or_default();
    }
    Ok(())
}

/// The subdomains of accounts, up to a bound: those of hosts that a hosts file may name.
fn subdomains(system: &System) -> Vec<String> {
    let accounts = system.first_accounts(SUBDOMAINS_MAX);
    let names = accounts.iter().map(Account::subdomain);
    names.map(|name| name.to_string()).collect()
}

/// The operator's token was made at this start: this is the only moment to see it.
pub(super) fn operator_token(made: &MadeToken) {
    say(&format!(
        "No operator.token is configured, so one was made. Keep it, it is not shown again:\n  {}\n  The console asks for it, and commands take it from the variable {} or with --token.\n",
        made.expose(),
        variables::OPERATOR_TOKEN
    ));
}

/// The service stops on a signal.
pub(super) fn stopping() {
    say("stopping: finishing requests in progress (repeat the signal to stop at once)");
}

/// This node follows the shared log.
pub(super) fn stands_by(node: &str, log: &str) {
    say(&format!(
        "node {node} follows the shared log {log}; it takes requests once it owns the log"
    ));
}

/// A standby stops on a signal.
pub(super) fn stands_by_no_more() {
    say("stopping: this node does not follow the shared log any more");
}

/// The service restarts itself.
pub(super) fn begins_again() {
    tracing::warn!(
        "the index is damaged; the service restarts itself and makes the index again from the journal"
    );
}

/// The service ends its round to go on with other settings.
pub(super) fn reloads() {
    say("reloading: finishing requests in progress; the service goes on by itself");
}

/// The service ends its round to erase what was ordered.
pub(super) fn erases() {
    say("erasing: finishing requests in progress; the service goes on by itself");
}

/// The service has stopped.
pub(super) fn stopped(report: StopReport) {
    let callbacks = if report.drained {
        "no callback is in progress"
    } else {
        "callbacks in progress were cut off and will be attempted again"
    };
    say(&format!("stopped: everything is on disk, {callbacks}"));
}

/// The service could not start.
pub(super) fn failed(error: &anyhow::Error) -> ExitCode {
    complain(&format!("error: {error:#}"));
    Exit::Failed.into()
}

/// Warns when users other than the owner may look into the data directory.
pub(super) fn if_open_to_others(directory: &Path) -> Result<()> {
    let path = directory.display();
    let is_open = private::is_open_to_others(directory)
        .with_context(|| format!("cannot inspect the data directory {path}"))?;
    if is_open {
        tracing::warn!(
            "other users of this machine may read the data directory {path}, which holds messages and secrets; close it with `chmod -R go-rwx {path}`"
        );
    }
    Ok(())
}

fn write_ready_file(
    file: &ReadyFile,
    system: &System,
    settings: &Settings,
    reached: &Reached<'_>,
) -> Result<()> {
    let scopes: Vec<String> = settings
        .channels
        .iter()
        .flat_map(|channel| {
            settings
                .accounts
                .iter()
                .map(|account| ScopeId::new(channel.id.clone(), account.id).to_string())
        })
        .collect();
    let mut body = json!({
        "url": reached.url.as_str().trim_end_matches('/'),
        "address": reached.address,
        "pid": std::process::id(),
        "version": env!("CARGO_PKG_VERSION"),
        "channels": settings.channels.iter().map(|channel| &channel.id).collect::<Vec<_>>(),
        "bots": settings.channels.iter().map(|channel| system.bot_of(&channel.id)).collect::<Vec<_>>(),
        "accounts": settings.accounts.iter().map(|account| account.id).collect::<Vec<_>>(),
        "scopes": scopes,
    });
    if let (Some(dev), Some(body)) = (reached.dev, body.as_object_mut()) {
        body.extend(dev.ready(&subdomains(system)));
    }
    // Without a token it holds no secret, and the program that waits for it may belong to another user.
    let mode = if reached.dev.is_some() {
        whole_file::PRIVATE
    } else {
        whole_file::READABLE
    };
    Ok(file.announce(&format!("{body:#}\n"), mode)?)
}

/// Prints data, complete.
fn write_out(text: &str) -> std::io::Result<()> {
    let mut out = Stdout::open();
    out.write_all(text.as_bytes())?;
    out.flush()
}

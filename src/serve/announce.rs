//! What a person, and a program that waits for the service, are told.

use std::fs::Permissions;
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::json;
use switchboard_actors::System;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::domain::operator::token::MadeToken;
use switchboard_actors::store::disk::private;
use switchboard_actors::system::StopReport;
use url::Url;

use crate::cli::serve::ServeOptions;
use crate::config::Settings;

/// The service takes requests: says so, and what to try next.
pub(super) fn ready(
    system: &System,
    settings: &Settings,
    options: &ServeOptions,
    address: SocketAddr,
    public_url: &Url,
) -> Result<()> {
    let base = public_url.as_str().trim_end_matches('/');
    let mut text = format!(
        "switchboard {} is ready on {address}\n\n",
        env!("CARGO_PKG_VERSION")
    );
    text.push_str(&format!("  Console            {base}/\n"));
    text.push_str(&format!("  Chat interface     {base}/v2/origin/custom/…\n"));
    text.push_str(&format!("  Account interface  {base}/api/v4/…\n"));
    text.push_str(&format!("  Inbox              {base}/inbox/v1/…\n"));
    text.push_str(&format!("  Operator           {base}/admin/v1/…\n"));
    text.push_str(&format!(
        "  Health             {base}/healthz  {base}/readyz\n"
    ));
    let data = if options.ephemeral {
        "in memory, gone at the end".to_owned()
    } else {
        settings.store.path.display().to_string()
    };
    text.push_str(&format!("  Data               {data}\n"));
    for channel in &settings.channels {
        text.push_str(&format!(
            "  Channel            {} «{}»\n",
            channel.id, channel.name
        ));
    }
    text.push_str("\nTry it, in two other terminals:\n  switchboard listen             receives and checks callbacks\n");
    text.push_str("  switchboard send \"Hello\"       posts a customer's message\n");
    tell(&text);
    if let Some(path) = &options.ready_file {
        write_ready_file(path, system, settings, address, base)?;
    }
    Ok(())
}

/// The operator's token was made at this start: this is the only moment to see it.
pub(super) fn operator_token(made: &MadeToken) {
    tell(&format!(
        "No operator.token is configured, so one was made. Keep it, it is not shown again:\n  {}\n  give it to commands as SWITCHBOARD_OPERATOR__TOKEN or with --token\n",
        made.expose()
    ));
}

/// The service stops on a signal.
pub(super) fn stopping() {
    tell("stopping: finishing what is under way (again to stop at once)");
}

/// The service has stopped.
pub(super) fn stopped(report: StopReport) {
    let callbacks = if report.drained {
        "no callback is under way"
    } else {
        "callbacks under way were cut off and will be attempted again"
    };
    tell(&format!("stopped: everything is on disk, {callbacks}"));
}

/// The service could not start.
pub(super) fn failed(error: &anyhow::Error) -> ExitCode {
    tell(&format!("error: {error:#}"));
    ExitCode::FAILURE
}

/// Warns when users other than the owner may look into the data directory.
pub(super) fn if_open_to_others(directory: &Path) -> Result<()> {
    let shown = directory.display();
    let is_open = private::is_open_to_others(directory)
        .with_context(|| format!("cannot look at the data directory {shown}"))?;
    if is_open {
        tracing::warn!(
            "other users of this machine may read the data directory {shown}, which holds messages and secrets; close it with `chmod -R go-rwx {shown}`"
        );
    }
    Ok(())
}

/// Complete or not there: written beside its place and moved.
fn write_ready_file(
    path: &Path,
    system: &System,
    settings: &Settings,
    address: SocketAddr,
    base: &str,
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
    let body = json!({
        "url": base,
        "address": address,
        "pid": std::process::id(),
        "version": env!("CARGO_PKG_VERSION"),
        "channels": settings.channels.iter().map(|channel| &channel.id).collect::<Vec<_>>(),
        "bots": settings.channels.iter().map(|channel| system.bot_of(&channel.id)).collect::<Vec<_>>(),
        "accounts": settings.accounts.iter().map(|account| account.id).collect::<Vec<_>>(),
        "scopes": scopes,
    });
    let unfinished = path.with_extension("part");
    std::fs::write(&unfinished, format!("{body:#}\n"))
        // It holds no secret, and whoever waits for it may be another user.
        .and_then(|()| std::fs::set_permissions(&unfinished, Permissions::from_mode(0o644)))
        .and_then(|()| std::fs::rename(&unfinished, path))
        .with_context(|| format!("cannot write the ready file {}", path.display()))
}

fn tell(text: &str) {
    writeln!(std::io::stderr().lock(), "{text}").unwrap_or_default();
}

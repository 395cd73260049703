//! Keeps secrets that the project prints away from other people's networks, also those that were stored when the service
//! listened on loopback only: a configuration that names them no more does not take them back.

use anyhow::{Result, bail};
use switchboard_actors::System;

use crate::config::Settings;
use crate::config::exposure::PRINTED;
use crate::config::program::command;
use crate::serve::options::ServeOptions;

/// Refuses to go on when others than this machine can connect and a printed secret is in force.
///
/// # Errors
/// Names all of them and says what to do; or that something cannot be read now.
pub(super) async fn refuse(
    system: &System,
    settings: &Settings,
    options: &ServeOptions,
) -> Result<()> {
    let tls = options.dev.as_ref().and_then(|dev| dev.tools.listener());
    let is_tls_open = tls.is_some_and(|tls| !tls.ip().to_canonical().is_loopback());
    if settings.server.listen.is_loopback() && !is_tls_open {
        return Ok(());
    }
    let printed = |secret: &str| PRINTED.contains(&secret);
    let mut in_force = Vec::new();
    for channel in system.channels() {
        let old = channel.rotating(system.now());
        if printed(channel.secret.expose()) || old.is_some_and(|old| printed(old.old.expose())) {
            let id = &channel.id;
            in_force.push(format!(
                "channel {id} has the secret of the shipped configuration: {}",
                command(&format!("channel rotate-secret {id} --grace 0s"))
            ));
        }
    }
    for token in PRINTED {
        if let Some(user) = system.caller(token).await? {
            in_force.push(format!(
                "user «{}» of account {} has the token of the shipped configuration: declare the user with another one",
                user.name, user.account
            ));
        }
    }
    for client in system.oauth_clients() {
        if printed(client.secret.expose()) {
            let id = client.id;
            in_force.push(format!(
                "OAuth client {id} has the secret of the shipped configuration: {}",
                command(&format!("oauth-client rotate-secret {id}"))
            ));
        }
    }
    if in_force.is_empty() {
        return Ok(());
    }
    let place = match tls.filter(|_| is_tls_open) {
        Some(tls) => tls.to_string(),
        None => settings.server.listen.to_string(),
    };
    bail!(
        "{place} is open to others than this machine, and the stored data holds published secrets\n  {}\n  \
         help: start once on 127.0.0.1 to change them, or choose another directory with --data-dir",
        in_force.join("\n  ")
    )
}

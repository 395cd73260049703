//! Settings that are read again while the service runs.

use anyhow::Result;
use switchboard_actors::System;

use crate::config::Settings;
use crate::config::load::SettingsSource;
use crate::config::problem::ConfigErrors;
use crate::serve::declare::{check, declare};
use crate::serve::hangups::Hangups;
use crate::serve::operator_token::settle_token;
use crate::serve::options::ServeOptions;

/// The settings in force, which each SIGHUP has read again.
pub(super) struct Reloading {
    /// None with `switchboard dev`, which ends with its terminal.
    hangups: Option<Hangups>,
    source: SettingsSource,
    settings: Settings,
}

/// Settings that were read again.
#[derive(Debug)]
struct Reload {
    /// The settings that hold from now on.
    settings: Settings,
    change: Change,
    /// The settings that changed and need a restart: their old values stay.
    unchangeable: Vec<&'static str>,
}

/// The extent of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    /// Users, channels, OAuth clients or the operator's token. They are declared beside requests.
    Declared,
    /// Other settings, with which the service begins another round.
    Round,
}

impl Reloading {
    pub(super) fn new(settings: &Settings, options: &ServeOptions) -> Result<Self> {
        Ok(Self {
            hangups: options.dev.is_none().then(Hangups::listen).transpose()?,
            source: options.source.clone(),
            settings: settings.clone(),
        })
    }

    /// The settings in force.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Reads the settings again at each SIGHUP, and puts in force what can be beside requests. Ends when the others need
    /// another round, with which they are in force.
    pub(super) async fn round_wanted(&mut self, system: &System) {
        let Some(hangups) = &mut self.hangups else {
            return std::future::pending().await;
        };
        loop {
            hangups.next().await;
            let reload = match read(&self.source, &self.settings) {
                Ok(reload) => reload,
                Err(errors) => {
                    tracing::error!(
                        "SIGHUP: the settings stay as they are, since the new ones are wrong: {errors}"
                    );
                    continue;
                }
            };
            if !reload.unchangeable.is_empty() {
                let names = reload.unchangeable.join(", ");
                tracing::warn!("SIGHUP: {names} changed; restart the service to put this in force");
            }
            if let Err(error) = check(system, &reload.settings).await {
                tracing::error!("SIGHUP: the settings stay as they are: {error:#}");
                continue;
            }
            match reload.change {
                Change::Nothing => tracing::info!("SIGHUP: no other setting has changed"),
                Change::Declared => match apply(system, &reload.settings).await {
                    Ok(()) => {
                        self.settings = reload.settings;
                        tracing::info!(
                            "SIGHUP: the users, channels, OAuth clients and the operator's token of the configuration are in force"
                        );
                    }
                    Err(error) => {
                        tracing::error!(
                            "SIGHUP: the settings are in force in part: {error:#}; mend them and send SIGHUP again"
                        );
                    }
                },
                Change::Round => {
                    self.settings = reload.settings;
                    return;
                }
            }
        }
    }
}

fn read(source: &SettingsSource, current: &Settings) -> Result<Reload, ConfigErrors> {
    Ok(Reload::new(source.load()?, current))
}

async fn apply(system: &System, settings: &Settings) -> Result<()> {
    declare(system, settings).await?;
    settle_token(system, settings).await
}

impl Reload {
    fn new(mut settings: Settings, current: &Settings) -> Self {
        let mut unchangeable = Vec::new();
        // What the process has opened for all of its rounds.
        keep(
            "server.listen",
            &mut settings.server.listen,
            &current.server.listen,
            &mut unchangeable,
        );
        keep(
            "store.path",
            &mut settings.store.path,
            &current.store.path,
            &mut unchangeable,
        );
        keep(
            "[shared_log]",
            &mut settings.shared_log,
            &current.shared_log,
            &mut unchangeable,
        );
        keep("[log]", &mut settings.log, &current.log, &mut unchangeable);
        let change = if settings == *current {
            Change::Nothing
        } else if undeclared(&settings) == undeclared(current) {
            Change::Declared
        } else {
            Change::Round
        };
        Self {
            settings,
            change,
            unchangeable,
        }
    }
}

/// Puts the current value back, and notes the name if the new one differs.
fn keep<T: Clone + PartialEq>(
    name: &'static str,
    value: &mut T,
    current: &T,
    unchangeable: &mut Vec<&'static str>,
) {
    if value != current {
        value.clone_from(current);
        unchangeable.push(name);
    }
}

/// The settings without what is declared beside requests. The accounts themselves stay, since the HTTP interface knows
/// which of them the configuration names.
fn undeclared(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.operator.token = None;
    settings.channels.clear();
    settings.oauth_clients.clear();
    for account in &mut settings.accounts {
        account.users.clear();
    }
    settings
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::config::{Overrides, SHIPPED};

    /// The shipped settings with a text replaced.
    fn settings(old: &str, new: &str) -> Settings {
        assert!(SHIPPED.contains(old), "{old}");
        let text = SHIPPED.replacen(old, new, 1);
        let env = BTreeMap::new();
        Settings::parse(&text, "config.toml", &env, Overrides::default()).unwrap()
    }

    #[test]
    fn the_extent_of_a_change_follows_from_the_settings_that_differ() {
        let current = settings("", "");
        for (old, new, change) in [
            ("", "", Change::Nothing),
            ("\"Passw0rd\"", "\"Passw0rd2\"", Change::Declared),
            (
                "token = \"change-me\"",
                "token = \"another-secret-token\"",
                Change::Declared,
            ),
            (
                "name = \"Demo messenger\"",
                "name = \"Other\"",
                Change::Declared,
            ),
            ("lang = \"en\"", "lang = \"es\"", Change::Round),
            ("# fetches_max = 8", "fetches_max = 9", Change::Round),
        ] {
            let reload = Reload::new(settings(old, new), &current);
            assert_eq!(
                (reload.change, reload.unchangeable),
                (change, vec![]),
                "{new}"
            );
        }
    }

    #[test]
    fn what_the_process_has_opened_stays() {
        let current = settings("", "");
        let new_settings = settings("listen = \"127.0.0.1:8080\"", "listen = \"127.0.0.1:9090\"");
        let reload = Reload::new(new_settings, &current);
        assert_eq!(reload.unchangeable, ["server.listen"]);
        assert_eq!(reload.change, Change::Nothing);
        assert_eq!(reload.settings, current);
    }
}

//! Which secret a client command signs with, and what else it takes from the configuration.

use std::path::PathBuf;

use clap::Args;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::signature::SharedSecret;

use super::config_file::{self, CONFIG_FILE};
use super::output::CommandFailure;
use crate::config::load::environment;
use crate::config::{Overrides, Settings};

#[derive(Debug, Args)]
pub(super) struct KeyArgs {
    /// The channel's secret [default: that of the channel in the configuration]
    #[arg(
        long,
        value_name = "SECRET",
        env = "SWITCHBOARD_CHANNEL_SECRET",
        hide_env_values = true
    )]
    pub(super) secret: Option<String>,
    /// The channel [default: the first of the configuration]
    #[arg(long, value_name = "ID", env = "SWITCHBOARD_CHANNEL_ID")]
    pub(super) channel: Option<ChannelId>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

/// Where a client command takes from what its flags leave out.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// The configuration for values that are not given [default: config.toml, else the one in /etc/switchboard]
    #[arg(long, value_name = "FILE", env = config_file::VARIABLE, global = true)]
    pub(super) config: Option<PathBuf>,
}

impl ConfigArgs {
    /// The configuration, if there is one.
    pub(super) fn settings(&self) -> Result<Option<Settings>, CommandFailure> {
        let Some(file) = self.file() else {
            return Ok(None);
        };
        let settings = Settings::load(Some(&file), &environment(), Overrides::default())?;
        Ok(Some(settings))
    }

    /// The configuration; without one, what the variables say.
    pub(super) fn settings_or_variables(&self) -> Result<Settings, CommandFailure> {
        let file = self.file();
        let settings = Settings::load(file.as_deref(), &environment(), Overrides::default())?;
        Ok(settings)
    }

    /// The file of the configuration, if there is one.
    pub(super) fn file(&self) -> Option<PathBuf> {
        config_file::find(self.config.as_deref())
    }
}

impl KeyArgs {
    /// The configuration, see [`ConfigArgs::settings`].
    pub(super) fn settings(&self) -> Result<Option<Settings>, CommandFailure> {
        self.config.settings()
    }

    /// The channel that is meant, out of the configuration.
    pub(super) fn channel<'a>(
        &self,
        settings: Option<&'a Settings>,
    ) -> Result<Option<&'a Channel>, CommandFailure> {
        self.declared(self.channel.as_ref(), settings)
    }

    /// This channel, or the first, out of the configuration.
    pub(super) fn declared<'a>(
        &self,
        id: Option<&ChannelId>,
        settings: Option<&'a Settings>,
    ) -> Result<Option<&'a Channel>, CommandFailure> {
        let Some(settings) = settings else {
            return Ok(None);
        };
        let Some(id) = id else {
            return Ok(settings.channels.first());
        };
        match settings.channels.iter().find(|channel| channel.id == *id) {
            Some(channel) => Ok(Some(channel)),
            // With a secret of its own the channel need not be in the configuration.
            None if self.secret.is_some() => Ok(None),
            None => Err(CommandFailure::Usage(format!(
                "the configuration has no channel {id}"
            ))),
        }
    }

    /// The secret: the one that is given, else the channel's.
    pub(super) fn secret(&self, channel: Option<&Channel>) -> Result<SharedSecret, CommandFailure> {
        match (&self.secret, channel) {
            (Some(secret), _) => secret
                .parse()
                .map_err(|error| CommandFailure::Usage(format!("--secret: {error}"))),
            (None, Some(channel)) => Ok(channel.secret.clone()),
            (None, None) => Err(CommandFailure::Usage(format!(
                "no secret to sign with\n  help: give --secret, or run it beside a {CONFIG_FILE} that declares the channel"
            ))),
        }
    }
}

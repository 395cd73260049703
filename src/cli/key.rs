//! The secret that a client command signs with, and the other parts of the configuration that it needs.

use std::path::PathBuf;

use clap::Args;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::signature::SharedSecret;

use super::given::{Given, given, given_secret, parsed};
use super::output::CliError;
use super::url::no_default;
use crate::config::load::environment;
use crate::config::program::command;
use crate::config::{Overrides, Settings};
use crate::config_file;
use crate::variables;

#[derive(Debug, Args)]
pub(super) struct KeyArgs {
    /// The channel's secret [default: that of the channel in the configuration]
    #[arg(
        long,
        value_name = "SECRET",
        env = variables::CHANNEL_SECRET,
        value_parser = given_secret(parsed::<SharedSecret>),
        hide_env_values = true
    )]
    pub(super) secret: Option<Given<SharedSecret>>,
    /// The channel [default: the first of the configuration]
    #[arg(
        long,
        value_name = "ID",
        env = variables::CHANNEL_ID,
        value_parser = given(parsed::<ChannelId>)
    )]
    pub(super) channel: Option<Given<ChannelId>>,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

/// The source of the values that the flags of a client command leave out.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// The configuration for values that are not given [default: config.toml, else the one in /etc/switchboard]
    #[arg(long, value_name = "FILE", env = variables::CONFIG, global = true)]
    pub(super) config: Option<PathBuf>,
}

impl ConfigArgs {
    /// The configuration, if there is one.
    pub(super) fn settings(&self) -> Result<Option<Settings>, CliError> {
        let Some(file) = self.file() else {
            return Ok(None);
        };
        let settings = Settings::load(Some(&file), &environment(), Overrides::default())?;
        Ok(Some(settings))
    }

    /// The configuration; without one, what the variables say.
    pub(super) fn settings_or_variables(&self) -> Result<Settings, CliError> {
        let file = self.file();
        let settings = Settings::load(file.as_deref(), &environment(), Overrides::default())?;
        Ok(settings)
    }

    /// The file of the configuration, if there is one.
    pub(super) fn file(&self) -> Option<PathBuf> {
        config_file::find(self.config.as_deref())
    }

    /// Something is neither given nor in the configuration: what to do about it, in this case. `see` is a command about
    /// such things.
    pub(super) fn lacks(&self, what: &str, [flag, variable]: [&str; 2], see: &str) -> CliError {
        let Some(file) = self.file() else {
            return no_default(&format!("no {what}"), flag, variable);
        };
        CliError::Usage(format!(
            "{} declares no {what}\n  help: give {flag}, or set {variable}; see  {}",
            file.display(),
            command(see)
        ))
    }
}

impl KeyArgs {
    /// The configuration, see [`ConfigArgs::settings`].
    pub(super) fn settings(&self) -> Result<Option<Settings>, CliError> {
        self.config.settings()
    }

    /// The channel that is meant, out of the configuration.
    pub(super) fn channel<'a>(
        &self,
        settings: Option<&'a Settings>,
    ) -> Result<Option<&'a Channel>, CliError> {
        self.declared(self.channel.as_ref().map(|it| &it.value), settings)
    }

    /// This channel, or the first, out of the configuration.
    pub(super) fn declared<'a>(
        &self,
        id: Option<&ChannelId>,
        settings: Option<&'a Settings>,
    ) -> Result<Option<&'a Channel>, CliError> {
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
            None => Err(self.undeclared(id)),
        }
    }

    fn undeclared(&self, id: &ChannelId) -> CliError {
        let channel = self.channel.as_ref().filter(|it| it.value == *id);
        let source = channel.map_or_else(String::new, |it| format!(" ({})", it.source));
        CliError::Usage(format!(
            "the configuration has no channel {id}{source}\n  help: give its secret with --secret, or set {}",
            variables::CHANNEL_SECRET
        ))
    }

    /// The secret: the one that is given, else the channel's.
    pub(super) fn secret(&self, channel: Option<&Channel>) -> Result<SharedSecret, CliError> {
        let own = self.secret.as_ref().map(|secret| secret.value.clone());
        let secret = own.or_else(|| Some(channel?.secret.clone()));
        secret.ok_or_else(|| {
            let names = ["--secret", variables::CHANNEL_SECRET];
            self.config
                .lacks("channel whose secret could sign", names, "channel list")
        })
    }
}

//! The destination of messages, by flags, variables and the configuration.

use std::time::Duration;

use clap::Args;
use switchboard_actors::domain::id::{AccountId, ScopeId};
use switchboard_actors::domain::signature::Signer;
use tokio::sync::Mutex;

use super::Chat;
use crate::cli::given::{Given, Source, given, parsed};
use crate::cli::key::KeyArgs;
use crate::cli::output::CliError;
use crate::cli::secret::SecretInDoubt;
use crate::cli::url::UrlArgs;
use crate::cli::web::client;
use crate::config::Settings;
use crate::config::program::command;
use crate::variables;

/// The destination of messages, and the channel that signs them.
#[derive(Debug, Args)]
pub(in crate::cli) struct ChatArgs {
    #[command(flatten)]
    url: UrlArgs,
    /// The account that receives the messages [default: the first of the configuration]
    #[arg(
        long,
        value_name = "ID",
        env = variables::ACCOUNT_ID,
        value_parser = given(parsed::<AccountId>)
    )]
    account: Option<Given<AccountId>>,
    #[command(flatten)]
    key: KeyArgs,
}

impl ChatArgs {
    /// Takes from the flags what they give, and the rest from the configuration. A `scope` outranks both.
    pub(in crate::cli) fn chat(
        &self,
        scope: Option<&ScopeId>,
        timeout: Duration,
    ) -> Result<Chat, CliError> {
        let has_scope = scope.is_some();
        scope.map_or(Ok(()), |scope| self.agrees(scope))?;
        let flag_channel = self.key.channel.as_ref().map(|it| &it.value);
        let channel = scope.map(ScopeId::channel).or(flag_channel);
        let flag_account = self.account.as_ref().map(|it| it.value);
        let account = scope.map(ScopeId::account).or(flag_account);
        let is_complete = self.url.given().is_some()
            && account.is_some()
            && self.key.secret.is_some()
            && channel.is_some();
        let configuration = if is_complete {
            None
        } else {
            self.key.settings()?
        };
        let settings = configuration.as_ref();
        let url = self.url.or_configured(settings)?;
        let declared = self.key.declared(channel, settings)?;
        let account = account.or_else(|| Some(settings?.accounts.first()?.id));
        let config = &self.key.config;
        let account = account.ok_or_else(|| {
            let names = ["--account", variables::ACCOUNT_ID];
            config.lacks("account", names, "account list")
        })?;
        let channel = channel.or_else(|| Some(&declared?.id)).ok_or_else(|| {
            let names = ["--channel", variables::CHANNEL_ID];
            config.lacks("channel", names, "channel list")
        })?;
        let secret = self.key.secret(declared)?;
        // Another service has another operator.
        let configured = |it: &&Settings| it.service_url().as_ref() == Some(&url.value);
        let its_own = settings.filter(configured);
        let scope = ScopeId::new(channel.clone(), account);
        Ok(Chat {
            client: client(timeout)?,
            signer: Signer::new(&secret),
            secret: SecretInDoubt::new(&self.key, &secret, Some(channel.clone()), its_own),
            connect: self.connect(&scope),
            named: self.named_by_variables().filter(|_| !has_scope),
            scope,
            url,
            taken: Mutex::new(None),
        })
    }

    /// Refuses flags that contradict the scope. The scope outranks variables.
    fn agrees(&self, scope: &ScopeId) -> Result<(), CliError> {
        let account = self.account.as_ref().filter(|it| it.is_flag());
        let channel = self.key.channel.as_ref().filter(|it| it.is_flag());
        let wrong = if account.is_some_and(|it| it.value != scope.account()) {
            Some("--account")
        } else if channel.is_some_and(|it| it.value != *scope.channel()) {
            Some("--channel")
        } else {
            None
        };
        wrong.map_or(Ok(()), |flag| {
            let why = format!("--scope contradicts {flag}\n  help: leave one of the two out");
            Err(CliError::Usage(why))
        })
    }

    /// The channel or account that variables of the environment name, for the help of an error.
    fn named_by_variables(&self) -> Option<String> {
        let channel = self.key.channel.as_ref().map(|it| ("channel", &it.source));
        let account = self.account.as_ref().map(|it| ("account", &it.source));
        let sources: Vec<_> = channel
            .into_iter()
            .chain(account)
            .filter(|(_, source)| matches!(source, Source::Variable(_)))
            .map(|(what, source)| format!("the {what} is from {source}"))
            .collect();
        (!sources.is_empty()).then(|| format!("  help: {}", sources.join(", ")))
    }

    /// The command that connects this account to this channel, at the same service and with the same secret.
    fn connect(&self, scope: &ScopeId) -> String {
        let (channel, account) = (scope.channel(), scope.account());
        let mut words = format!("connect --channel {channel} --account {account}");
        if let Some(url) = self.url.given().filter(|it| it.is_flag()) {
            words.push_str(&format!(" --url {}", url.value));
        }
        if self.key.secret.as_ref().is_some_and(Given::is_flag) {
            words.push_str(" --secret SECRET");
        }
        if let Some(config) = &self.key.config.config {
            words.push_str(&format!(" --config {}", config.display()));
        }
        command(&words)
    }
}

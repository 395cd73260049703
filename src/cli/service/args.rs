//! The address of an interface of a running service, and the token for it: that of the operator, or that of an account
//! user.

use clap::Args;
use url::Url;

use super::Service;
use crate::cli::given::{Given, given_secret};
use crate::cli::key::ConfigArgs;
use crate::cli::output::CliError;
use crate::cli::url::UrlArgs;
use crate::config::Settings;
use crate::config::values::Secret;
use crate::variables;

/// The address of the operator's interface, and its token.
#[derive(Debug, Args)]
pub(in crate::cli) struct OperatorArgs {
    #[command(flatten)]
    url: UrlArgs,
    /// The operator's token [default: operator.token of the configuration]
    #[arg(
        long,
        value_name = "TOKEN",
        env = variables::OPERATOR_TOKEN,
        value_parser = given_secret(Secret::bearer),
        hide_env_values = true,
        global = true
    )]
    token: Option<Given<Secret>>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Print the service's answer, one JSON document
    #[arg(long, global = true)]
    pub(in crate::cli) json: bool,
}

impl OperatorArgs {
    /// The service with the operator's token.
    pub(in crate::cli) fn service(&self) -> Result<Service, CliError> {
        if let (Some(url), Some(token)) = (self.url.given(), &self.token) {
            return Service::new(url.clone(), token.clone());
        }
        // Without a file there are still the environment and the defaults.
        let settings = self.config.settings_or_variables()?;
        let url = self.url.or_configured(Some(&settings))?;
        let operator_token = settings.operator.token;
        let from_file = operator_token.map(|token| Given::configured("operator.token", token));
        let token = self.token.clone().or(from_file).ok_or_else(|| {
            CliError::Usage(format!(
                "no operator's token\n  help: give --token, or set {}; a service without a configured one printed it at its first start",
                variables::OPERATOR_TOKEN
            ))
        })?;
        Service::new(url, token)
    }
}

impl OperatorArgs {
    /// The settings, with the variables and the defaults.
    pub(in crate::cli) fn settings(&self) -> Result<Settings, CliError> {
        self.config.settings_or_variables()
    }

    /// The address of the service.
    pub(in crate::cli) fn url(&self, settings: &Settings) -> Result<Url, CliError> {
        Ok(self.url.or_configured(Some(settings))?.value)
    }
}

/// The address of the interfaces for account users, and the token of the user.
#[derive(Debug, Args)]
pub(in crate::cli) struct AccountUserArgs {
    #[command(flatten)]
    url: UrlArgs,
    /// The user's bearer token [default: that of the first configured user who has one]
    #[arg(
        long,
        value_name = "TOKEN",
        env = variables::USER_TOKEN,
        value_parser = given_secret(Secret::bearer),
        hide_env_values = true,
        global = true
    )]
    token: Option<Given<Secret>>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Print the service's answer, one JSON document
    #[arg(long, global = true)]
    pub(in crate::cli) json: bool,
}

impl AccountUserArgs {
    /// The service with the user's token.
    pub(in crate::cli) fn service(&self) -> Result<Service, CliError> {
        if let (Some(url), Some(token)) = (self.url.given(), &self.token) {
            return Service::new(url.clone(), token.clone());
        }
        let settings = self.config.settings()?;
        let own = self.token.clone();
        let token = own.or_else(|| configured(settings.as_ref()?));
        let url = self.url.or_configured(settings.as_ref())?;
        let token = token.ok_or_else(|| {
            let names = ["--token", variables::USER_TOKEN];
            self.config
                .lacks("user with a bearer token", names, "token create --help")
        })?;
        Service::new(url, token)
    }

    /// The settings, if there is a configuration.
    pub(in crate::cli) fn settings(&self) -> Result<Option<Settings>, CliError> {
        self.config.settings()
    }
}

/// The token of the first configured user who has one.
fn configured(settings: &Settings) -> Option<Given<Secret>> {
    let users = settings.accounts.iter().flat_map(|account| &account.users);
    let token = users.filter_map(|user| user.token.clone()).next()?;
    Some(Given::configured("the token of a user", token))
}

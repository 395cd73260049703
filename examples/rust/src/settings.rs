//! The settings of the bridge, from its environment.

use std::env;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

/// The settings.
pub(crate) struct Settings {
    pub(crate) port: u16,
    /// The address of the service, without a slash at its end.
    pub(crate) url: String,
    pub(crate) account_id: String,
    pub(crate) channel_id: String,
    pub(crate) scope_id: String,
    /// The secrets of the channel; two during a rotation.
    pub(crate) secrets: Vec<String>,
    pub(crate) client_id: String,
    pub(crate) client_secret: String,
    pub(crate) redirect_uri: String,
    /// The authorization code of the first installation.
    pub(crate) code: Option<String>,
    pub(crate) directory: PathBuf,
    /// True when the exam may use the messenger.
    pub(crate) has_exam: bool,
}

impl Settings {
    /// Reads them.
    ///
    /// # Errors
    /// When one that is needed is missing.
    pub(crate) fn from_environment() -> Result<Self> {
        let exam_directory = optional("SWITCHBOARD_EXAM_DIRECTORY");
        let directory = exam_directory
            .clone()
            .or_else(|| optional("STATE_DIRECTORY"));
        let port = optional("PORT").unwrap_or_else(|| "9001".to_owned());
        let secrets = [
            Some(required("SWITCHBOARD_CHANNEL_SECRET")?),
            optional("SWITCHBOARD_CHANNEL_SECRET_NEXT"),
        ];
        Ok(Self {
            port: port.parse().context("PORT is no number of a port")?,
            url: required("SWITCHBOARD_URL")?
                .trim_end_matches('/')
                .to_owned(),
            account_id: required("SWITCHBOARD_ACCOUNT_ID")?,
            channel_id: required("SWITCHBOARD_CHANNEL_ID")?,
            scope_id: required("SWITCHBOARD_SCOPE_ID")?,
            secrets: secrets.into_iter().flatten().collect(),
            client_id: optional("SWITCHBOARD_CLIENT_ID").unwrap_or_default(),
            client_secret: optional("SWITCHBOARD_CLIENT_SECRET").unwrap_or_default(),
            redirect_uri: optional("SWITCHBOARD_REDIRECT_URI").unwrap_or_default(),
            code: optional("SWITCHBOARD_CODE"),
            directory: directory.unwrap_or_else(|| ".".to_owned()).into(),
            has_exam: exam_directory.is_some(),
        })
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the settings of a bridge are its environment"
)]
fn optional(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn required(name: &str) -> Result<String> {
    optional(name).with_context(|| format!("the environment has no {name}"))
}

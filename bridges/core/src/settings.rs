//! The settings of a bridge.

use std::env;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Context as _, Result};

/// The requests in a second that the service allows to an integration.
pub const REQUESTS_PER_SECOND: usize = 7;
/// The number of jobs that may wait, unless it is set.
pub const JOBS_MAX: usize = 100_000;

/// The settings.
pub struct Settings {
    /// The address on which it serves; port 0 is a free one.
    pub listen: SocketAddr,
    /// The address of the service, without a slash at its end.
    pub url: String,
    /// The account that the bridge serves: the id that the chat interface has for it.
    pub account_id: String,
    /// The channel, whose secrets sign.
    pub channel_id: String,
    /// The connection of the account to the channel; empty for the usual id of it.
    pub scope_id: String,
    /// The secrets of the channel; two during a rotation.
    pub secrets: Vec<String>,
    /// The OAuth client of the account side; empty without one.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
    /// Its address for the browser.
    pub redirect_uri: String,
    /// The authorization code of the first installation.
    pub code: Option<String>,
    /// The directory of the store.
    pub directory: PathBuf,
    /// True when the bridge has to connect the account to the channel.
    pub connect: bool,
    /// The name of the connection.
    pub title: String,
    /// The most requests to the service in a second.
    pub requests_per_second: usize,
    /// The most jobs that wait: beyond it, callbacks get 503.
    pub jobs_max: usize,
}

impl Settings {
    /// Reads them from the variables of a scenario file: the account is connected already, and the environment has its scope id.
    ///
    /// # Errors
    /// When one that is needed is missing.
    pub fn from_environment() -> Result<Self> {
        let directory =
            optional("SWITCHBOARD_EXAM_DIRECTORY").or_else(|| optional("STATE_DIRECTORY"));
        let port_text = optional("PORT").unwrap_or_else(|| "9001".to_owned());
        let port: u16 = port_text.parse().context("PORT is no number of a port")?;
        let secrets = [
            Some(required("SWITCHBOARD_CHANNEL_SECRET")?),
            optional("SWITCHBOARD_CHANNEL_SECRET_NEXT"),
        ];
        Ok(Self {
            listen: (Ipv4Addr::LOCALHOST, port).into(),
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
            connect: false,
            title: "Bridge".to_owned(),
            requests_per_second: REQUESTS_PER_SECOND,
            jobs_max: JOBS_MAX,
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

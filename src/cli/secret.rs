//! The check of a secret: commands explain whether it is the channel's when signatures with it are refused.

use std::fmt;
use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::signature::SharedSecret;
use url::Url;

use super::given::{Given, Source};
use super::key::KeyArgs;
use super::service::Service;
use crate::config::Settings;
use crate::config::program::command;
use crate::config::values::Secret;
use crate::config_file::CONFIG_FILE;

/// The longest wait for the service: an explanation is not worth a longer one.
const PATIENCE: Duration = Duration::from_secs(5);

/// A secret that a command signs or checks with, and how to find out whether it is the channel's.
pub(super) struct SecretInDoubt {
    fingerprint: String,
    named: Named,
    channel: Option<ChannelId>,
    /// The operator's interface, where it is configured.
    operator: Option<(Given<Url>, Given<Secret>)>,
}

impl SecretInDoubt {
    /// The secret that the flags gave, or else the configuration.
    pub(super) fn new(
        key: &KeyArgs,
        secret: &SharedSecret,
        channel: Option<ChannelId>,
        settings: Option<&Settings>,
    ) -> Self {
        let operator = settings.and_then(|settings| {
            let url = Given::configured("the address of the service", settings.service_url()?);
            let token = settings.operator.token.clone()?;
            Some((url, Given::configured("operator.token", token)))
        });
        Self {
            fingerprint: secret.fingerprint(),
            named: Named::from_args(key),
            channel,
            operator,
        }
    }

    /// Explains what is wrong with the secret, as far as that can be found out; `None` when the channel has it.
    pub(super) async fn explained(&self) -> Option<String> {
        let Self {
            fingerprint, named, ..
        } = self;
        let channel = self.channel.as_ref();
        let id = channel.map_or("CHANNEL".to_owned(), ToString::to_string);
        match self.known().await {
            Some(known) if known.takes(fingerprint) => None,
            // The running integration has the right one: another one would cut it off without a grace period.
            Some(known) => Some(format!(
                "{named} the channel's (fingerprint {fingerprint}, the channel has {})\n  help: {}; the integration of the channel has it. If it is lost, this makes another, and the old one stays valid for a day:  {}",
                known.fingerprint,
                named.remedy(),
                command(&format!("channel rotate-secret {id} --grace 24h"))
            )),
            None => Some(format!(
                "the secret may be wrong: its fingerprint is {fingerprint} ({})\n  help: compare it with the fingerprint that this prints:  {}",
                named.source(),
                command(&format!("channel get {id}"))
            )),
        }
    }

    /// The fingerprints of the channel's secrets, from the operator's interface, if it can be asked.
    async fn known(&self) -> Option<ChannelFingerprints> {
        let (url, token) = self.operator.clone()?;
        let path = format!("admin/v1/channels/{}", self.channel.as_ref()?);
        let service = Service::new(url, token).ok()?;
        let request = service.ask(Method::GET, &path, None);
        let channel = tokio::time::timeout(PATIENCE, request).await.ok()?.ok()?;
        let text = |pointer| channel.pointer(pointer).and_then(Value::as_str);
        Some(ChannelFingerprints {
            fingerprint: text("/secret_fingerprint")?.to_owned(),
            old: text("/rotation/old_secret_fingerprint").map(str::to_owned),
        })
    }
}

/// The source of the secret.
enum Named {
    /// By a flag or a variable of its own.
    Given(Source),
    /// By the configuration, of which this is the file.
    Configured(String),
}

impl Named {
    fn from_args(key: &KeyArgs) -> Self {
        match &key.secret {
            Some(given) => Self::Given(given.source.clone()),
            None => {
                let file = key.config.file().unwrap_or_else(|| CONFIG_FILE.into());
                Self::Configured(file.display().to_string())
            }
        }
    }

    /// The place where the right secret belongs.
    fn remedy(&self) -> String {
        match self {
            Self::Given(Source::Flag(flag)) => format!("give the channel's secret with {flag}"),
            Self::Given(source) => format!("put the channel's secret into {source}"),
            Self::Configured(file) => {
                format!("give the channel's secret with --secret, or write it into {file}")
            }
        }
    }

    fn source(&self) -> String {
        match self {
            Self::Given(source) => format!("from {source}"),
            Self::Configured(file) => format!("from {file}"),
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(source) => write!(f, "the secret from {source} is not"),
            Self::Configured(file) => write!(f, "the secret in {file} is no longer"),
        }
    }
}

/// The fingerprints of the secrets that the channel has.
struct ChannelFingerprints {
    fingerprint: String,
    old: Option<String>,
}

impl ChannelFingerprints {
    fn takes(&self, fingerprint: &str) -> bool {
        self.fingerprint == fingerprint || self.old.as_deref() == Some(fingerprint)
    }
}

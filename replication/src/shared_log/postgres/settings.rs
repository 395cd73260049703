//! The settings of a log in PostgreSQL, and the reasons for which a server cannot hold it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rustls::{ClientConfig, RootCertStore};

use crate::shared_log::standing::LogStanding;

/// The time that an answer may take.
const ANSWER_PATIENCE: Duration = Duration::from_secs(10);

/// The settings of a log.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of the log among those of the table.
    pub partition: i32,
    /// True when a server without a synchronous standby will do: the log is lost with its disk.
    pub alone: bool,
    /// The time that an answer of the server may take. Behind it the outcome of an append is unknown.
    pub answer_within: Duration,
    /// Notes whether the server waits for a standby.
    pub standing: LogStanding,
    /// The roots that a connection by TLS trusts.
    pub trust: Trust,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            partition: 0,
            alone: false,
            answer_within: ANSWER_PATIENCE,
            standing: LogStanding::default(),
            trust: Trust::default(),
        }
    }
}

/// The reason for which a server cannot hold the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostgresSettingsError {
    /// A setting has to change first, here or at the server.
    #[error("{0}")]
    Settings(String),
    /// It cannot now; it may be tried again.
    #[error("{0}")]
    Now(String),
}

/// The roots that a connection by TLS trusts: read when a log is opened whose URL does not forbid TLS.
#[derive(Clone)]
pub struct Trust(Arc<dyn Fn() -> Result<ClientConfig, String> + Send + Sync>);

impl Trust {
    /// The roots of this configuration.
    #[must_use]
    pub fn new(config: impl Fn() -> Result<ClientConfig, String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(config))
    }

    pub(super) fn config(&self) -> Result<ClientConfig, PostgresSettingsError> {
        (self.0)().map_err(PostgresSettingsError::Settings)
    }
}

/// Trusts no certificate.
impl Default for Trust {
    fn default() -> Self {
        Self::new(|| {
            let ring = Arc::new(rustls::crypto::ring::default_provider());
            let config = ClientConfig::builder_with_provider(ring)
                .with_safe_default_protocol_versions()
                .map_err(|error| format!("TLS cannot be set up: {error}"))?;
            let nothing = RootCertStore::empty();
            Ok(config.with_root_certificates(nothing).with_no_client_auth())
        })
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trust").finish_non_exhaustive()
    }
}

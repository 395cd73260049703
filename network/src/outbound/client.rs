//! The HTTP client for downloads, and the limits that it shares with the [connections of callbacks](super::connections).
//!
//! It speaks HTTP/1.1 only, follows no redirect, obeys no proxy variable, keeps no cookie, decodes no compression and
//! repeats nothing on its own.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect;
use rustls::pki_types::CertificateDer;

use super::guard::AddressGuard;
use super::lookup::Lookup;
use super::resolver::GuardedResolver;
use super::roots::{RootsError, tls_config};

/// Name and version as receivers see them.
pub(super) const USER_AGENT: &str = concat!("switchboard/", env!("CARGO_PKG_VERSION"));

/// More headers than this in an answer make it unreadable. Applications behind several proxies send more than a hundred.
pub(super) const HEADERS_MAX: usize = 1_000;
/// A longer head of an answer is unreadable, in bytes.
pub(super) const HEAD_MAX: usize = 256 << 10;

/// The client's limits.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The longest time of opening a connection: look-up, TCP and TLS together.
    pub connect_timeout: Duration,
    /// The longest time of a look-up. Shorter than `connect_timeout`, so that a name server that hangs is reported as
    /// such and not as a receiver that cannot be reached.
    pub lookup_timeout: Duration,
    /// Look-ups in progress at the same time; each occupies a thread.
    pub lookups_at_once: usize,
    /// Connections kept open for the next request, per host and port.
    pub idle_per_host: usize,
    /// The time for which an idle connection is kept.
    pub idle_timeout: Duration,
    /// Root certificates to believe besides the system's own.
    pub extra_roots: Vec<CertificateDer<'static>>,
}

impl Default for ClientSettings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(2),
            lookup_timeout: Duration::from_millis(1_500),
            lookups_at_once: 64,
            idle_per_host: 32,
            idle_timeout: Duration::from_secs(30),
            extra_roots: Vec::new(),
        }
    }
}

/// The reason why the client could not be built.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The certificates or the cryptography.
    #[error(transparent)]
    Roots(#[from] RootsError),
    /// The client itself.
    #[error("the HTTP client cannot be built: {0}")]
    Build(#[from] reqwest::Error),
}

/// Builds the client; `guard` judges every address that `lookup` finds. Reads the system's
/// certificates from disk, so it belongs in the start-up and not in a request.
///
/// Literal addresses in a URL never reach the resolver: a caller must ask [`AddressGuard::check`] before it sends a
/// request through this client.
///
/// # Errors
/// See [`ClientError`].
pub fn build(
    settings: &ClientSettings,
    guard: Arc<AddressGuard>,
    lookup: Arc<dyn Lookup>,
) -> Result<reqwest::Client, ClientError> {
    let tls = tls_config(&settings.extra_roots)?;
    let (at_once, deadline) = (settings.lookups_at_once, settings.lookup_timeout);
    let resolver = GuardedResolver::new(lookup, guard, at_once, deadline);
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(resolver)
        .redirect(redirect::Policy::none())
        .no_proxy()
        .retry(reqwest::retry::never())
        .referer(false)
        .http1_only()
        .http1_max_headers(HEADERS_MAX)
        // Header names are the same in any case; some receivers do not know that and look
        // for the documented spelling.
        .http1_title_case_headers()
        .user_agent(USER_AGENT)
        .connect_timeout(settings.connect_timeout)
        .pool_max_idle_per_host(settings.idle_per_host)
        .pool_idle_timeout(settings.idle_timeout)
        .tcp_nodelay(true)
        .build()?;
    Ok(client)
}

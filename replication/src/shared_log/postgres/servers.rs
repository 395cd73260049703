//! The servers of a URL, and which of them is asked next.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::session::{Session, Standing};
use super::settings::{PostgresSettingsError, Settings, Trust};
use super::statement_error::unconnected;
use super::tls::{Tls, TlsError};

/// The time that a connection may take where the URL does not say it.
const CONNECT_PATIENCE: Duration = Duration::from_secs(3);
/// A silent connection is asked after this time, so often, and is given up then.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEPALIVE_RETRIES: u32 = 3;
/// The default of the client library.
const KEEPALIVE_UNSET: Duration = Duration::from_secs(2 * 60 * 60);
/// A connection ends when the server has not confirmed bytes for so long.
const UNCONFIRMED: Duration = Duration::from_secs(10);

/// The servers of a URL.
pub(super) struct Servers {
    each: Vec<Server>,
    /// The index of the server that is tried first.
    first: usize,
    tls: Option<Tls>,
    /// The names of all of them, for people.
    names: String,
}

/// The highest timeline that this process has seen of each set of servers: a server with a lower one was left behind by a failover.
static TIMELINES: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());

struct Server {
    /// Its name, for people.
    name: String,
    config: Config,
}

impl Servers {
    /// Reads a URL.
    pub(super) fn parse(url: &str, trust: &Trust) -> Result<Self, PostgresSettingsError> {
        // A wrong URL is not repeated, nor what the parser says of it: any part may be of a password.
        let wrong = || {
            PostgresSettingsError::Settings(
                "the address of the log is not of the form postgres://user:password@host,host/database?sslmode=require; letters \
                 of a password other than A-Z, a-z and 0-9 are written as %XX, and sslmode is disable, prefer or require (which \
                 verifies the certificate)"
                    .to_owned(),
            )
        };
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(wrong());
        }
        let config: Config = url.parse().ok().ok_or_else(wrong)?;
        let servers: Option<Vec<_>> = (0..config.get_hosts().len())
            .map(|at| Server::at(&config, at))
            .collect();
        let each = servers.filter(|each| !each.is_empty()).ok_or_else(wrong)?;
        let tls = match config.get_ssl_mode() == SslMode::Disable {
            true => None,
            false => Some(Tls::new(trust.config()?)),
        };
        let names: Vec<_> = each.iter().map(|server| server.name.as_str()).collect();
        Ok(Self {
            names: names.join(","),
            each,
            first: 0,
            tls,
        })
    }

    /// Begins with another server the next time: this one does not answer.
    pub(super) fn turn(&mut self) {
        self.first = self.first.saturating_add(1);
    }

    /// A session with the first server that takes writes. While nothing is known of the timelines, with the one that has the
    /// highest.
    ///
    /// # Errors
    /// Why none does, server by server.
    pub(super) async fn connect(
        &mut self,
        settings: &Settings,
    ) -> Result<Session, PostgresSettingsError> {
        let last_timeline = self.timeline();
        let (mut reasons, mut may_pass) = (Vec::new(), false);
        let mut candidate: Option<(usize, Session)> = None;
        for turn in 0..self.each.len() {
            let at = self
                .first
                .saturating_add(turn)
                .checked_rem(self.each.len())
                .unwrap_or_default();
            let Some(server) = self.each.get(at) else {
                continue;
            };
            let timeline = |session: &Session| session.standing.timeline;
            let most = candidate
                .as_ref()
                .map_or(last_timeline, |(_, session)| timeline(session));
            let session = match server.connect(self.tls.clone(), settings).await {
                Ok(session) => session,
                Err(reason) => {
                    may_pass |= matches!(reason, PostgresSettingsError::Now(_));
                    reasons.push(format!("{}: {reason}", server.name));
                    continue;
                }
            };
            if let Some(reason) = unfit(&session.standing, most) {
                may_pass = true;
                reasons.push(format!("{}: {reason}", server.name));
                continue;
            }
            if candidate
                .as_ref()
                .is_none_or(|(_, best)| timeline(best) < timeline(&session))
            {
                candidate = Some((at, session));
            }
            if last_timeline > 0 {
                break;
            }
        }
        if let Some((at, session)) = candidate {
            self.first = at;
            self.has_seen(session.standing.timeline);
            return Ok(session);
        }
        let reason = format!("no PostgreSQL takes writes: {}", reasons.join("; "));
        Err(match may_pass {
            true => PostgresSettingsError::Now(reason),
            false => PostgresSettingsError::Settings(reason),
        })
    }

    /// The highest timeline that this process has seen of these servers; 0: none.
    fn timeline(&self) -> u32 {
        let timelines = TIMELINES.lock().unwrap_or_else(PoisonError::into_inner);
        timelines.get(&self.names).copied().unwrap_or_default()
    }

    fn has_seen(&self, timeline: u32) {
        let mut timelines = TIMELINES.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = timelines.entry(self.names.clone()).or_default();
        *newest = timeline.max(*newest);
    }
}

/// The reason for which a server is not asked.
fn unfit(standing: &Standing, timeline: u32) -> Option<String> {
    if standing.in_recovery {
        return Some("it is a standby; it may be asked once it is promoted".to_owned());
    }
    if standing.read_only {
        return Some("its default_transaction_read_only is on".to_owned());
    }
    (standing.timeline < timeline).then(|| {
        format!(
            "it is on timeline {} and another server is on {timeline}: it was the primary before a failover",
            standing.timeline
        )
    })
}

impl Server {
    /// One of the hosts that a URL names.
    fn at(parsed: &Config, at: usize) -> Option<Self> {
        let mut config = Config::new();
        let ports = parsed.get_ports();
        let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
        let name = match parsed.get_hosts().get(at)? {
            Host::Tcp(host) => {
                config.host(host);
                host.clone()
            }
            Host::Unix(path) => {
                config.host_path(path);
                path.display().to_string()
            }
        };
        // An unescaped password moves its end into the name of the host.
        let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-_:/[]%".contains(letter);
        if name.is_empty() || !name.chars().all(plain) {
            return None;
        }
        config.port(port).application_name("switchboard");
        if let Some(address) = parsed.get_hostaddrs().get(at) {
            config.hostaddr(*address);
        }
        if let Some(user) = parsed.get_user() {
            config.user(user);
        }
        if let Some(password) = parsed.get_password() {
            config.password(password);
        }
        if let Some(database) = parsed.get_dbname() {
            config.dbname(database);
        }
        if let Some(options) = parsed.get_options() {
            config.options(options);
        }
        let idle = match parsed.get_keepalives_idle() {
            KEEPALIVE_UNSET => KEEPALIVE_IDLE,
            other => other,
        };
        config
            .ssl_mode(parsed.get_ssl_mode())
            .ssl_negotiation(parsed.get_ssl_negotiation())
            .channel_binding(parsed.get_channel_binding())
            .connect_timeout(*parsed.get_connect_timeout().unwrap_or(&CONNECT_PATIENCE))
            .tcp_user_timeout(*parsed.get_tcp_user_timeout().unwrap_or(&UNCONFIRMED))
            .keepalives(parsed.get_keepalives())
            .keepalives_idle(idle)
            .keepalives_interval(
                parsed
                    .get_keepalives_interval()
                    .unwrap_or(KEEPALIVE_INTERVAL),
            )
            .keepalives_retries(parsed.get_keepalives_retries().unwrap_or(KEEPALIVE_RETRIES));
        Some(Self {
            name: format!("{name}:{port}"),
            config,
        })
    }

    async fn connect(
        &self,
        tls: Option<Tls>,
        settings: &Settings,
    ) -> Result<Session, PostgresSettingsError> {
        let patience = self
            .config
            .get_connect_timeout()
            .copied()
            .unwrap_or(CONNECT_PATIENCE)
            .min(settings.answer_within);
        // The limit of the library is for the socket only. A frozen server takes that and says nothing.
        let attempt = timeout(patience, self.try_both(tls, settings)).await;
        let Ok(connection) = attempt else {
            let reason = format!("it does not answer within {patience:?}");
            return Err(PostgresSettingsError::Now(reason));
        };
        connection.map_err(|error| {
            let user = self.config.get_user().unwrap_or_default();
            let database = self.config.get_dbname().unwrap_or(user);
            unconnected(&error, user, database)
        })
    }

    /// Connects by TLS, and, where the URL only prefers that and it cannot be used, without.
    async fn try_both(
        &self,
        tls: Option<Tls>,
        settings: &Settings,
    ) -> Result<Session, tokio_postgres::Error> {
        let Some(tls) = tls else {
            return Session::open(&self.config, tokio_postgres::NoTls, settings).await;
        };
        let error = match Session::open(&self.config, tls, settings).await {
            Ok(session) => return Ok(session),
            Err(error) => error,
        };
        let is_refusal = error.source().is_some_and(|cause| cause.is::<TlsError>());
        if !is_refusal || self.config.get_ssl_mode() != SslMode::Prefer {
            return Err(error);
        }
        tracing::warn!(
            server = self.name,
            reason = super::statement_error::innermost(&error),
            "the connection to the log is not encrypted; sslmode=require in its URL refuses that"
        );
        let mut config = self.config.clone();
        config.ssl_mode(SslMode::Disable);
        Session::open(&config, tokio_postgres::NoTls, settings).await
    }
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.each.iter().map(|server| &server.name);
        f.debug_list().entries(names).finish()
    }
}

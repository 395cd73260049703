//! The service: opens the store, declares what the configuration names, serves, and stops cleanly.

mod again;
mod announce;
mod declare;
mod descriptors;
pub(crate) mod lock;
mod published;
mod settings;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::{Ports, System};
use tempfile::TempDir;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use url::Url;

use crate::callback::HttpSender;
use crate::cli::serve::ServeOptions;
use crate::config::Settings;
use crate::config::values::{MediaPolicy, Secret};
use crate::fetch::{Fetcher, FileChecker};
use crate::http::console::source::Console;
use crate::http::requests::log::RequestLogLimits;
use crate::http::server;
use crate::http::state::{AppState, HttpSettings};
use crate::media::{MediaLimits, MediaStore};
use crate::observe;
use crate::outbound::address::Policy;
use crate::outbound::callback::CallbackClient;
use crate::outbound::client::{self, ClientSettings};
use crate::outbound::download::Downloads;
use crate::outbound::guard::AddressGuard;
use crate::outbound::lookup::SystemLookup;
use crate::serve::again::Again;
use crate::shares::ShareLimits;

/// Runs the service until a signal stops it.
pub fn run(settings: Settings, options: ServeOptions) -> ExitCode {
    observe::start_logging(settings.log);
    let ended =
        descriptors::check(settings.server.workers).and_then(|()| rounds(&settings, &options));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => announce::failed(&error),
    }
}

/// Why a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// A signal asked the service to stop.
    Signalled,
    /// A part of the index is damaged; the next round rebuilds it.
    IndexDamaged,
}

/// Serves, and begins again when the index is damaged. The process keeps its socket and its data: clients that connect
/// meanwhile wait.
fn rounds(settings: &Settings, options: &ServeOptions) -> Result<()> {
    let listener = listen(settings)?;
    let locked = if options.ephemeral {
        None
    } else {
        let locked = lock::take(&settings.store.path)?;
        announce::if_open_to_others(&settings.store.path)?;
        Some(locked)
    };
    let mut again = Again::new(options);
    loop {
        let socket = listener
            .try_clone()
            .context("cannot use the listening socket")?;
        // Workers become actor threads, so the actor runtime is the outermost one.
        let round = serve(settings, options, socket, again.from());
        match actix::System::new().block_on(round)? {
            Ended::Signalled => break,
            Ended::IndexDamaged => again.now(),
        }
    }
    drop(locked);
    Ok(())
}

async fn serve(
    settings: &Settings,
    options: &ServeOptions,
    listener: TcpListener,
    again_from: Option<Instant>,
) -> Result<Ended> {
    let guard = guard(settings);
    let system = open(settings, options, &guard)?;
    match serve_on(&system, settings, options, listener, guard, again_from).await {
        Err(error) if is_past(again_from) && system.is_index_damaged() => {
            tracing::warn!("{error:#}");
            announce::begins_again();
            let patience = patience(settings, &system);
            system.shutdown(patience).await;
            Ok(Ended::IndexDamaged)
        }
        ended => ended,
    }
}

async fn serve_on(
    system: &System,
    settings: &Settings,
    options: &ServeOptions,
    listener: TcpListener,
    guard: Arc<AddressGuard>,
    again_from: Option<Instant>,
) -> Result<Ended> {
    let address = listener
        .local_addr()
        .context("cannot read the listening address")?;
    let public_url = settings
        .server
        .public_url_at(address.port())
        .context("no public address can be derived: set server.public_url")?;
    declare::declare(system, settings).await?;
    let token = settings.operator.token.as_ref().map(Secret::expose);
    if let Some(made) = system.settle_operator_token(token).await? {
        announce::operator_token(&made);
    }
    published::refuse(system, settings)?;
    system.send_callbacks().await?;
    let kept = Kept::of(settings, options)?;
    let media = media(settings, &kept)?;
    let callback_url = settings.server.callback_url.as_ref();
    let callback_url = origin(callback_url.unwrap_or(&public_url));
    announce::forbidden_addresses(system, &guard);
    let aside = Aside::start(settings, system, &media, Arc::clone(&guard), &callback_url)?;
    let console = Console::of(options.ui_dir.as_deref())?;
    let state = AppState::new(
        system.clone(),
        http(settings, guard, callback_url),
        media,
        console,
    );
    let started = server::start(listener, state.clone(), &settings::http(settings))
        .context("cannot start the HTTP server")?;
    let handle = started.server.handle();
    let serving = actix::spawn(started.server);
    // A program that learns that the service is ready may stop it at once.
    let signals = Signals::listen()?;
    announce::ready(system, settings, options, started.address, &public_url)?;
    let ended = tokio::select! {
        () = signals.signalled() => Ended::Signalled,
        () = damaged(system, again_from) => Ended::IndexDamaged,
    };
    state.drain();
    match ended {
        Ended::Signalled => announce::stopping(),
        Ended::IndexDamaged => announce::begins_again(),
    }
    // Actors live on the workers, and a worker with nothing to do ends at once: requests in progress on another one would
    // lose their actors. So nothing new is let in, and the workers end once all requests have.
    handle.pause().await;
    let idle = tokio::time::timeout(settings.server.drain, state.idle()).await;
    if idle.is_err() {
        tracing::warn!("requests in progress did not end in time and are cut off");
    }
    handle.stop(idle.is_ok()).await;
    if let Ok(Err(error)) = serving.await {
        tracing::error!(%error, "the HTTP server ended with an error");
    }
    aside.stop();
    let report = system.clone().shutdown(patience(settings, system)).await;
    if ended == Ended::Signalled {
        announce::stopped(report);
    }
    Ok(ended)
}

fn is_past(from: Option<Instant>) -> bool {
    from.is_some_and(|from| from <= Instant::now())
}

/// Waits until the index is damaged and the service may begin again.
async fn damaged(system: &System, again_from: Option<Instant>) {
    match again_from {
        Some(from) => {
            system.index_damaged().await;
            tokio::time::sleep_until(from).await;
        }
        None => std::future::pending().await,
    }
}

/// The settings of the HTTP interface.
fn http(settings: &Settings, guard: Arc<AddressGuard>, callback_url: String) -> HttpSettings {
    HttpSettings {
        public_url: settings.server.public_url.as_ref().map(origin),
        callback_url,
        body_limit: settings.server.body_limit_bytes,
        signature_hints: settings.server.signature_hints,
        request_log: RequestLogLimits {
            per_channel: settings.requests.keep_per_channel,
            body: settings.requests.body_bytes,
        },
        guard,
        trusted_proxies: settings.server.trusted_proxies.clone(),
        limits: settings::limits(settings),
    }
}

/// A URL that has scheme, host and port only, without the slash at its end.
fn origin(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

/// How long callbacks in progress may take.
fn patience(settings: &Settings, system: &System) -> Duration {
    let channels = system.channels();
    let longest = channels.iter().filter_map(Channel::timeout);
    longest.fold(settings.dispatch.timeout, Duration::max) + Duration::from_secs(1)
}

/// Where files are kept: beside the journal, or for this run only.
enum Kept {
    Beside(PathBuf),
    ForNow(TempDir),
}

impl Kept {
    fn of(settings: &Settings, options: &ServeOptions) -> Result<Self> {
        if options.ephemeral {
            let directory = tempfile::tempdir().context("cannot make a directory for files")?;
            return Ok(Self::ForNow(directory));
        }
        Ok(Self::Beside(settings.store.path.join("media")))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Beside(path) => path,
            Self::ForNow(directory) => directory.path(),
        }
    }
}

fn media(settings: &Settings, kept: &Kept) -> Result<MediaStore> {
    let limits = MediaLimits {
        file_bytes: settings.media.file_bytes,
        uploads: ShareLimits {
            all: settings.media.uploads_max,
            account: settings.media.uploads_per_account_max,
            user: settings.media.uploads_per_user_max,
        },
        unsent: ShareLimits {
            all: usize::MAX,
            account: settings.media.unsent_max,
            user: settings.media.unsent_per_user_max,
        },
        unsent_age: settings.media.unsent_age,
        low_water_bytes: settings.store.low_water_bytes,
    };
    let path = kept.path();
    MediaStore::open(path, limits)
        .with_context(|| format!("cannot use the directory of files {}", path.display()))
}

fn listen(settings: &Settings) -> Result<TcpListener> {
    let wanted = settings.server.listen.to_string();
    let listener = TcpListener::bind(&wanted).with_context(|| {
        format!("cannot listen on {wanted} (server.listen); choose another address with --listen, or port 0 for a free one")
    })?;
    listener
        .set_nonblocking(true)
        .context("cannot use the listening socket")?;
    Ok(listener)
}

/// What requests may lead to, as the operator wants it.
fn guard(settings: &Settings) -> Arc<AddressGuard> {
    Arc::new(AddressGuard::new(Policy {
        allow_private_networks: settings.dispatch.allow_private_networks,
        allow_cidrs: settings.dispatch.allow_cidrs.clone(),
    }))
}

/// What is done beside requests and callbacks.
struct Aside {
    sweeper: JoinHandle<()>,
    fetcher: Option<JoinHandle<()>>,
}

impl Aside {
    fn start(
        settings: &Settings,
        system: &System,
        media: &MediaStore,
        guard: Arc<AddressGuard>,
        base: &str,
    ) -> Result<Self> {
        let fetcher = fetcher(settings, system, media, guard, base)?;
        Ok(Self {
            sweeper: actix::spawn(media.clone().sweep(system.clone())),
            fetcher: fetcher.map(|fetcher| actix::spawn(fetcher.run())),
        })
    }

    /// Unfinished work is done after the next start.
    fn stop(&self) {
        self.sweeper.abort();
        self.fetcher.iter().for_each(JoinHandle::abort);
    }
}

/// Looks at the files that integrations name, with a client of its own: slow servers of files take nothing from callbacks.
fn fetcher(
    settings: &Settings,
    system: &System,
    media: &MediaStore,
    guard: Arc<AddressGuard>,
    base: &str,
) -> Result<Option<Fetcher>> {
    let copies = match settings.media.policy {
        MediaPolicy::Off => return Ok(None),
        MediaPolicy::Check => None,
        MediaPolicy::Mirror => Some(media.clone()),
    };
    let limits = ClientSettings {
        lookups_at_once: 8,
        idle_per_host: 1,
        ..ClientSettings::default()
    };
    let http = client::build(&limits, Arc::clone(&guard), Arc::new(SystemLookup))
        .context("cannot set up the HTTP client for media")?;
    Ok(Some(Fetcher {
        system: system.clone(),
        looker: FileChecker {
            downloads: Downloads::new(http, guard),
            system: system.clone(),
            copies,
            base: base.to_owned(),
            timeout: settings.media.fetch_timeout,
        },
        at_once: settings.media.fetches_max,
    }))
}

fn open(settings: &Settings, options: &ServeOptions, guard: &Arc<AddressGuard>) -> Result<System> {
    let client = CallbackClient::new(
        &ClientSettings::default(),
        Arc::clone(guard),
        Arc::new(SystemLookup),
    )
    .context("cannot set up the HTTP client for callbacks")?;
    let sender = Arc::new(HttpSender::new(client, settings.dispatch.timeout));
    let ports = if options.ephemeral {
        Ports::memory(sender)?
    } else {
        Ports::files(&settings.store.path, sender)?
    };
    Ok(System::start(settings::system(settings), ports)?)
}

/// The signals that end the service in order.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// From now on none of them ends the process by itself.
    fn listen() -> Result<Self> {
        let terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
        let interrupt = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
        Ok(Self {
            terminate,
            interrupt,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Waits for the first; a second one ends the process at once.
    async fn signalled(mut self) {
        self.next().await;
        actix::spawn(async move {
            self.next().await;
            std::process::exit(130);
        });
    }
}

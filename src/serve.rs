//! The service: opens the store, declares what the configuration names, serves, and stops cleanly.

mod again;
mod announce;
mod archiving;
mod declare;
mod descriptors;
pub(crate) mod files;
pub(crate) mod handlers;
pub(crate) mod lock;
mod published;
mod settings;
mod signals;
mod supervisor;

use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::{Ports, System};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::callback::HttpSender;
use crate::cli::serve::ServeOptions;
use crate::config::Settings;
use crate::config::values::{MediaPolicy, Secret};
use crate::dev::{DevProxy, DevServer, Worlds};
use crate::fetch::{Fetcher, FileChecker};
use crate::http::console::source::Console;
use crate::http::server;
use crate::http::state::AppState;
use crate::http::vendor::VendorKey;
use crate::media::MediaStore;
use crate::observe;
use crate::outbound::callback::CallbackClient;
use crate::outbound::client::{self, ClientSettings};
use crate::outbound::download::Downloads;
use crate::outbound::guard::AddressGuard;
use crate::outbound::lookup::SystemLookup;
use crate::serve::again::Again;
use crate::serve::announce::Reached;
use crate::serve::files::Files;
use crate::serve::handlers::{guard, http, origin};
#[cfg(any(test, feature = "testing"))]
pub(crate) use crate::serve::settings::{http as http_server, system};
use crate::serve::signals::Signals;
use crate::uninstall::UninstallHooks;

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

impl Ended {
    /// Says so to people and to the supervisor; the end takes at most this long.
    fn announce(self, patience: Duration) {
        match self {
            Self::Signalled => {
                announce::stopping();
                supervisor::stopping(patience);
            }
            Self::IndexDamaged => {
                announce::begins_again();
                supervisor::begins_again();
            }
        }
    }
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
    let files = Files::of(settings, options)?;
    let proxy = match options.dev.and_then(|dev| dev.proxy) {
        Some(proxy) => Some(DevProxy::open(proxy.listen, files.path())?),
        None => None,
    };
    let run = Run {
        settings,
        options,
        files,
        proxy,
    };
    let mut again = Again::new(options);
    loop {
        let socket = listener
            .try_clone()
            .context("cannot use the listening socket")?;
        // Workers become actor threads, so the actor runtime is the outermost one.
        let round = serve(&run, socket, again.from());
        match actix::System::new().block_on(round)? {
            Ended::Signalled => break,
            Ended::IndexDamaged => again.now(),
        }
    }
    drop(locked);
    Ok(())
}

/// What all rounds of a process share.
struct Run<'r> {
    settings: &'r Settings,
    options: &'r ServeOptions,
    files: Files,
    proxy: Option<DevProxy>,
}

async fn serve(run: &Run<'_>, listener: TcpListener, again_from: Option<Instant>) -> Result<Ended> {
    let settings = run.settings;
    let guard = guard(settings);
    let system = open(settings, run.options, &guard)?;
    match serve_on(&system, run, listener, guard, again_from).await {
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
    run: &Run<'_>,
    listener: TcpListener,
    guard: Arc<AddressGuard>,
    again_from: Option<Instant>,
) -> Result<Ended> {
    let Run {
        settings, options, ..
    } = *run;
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
    let media = run.files.media(settings)?;
    let callback_url = settings.server.callback_url.as_ref();
    let callback_url = origin(callback_url.unwrap_or(&public_url));
    announce::forbidden_addresses(system, &guard);
    let aside = Aside::start(settings, system, &media, Arc::clone(&guard), &callback_url)?;
    let console = Console::of(options.ui_dir.as_deref())?;
    let vendor_key = run.proxy.as_ref().map(|_| VendorKey::of(system.random()));
    let http = http(settings, guard, callback_url, vendor_key.clone());
    let worlds = worlds(options, system).await?;
    let archiver = archiving::start(settings, options, system)?;
    let state = AppState::new(system.clone(), http, media, console)
        .with_worlds(worlds.as_ref().map(Worlds::orders))
        .with_archiver(archiver.clone());
    let started = server::start(listener, state.clone(), &settings::http(settings))
        .await
        .context("cannot start the HTTP server")?;
    let handle = started.server.handle();
    let serving = actix::spawn(started.server);
    // A program that learns that the service is ready may stop it at once.
    let signals = Signals::listen(options)?;
    let proxying = match run.proxy.as_ref().zip(vendor_key) {
        Some((proxy, key)) => Some(proxy.start(started.address, system.clone(), key)?),
        None => None,
    };
    let reached = Reached {
        address: started.address,
        url: &public_url,
        worlds: worlds.as_ref(),
        proxy: run.proxy.as_ref().map(DevProxy::environment),
    };
    announce::ready(system, settings, options, &reached)?;
    let watchdog = supervisor::ready(system);
    let mut refused = None;
    let ended = tokio::select! {
        () = signals.signalled() => Ended::Signalled,
        () = abandoned(worlds.as_ref(), options) => Ended::Signalled,
        () = damaged(system, again_from) => Ended::IndexDamaged,
        why = archiving::refused(archiver.as_ref()) => {
            tracing::error!("{why}");
            refused = Some(why);
            Ended::Signalled
        }
    };
    Worlds::stop(worlds).await;
    state.drain();
    ended.announce(settings.server.drain + patience(settings, system));
    // Actors live on the workers, and a worker with nothing to do ends at once: requests in progress on another one would
    // lose their actors. So nothing new is let in, and the workers end once all requests have.
    handle.pause().await;
    let is_idle = idle(&state, proxying, settings.server.drain).await;
    handle.stop(is_idle).await;
    if let Ok(Err(error)) = serving.await {
        tracing::error!(%error, "the HTTP server ended with an error");
    }
    aside.stop();
    watchdog.stop();
    let report = system.clone().shutdown(patience(settings, system)).await;
    archiving::stop(archiver).await;
    if ended == Ended::Signalled {
        announce::stopped(report);
    }
    refused.map_or(Ok(ended), |why| Err(anyhow!(why)))
}

/// The worlds of `switchboard dev`.
async fn worlds(options: &ServeOptions, system: &System) -> Result<Option<Worlds>> {
    if options.dev.is_none() {
        return Ok(None);
    }
    let token = hex::encode(system.random());
    Worlds::start(token).await.map(Some)
}

/// Ends when no program uses the worlds any more, if the service is to stop then.
async fn abandoned(worlds: Option<&Worlds>, options: &ServeOptions) {
    let ends = options.dev.is_some_and(|dev| dev.end_with_leases);
    match worlds.filter(|_| ends) {
        Some(worlds) => worlds.abandoned().await,
        None => std::future::pending().await,
    }
}

/// Gives requests in progress this long; whether they ended in that time.
async fn idle(state: &AppState, proxying: Option<DevServer>, drain: Duration) -> bool {
    let proxied = async {
        if let Some(proxying) = proxying {
            proxying.stop(drain).await;
        }
    };
    let (idle, ()) = tokio::join!(tokio::time::timeout(drain, state.idle()), proxied);
    if idle.is_err() {
        tracing::warn!("requests in progress did not end in time and are cut off");
    }
    idle.is_ok()
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

/// How long callbacks in progress may take.
fn patience(settings: &Settings, system: &System) -> Duration {
    let channels = system.channels();
    let longest = channels.iter().filter_map(Channel::timeout);
    longest.fold(settings.dispatch.timeout, Duration::max) + Duration::from_secs(1)
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

/// What is done beside requests and callbacks.
struct Aside {
    sweeper: JoinHandle<()>,
    fetcher: Option<JoinHandle<()>>,
    uninstall_hooks: JoinHandle<()>,
}

impl Aside {
    fn start(
        settings: &Settings,
        system: &System,
        media: &MediaStore,
        guard: Arc<AddressGuard>,
        base: &str,
    ) -> Result<Self> {
        let uninstall_hooks = UninstallHooks {
            system: system.clone(),
            downloads: downloads(Arc::clone(&guard), "uninstall hooks")?,
        };
        let fetcher = fetcher(settings, system, media, guard, base)?;
        Ok(Self {
            uninstall_hooks: actix::spawn(uninstall_hooks.run()),
            sweeper: actix::spawn(media.clone().sweep(system.clone())),
            fetcher: fetcher.map(|fetcher| actix::spawn(fetcher.run())),
        })
    }

    /// Unfinished work is done after the next start.
    fn stop(&self) {
        self.sweeper.abort();
        self.uninstall_hooks.abort();
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
    Ok(Some(Fetcher {
        system: system.clone(),
        looker: FileChecker {
            downloads: downloads(guard, "media")?,
            system: system.clone(),
            copies,
            base: base.to_owned(),
            timeout: settings.media.fetch_timeout,
        },
        at_once: settings.media.fetches_max,
    }))
}

/// A client for requests beside callbacks, few at once.
fn downloads(guard: Arc<AddressGuard>, purpose: &str) -> Result<Downloads> {
    let limits = ClientSettings {
        lookups_at_once: 8,
        idle_per_host: 1,
        ..ClientSettings::default()
    };
    let http = client::build(&limits, Arc::clone(&guard), Arc::new(SystemLookup))
        .with_context(|| format!("cannot set up the HTTP client for {purpose}"))?;
    Ok(Downloads::new(http, guard))
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

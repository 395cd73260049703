//! The service: opens the store, declares what the configuration names, serves, and stops cleanly.

mod announce;
mod declare;
mod lock;
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
use tokio::signal::unix::{SignalKind, signal};

use crate::callback::HttpSender;
use crate::cli::serve::ServeOptions;
use crate::config::Settings;
use crate::config::values::Secret;
use crate::http::server::{self, ServerSettings};
use crate::http::state::{AppState, HttpSettings};
use crate::media::{MediaLimits, MediaStore};
use crate::observe;
use crate::outbound::address::Policy;
use crate::outbound::callback::CallbackClient;
use crate::outbound::client::{self, ClientSettings};
use crate::outbound::guard::Guard;
use crate::outbound::lookup::SystemLookup;

/// Runs the service until it is told to stop.
pub fn run(settings: Settings, options: ServeOptions) -> ExitCode {
    observe::start_logging();
    // Workers become actor threads, so the actor runtime is the outermost one.
    let ended = actix::System::new().block_on(serve(&settings, &options));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => announce::failed(&error),
    }
}

async fn serve(settings: &Settings, options: &ServeOptions) -> Result<()> {
    let listener = listen(settings)?;
    let address = listener
        .local_addr()
        .context("cannot tell the listening address")?;
    let public_url = settings
        .server
        .public_url_at(address.port())
        .context("no public address can be derived: set server.public_url")?;
    let locked = if options.ephemeral {
        None
    } else {
        Some(lock::take(&settings.store.path)?)
    };
    let system = open(settings, options)?;
    declare::declare(&system, settings).await?;
    let token = settings.operator.token.as_ref().map(Secret::expose);
    if let Some(made) = system.settle_operator_token(token).await? {
        announce::operator_token(&made);
    }
    published::refuse(&system, settings)?;
    system.send_callbacks().await?;
    let kept = Kept::of(settings, options)?;
    let media = media(settings, &kept)?;
    let sweeper = actix::spawn(media.clone().sweep(system.clone()));
    let state = AppState::new(
        system.clone(),
        HttpSettings {
            public_url: public_url.as_str().trim_end_matches('/').to_owned(),
            body_limit: settings.server.body_limit_bytes,
            signature_hints: settings.server.signature_hints,
        },
        media,
    );
    let started = server::start(
        listener,
        state.clone(),
        &ServerSettings {
            workers: settings.server.workers,
            drain: settings.server.drain,
            public_url: public_url.clone(),
        },
    )
    .context("cannot start the HTTP server")?;
    let handle = started.server.handle();
    let serving = actix::spawn(started.server);
    announce::ready(&system, settings, options, started.address, &public_url)?;
    wait_for_a_signal().await?;
    state.drain();
    announce::stopping();
    // Actors live on the workers, and a worker with nothing to do ends at once: requests under way on another one would
    // lose their actors. So nothing new is let in, and the workers end once all requests have.
    handle.pause().await;
    let idle = tokio::time::timeout(settings.server.drain, state.idle()).await;
    if idle.is_err() {
        tracing::warn!("requests under way did not end in time and are cut off");
    }
    handle.stop(idle.is_ok()).await;
    if let Ok(Err(error)) = serving.await {
        tracing::error!(%error, "the HTTP server ended with an error");
    }
    sweeper.abort();
    let longest = system
        .channels()
        .iter()
        .filter_map(Channel::timeout)
        .fold(settings.dispatch.timeout, Duration::max);
    let report = system.shutdown(longest + Duration::from_secs(1)).await;
    announce::stopped(report);
    drop(locked);
    Ok(())
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
        uploads_max: settings.media.uploads_max,
        unsent_max: settings.media.unsent_max,
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

fn open(settings: &Settings, options: &ServeOptions) -> Result<System> {
    let guard = Arc::new(Guard::new(Policy {
        allow_private_networks: settings.dispatch.allow_private_networks,
        allow_cidrs: settings.dispatch.allow_cidrs.clone(),
    }));
    let http = client::build(
        &ClientSettings::default(),
        Arc::clone(&guard),
        Arc::new(SystemLookup),
    )
    .context("cannot set up the HTTP client for callbacks")?;
    let sender = Arc::new(HttpSender::new(
        CallbackClient::new(http, guard),
        settings.dispatch.timeout,
    ));
    let ports = if options.ephemeral {
        Ports::memory(sender)?
    } else {
        Ports::files(&settings.store.path, sender)?
    };
    Ok(System::start(settings::system(settings), ports)?)
}

async fn wait_for_a_signal() -> Result<()> {
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    // A second signal ends the process at once.
    actix::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        std::process::exit(130);
    });
    Ok(())
}

//! The service: opens the store, declares what the configuration names, serves, and stops cleanly.

pub(crate) mod announce;
mod archiving;
mod background_tasks;
mod declare;
mod descriptors;
pub mod dev_tools;
pub(crate) mod erasing;
pub(crate) mod files;
pub(crate) mod handlers;
mod hangups;
pub(crate) mod lock;
mod operator_token;
pub mod options;
mod published;
mod pushing;
mod reload;
mod restart_policy;
mod retention;
mod round;
mod run;
pub(crate) mod settings;
mod shown;
mod signals;
mod standby;
mod starting;
mod supervisor;
mod trimming;

use std::cell::OnceCell;
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use switchboard_actors::System;
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::error::StartError;
use switchboard_actors::system::erasures::PreparedErasures;
use switchboard_connections::kept::KeptConnections;
use switchboard_http::console::source::Console;
use switchboard_http::server;
use switchboard_http::state::AppState;
use switchboard_media::DecoderPlace;
use switchboard_network::outbound::guard::AddressGuard;
use switchboard_replication::shared_log::Owner;
use tokio::time::Instant;
use url::Url;

use crate::config::Settings;
use crate::observe;
use crate::serve::announce::Reached;
use crate::serve::background_tasks::{BackgroundTasks, Outbound};
use crate::serve::dev_tools::DevRound;
use crate::serve::erasing::Erasing;
use crate::serve::files::Files;
use crate::serve::handlers::{guard, http, origin};
use crate::serve::operator_token::settle_token;
use crate::serve::options::ServeOptions;
use crate::serve::reload::Reloading;
use crate::serve::restart_policy::RestartPolicy;
use crate::serve::round::Round;
use crate::serve::run::{Process, Run, listen, ready_file};
use crate::serve::signals::Signals;
use crate::serve::standby::SharedNode;
use crate::serve::trimming::Trimming;

/// Runs the service until a signal stops it.
pub fn run(settings: Settings, options: ServeOptions) -> ExitCode {
    observe::start_logging(settings.log);
    let outcome =
        descriptors::prepare(settings.server.workers).and_then(|()| rounds(&settings, &options));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => announce::failed(&error),
    }
}

/// The reason for the end of a round.
#[derive(Debug)]
enum Ended {
    /// A signal asked the service to stop.
    Signalled,
    /// A part of the index is damaged; the next round rebuilds it.
    IndexDamaged,
    /// Settings changed that hold from the next round on.
    SettingsChanged,
    /// Erasures wait, perhaps prepared; they are carried out before the next round.
    ErasureWaits(Option<Box<PreparedErasures>>),
}

impl Ended {
    /// Says so to people and to the supervisor; the end takes at most this long.
    fn announce(&self, patience: Duration) {
        match self {
            Self::Signalled => {
                announce::stopping();
                supervisor::stopping(patience);
            }
            Self::IndexDamaged => {
                announce::begins_again();
                supervisor::begins_again();
            }
            Self::SettingsChanged => {
                announce::reloads();
                supervisor::begins_again();
            }
            Self::ErasureWaits(_) => {
                announce::erases();
                supervisor::begins_again();
            }
        }
    }
}

/// Serves, and begins again when the index is damaged, something is to be erased or settings have changed. The process keeps
/// its socket, its connections and its data: clients wait meanwhile.
fn rounds(settings: &Settings, options: &ServeOptions) -> Result<()> {
    let listener = listen(settings)?;
    let locked = if options.ephemeral {
        None
    } else {
        let locked = lock::take(&settings.store.path)?;
        announce::if_open_to_others(&settings.store.path)?;
        Some(locked)
    };
    let files = Files::open(settings, options)?;
    let tools = options.dev.as_ref().map(|dev| &dev.tools);
    let dev = tools.map(|tools| tools.open(files.path())).transpose()?;
    let node = SharedNode::from_settings(settings, options, &listener)?;
    let process = Process {
        files,
        dev,
        node: node.as_ref().map(|node| node.state().clone()),
        signals: OnceCell::new(),
        kept: KeptConnections::default(),
        ready_file: ready_file(options)?,
    };
    let mut reloading = Reloading::new(settings, options)?;
    let mut restarts = RestartPolicy::new(options);
    let directory = (!options.ephemeral).then_some(settings.store.path.as_path());
    let mut erasing = Erasing::in_directory(directory, node.is_some())?;
    loop {
        let settings = reloading.settings().clone();
        let run = Run {
            settings: &settings,
            options,
            process: &process,
        };
        let socket = || {
            let socket = listener.try_clone();
            socket.context("cannot use the listening socket")
        };
        let owner = match &node {
            None => None,
            Some(node) => {
                let turn = node.stand_by(&run, socket()?);
                match actix::System::new().block_on(turn)? {
                    None => break,
                    owns => owns,
                }
            }
        };
        // Workers become actor threads, so the actor runtime is the outermost one.
        let between = Between {
            erasing: &mut erasing,
            reloading: &mut reloading,
            restart_from: restarts.allowed_from(),
        };
        let round = serve(&run, between, socket()?, owner);
        match actix::System::new().block_on(round)? {
            Ended::Signalled => break,
            Ended::SettingsChanged => {}
            Ended::IndexDamaged => restarts.note_restart(),
            Ended::ErasureWaits(prepared) => erasing.carry_out(prepared.map(|it| *it))?,
        }
    }
    drop(locked);
    Ok(())
}

/// The events that may end a round besides a signal.
struct Between<'r> {
    erasing: &'r mut Erasing,
    reloading: &'r mut Reloading,
    /// From when on the service may begin again; `None`: never.
    restart_from: Option<Instant>,
}

async fn serve(
    run: &Run<'_>,
    mut between: Between<'_>,
    listener: TcpListener,
    owner: Option<Owner>,
) -> Result<Ended> {
    let restart_from = between.restart_from;
    let erasing = &mut *between.erasing;
    let settings = run.settings;
    let guard = guard(settings);
    let system = match run.open(&guard, owner, &listener) {
        Err(error) if is_past(restart_from) && is_index_damaged(&error) => {
            announce::begins_again();
            return Ok(Ended::IndexDamaged);
        }
        opened => opened?,
    };
    erasing.give_up(&system).await;
    erasing.note_failures(&system).await;
    // One that an earlier process did not come to, if it is not prepared beside requests.
    if erasing.is_wanted_at_once(&system).await {
        let patience = patience(settings, &system);
        erasing.begin(&system, None, patience).await;
        let reason = Ended::ErasureWaits(None);
        reason.announce(patience);
        system.clone().shutdown_for_now(patience).await;
        return Ok(reason);
    }
    match Box::pin(serve_on(&system, run, listener, guard, &mut between)).await {
        Err(error) if is_past(restart_from) && system.is_index_damaged() => {
            tracing::warn!("{error:#}");
            announce::begins_again();
            let patience = patience(settings, &system);
            system.shutdown_for_now(patience).await;
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
    between: &mut Between<'_>,
) -> Result<Ended> {
    let Run {
        settings,
        options,
        process,
    } = *run;
    let address = listener
        .local_addr()
        .context("cannot read the listening address")?;
    let public_url = public_url(settings, address)?;
    system.set_public_url(public_url.as_str());
    settle(system, settings, options).await?;
    let decoder = DecoderPlace::for_program(options.can_start_itself);
    let media = process.files.media(settings, decoder)?;
    let callback_url = origin(settings.server.callback_url.as_ref().unwrap_or(&public_url));
    announce::forbidden_addresses(system, &guard);
    let background_tasks = BackgroundTasks::start(
        settings,
        !options.ephemeral,
        system,
        &media,
        Outbound {
            guard: Arc::clone(&guard),
            permission: process.permission(),
        },
        &callback_url,
    )?;
    let console = Console::new(options.ui_dir.as_deref())?;
    let mut dev = match &process.dev {
        Some(sockets) => Some(sockets.begin(system).await?),
        None => None,
    };
    let vendor_key = dev.as_ref().and_then(|dev| dev.vendor_key());
    let mut http = http(settings, Arc::clone(&guard), callback_url, vendor_key);
    http.data_directory = (!options.ephemeral).then(|| settings.store.path.clone());
    let archiver = archiving::start(settings, options, system)?;
    let state = AppState::new(system.clone(), http, media, console)
        .with_worlds(dev.as_ref().map(|dev| dev.orders()))
        .with_archiver(archiver.clone().map(shown::archiver))
        .with_node(process.node.clone().map(shown::node))
        .with_relays(handlers::relays(settings, guard)?);
    let http = settings::http(settings);
    let listening = server::start(listener, state.clone(), &http, process.kept.clone())
        .await
        .context("cannot start the HTTP server")?;
    // A program that learns that the service is ready may stop it at once.
    let signals = run.signals()?;
    if let Some(dev) = &mut dev {
        dev.serve(listening.address, system)?;
    }
    let reached = Reached {
        address: listening.address,
        url: &public_url,
        contents: announce::Contents::read(system).await?,
        dev: dev.as_deref(),
        ready_file: process.ready_file.as_ref(),
    };
    announce::ready(system, settings, options, &reached)?;
    let trimming = Trimming::start(settings, process.node.as_ref(), archiver.as_ref())?;
    let round = Round {
        trimming,
        server: listening.server,
        state,
        dev,
        background_tasks,
        watchdog: supervisor::ready(system),
        archiver,
    };
    let reason = end_of_round(system, signals, &round, between).await;
    end(reason, round, system, between.erasing, run).await
}

/// The address of the service for clients, if it listens here.
fn public_url(settings: &Settings, address: SocketAddr) -> Result<Url> {
    let url = settings.server.public_url_at(address.port());
    url.context("no public address can be derived: set server.public_url")
}

/// Declares what the configuration names, and lets callbacks leave.
async fn settle(system: &System, settings: &Settings, options: &ServeOptions) -> Result<()> {
    declare::declare(system, settings).await?;
    settle_token(system, settings).await?;
    published::refuse(system, settings, options).await?;
    system.send_callbacks().await?;
    Ok(())
}

/// Ends everything in order.
async fn end(
    ended: Ended,
    mut round: Round,
    system: &System,
    erasing: &Erasing,
    run: &Run<'_>,
) -> Result<Ended> {
    let settings = run.settings;
    let is_last = matches!(ended, Ended::Signalled);
    run.process.withdraw_if(is_last);
    let archived_by = std::time::Instant::now() + settings.server.drain;
    round.drain().await;
    let (drain, patience) = (settings.server.drain, patience(settings, system));
    ended.announce(drain + patience);
    let archiver = round.archiver.take();
    let is_idle = round.settle(drain).await;
    if let Ended::ErasureWaits(prepared) = &ended {
        erasing.begin(system, prepared.as_deref(), patience).await;
    }
    round.end(is_idle, !is_last).await;
    let report = if is_last {
        system.clone().shutdown(patience).await
    } else {
        system.clone().shutdown_for_now(patience).await
    };
    let archive_failure = archiving::stop(archiver, archived_by).await;
    if is_last {
        announce::stopped(report);
    }
    archive_failure.map_or(Ok(ended), |why| Err(anyhow!(why)))
}

/// Ends when no program uses the tools of `switchboard dev` any more, if the service is to stop then.
async fn abandoned(dev: Option<&dyn DevRound>) {
    match dev {
        Some(dev) => dev.abandoned().await,
        None => std::future::pending().await,
    }
}

/// Waits for what ends the round first.
async fn end_of_round(
    system: &System,
    signals: &Signals,
    round: &Round,
    between: &mut Between<'_>,
) -> Ended {
    tokio::select! {
        () = signals.signalled() => Ended::Signalled,
        () = abandoned(round.dev.as_deref()) => Ended::Signalled,
        () = damaged(system, between.restart_from) => Ended::IndexDamaged,
        () = between.reloading.round_wanted(system) => Ended::SettingsChanged,
        prepared = between.erasing.wanted(system) => Ended::ErasureWaits(prepared.map(Box::new)),
        why = archiving::refused(round.archiver.as_ref()) => {
            tracing::error!("{why}");
            Ended::Signalled
        }
    }
}

/// Returns whether the owner of a shared log has found its index damaged at the start.
fn is_index_damaged(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StartError::IndexDamaged))
}

fn is_past(from: Option<Instant>) -> bool {
    from.is_some_and(|from| from <= Instant::now())
}

/// Waits until the index is damaged and the service may begin again.
async fn damaged(system: &System, restart_from: Option<Instant>) {
    match restart_from {
        Some(from) => {
            system.index_damaged().await;
            tokio::time::sleep_until(from).await;
        }
        None => std::future::pending().await,
    }
}

/// The time limit of callbacks in progress.
fn patience(settings: &Settings, system: &System) -> Duration {
    let channels = system.channels();
    let longest = channels.iter().filter_map(Channel::timeout);
    longest.fold(settings.dispatch.timeout, Duration::max) + Duration::from_secs(1)
}

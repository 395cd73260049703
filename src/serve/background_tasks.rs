//! The tasks of a round beside requests and callbacks.

use std::sync::Arc;

use anyhow::{Context, Result};
use reqwest::Client;
use switchboard_actors::System;
use switchboard_media::MediaStore;
use switchboard_media::fetch::{Fetcher, FileChecker};
use switchboard_network::callback::Permission;
use switchboard_network::outbound::client::{self, ClientSettings};
use switchboard_network::outbound::download::Downloads;
use switchboard_network::outbound::guard::AddressGuard;
use switchboard_network::outbound::lookup::SystemLookup;
use switchboard_network::outbound::push::PushClient;
use tokio::task::JoinHandle;

use crate::config::Settings;
use crate::config::values::MediaPolicy;
use crate::serve::pushing::{self, Pushing, SenderState};
use crate::serve::retention;
use crate::uninstall::UninstallHooks;

/// The tasks beside requests and callbacks.
pub(super) struct BackgroundTasks {
    sweeper: JoinHandle<()>,
    fetcher: Option<JoinHandle<()>>,
    uninstall_hooks: JoinHandle<()>,
    pushing: JoinHandle<()>,
    keeper: Option<JoinHandle<()>>,
}

/// The conditions of the requests of these tasks.
pub(super) struct Outbound {
    pub(super) guard: Arc<AddressGuard>,
    /// That of a node of a shared log.
    pub(super) permission: Option<Permission>,
}

impl BackgroundTasks {
    pub(super) fn start(
        settings: &Settings,
        is_stored: bool,
        system: &System,
        media: &MediaStore,
        Outbound { guard, permission }: Outbound,
        base: &str,
    ) -> Result<Self> {
        let pushing = Pushing {
            system: system.clone(),
            client: PushClient::new(
                client(Arc::clone(&guard), "pushes", PUSHES)?,
                Arc::clone(&guard),
            ),
            subject: pushing::subject(settings.server.public_url.as_ref()),
            permission,
            state: SenderState::default(),
        };
        let keeper = is_stored.then(|| {
            let relays = settings.relays.iter().map(|it| it.down.clone()).collect();
            retention::keep(system.clone(), settings.retention.clone(), relays)
        });
        let uninstall_hooks = UninstallHooks {
            system: system.clone(),
            downloads: downloads(Arc::clone(&guard), "uninstall hooks")?,
        };
        let fetcher = fetcher(settings, system, media, guard, base)?;
        Ok(Self {
            uninstall_hooks: actix::spawn(uninstall_hooks.run()),
            pushing: actix::spawn(pushing.run()),
            sweeper: actix::spawn(media.clone().sweep(system.clone())),
            keeper: keeper.map(actix::spawn),
            fetcher: fetcher.map(|fetcher| actix::spawn(fetcher.run())),
        })
    }

    /// Unfinished work is done after the next start.
    pub(super) fn stop(&self) {
        self.sweeper.abort();
        self.uninstall_hooks.abort();
        self.pushing.abort();
        self.keeper.iter().for_each(JoinHandle::abort);
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
        retry_after: settings.media.fetch_retry,
    }))
}

/// A client for downloads beside callbacks, few at once.
fn downloads(guard: Arc<AddressGuard>, purpose: &str) -> Result<Downloads> {
    Ok(Downloads::new(
        client(Arc::clone(&guard), purpose, 1)?,
        guard,
    ))
}

/// Connections to a push service that stay open: most browsers have one of a few.
const PUSHES: usize = 8;

/// A client for requests beside callbacks, with so many connections that stay open to a host.
fn client(guard: Arc<AddressGuard>, purpose: &str, idle_per_host: usize) -> Result<Client> {
    let limits = ClientSettings {
        lookups_at_once: 8,
        idle_per_host,
        ..ClientSettings::default()
    };
    client::build(&limits, guard, Arc::new(SystemLookup))
        .with_context(|| format!("cannot set up the HTTP client for {purpose}"))
}

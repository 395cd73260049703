//! The tasks of a round beside requests and callbacks.

use std::sync::Arc;

use anyhow::{Context, Result};
use switchboard_actors::System;
use switchboard_media::MediaStore;
use switchboard_media::fetch::{Fetcher, FileChecker};
use switchboard_network::outbound::client::{self, ClientSettings};
use switchboard_network::outbound::download::Downloads;
use switchboard_network::outbound::guard::AddressGuard;
use switchboard_network::outbound::lookup::SystemLookup;
use tokio::task::JoinHandle;

use crate::config::Settings;
use crate::config::values::MediaPolicy;
use crate::serve::retention;
use crate::uninstall::UninstallHooks;

/// The tasks beside requests and callbacks.
pub(super) struct BackgroundTasks {
    sweeper: JoinHandle<()>,
    fetcher: Option<JoinHandle<()>>,
    uninstall_hooks: JoinHandle<()>,
    keeper: Option<JoinHandle<()>>,
}

impl BackgroundTasks {
    pub(super) fn start(
        settings: &Settings,
        is_stored: bool,
        system: &System,
        media: &MediaStore,
        guard: Arc<AddressGuard>,
        base: &str,
    ) -> Result<Self> {
        let keeper = is_stored.then(|| retention::keep(system.clone(), settings.retention.clone()));
        let uninstall_hooks = UninstallHooks {
            system: system.clone(),
            downloads: downloads(Arc::clone(&guard), "uninstall hooks")?,
        };
        let fetcher = fetcher(settings, system, media, guard, base)?;
        Ok(Self {
            uninstall_hooks: actix::spawn(uninstall_hooks.run()),
            sweeper: actix::spawn(media.clone().sweep(system.clone())),
            keeper: keeper.map(actix::spawn),
            fetcher: fetcher.map(|fetcher| actix::spawn(fetcher.run())),
        })
    }

    /// Unfinished work is done after the next start.
    pub(super) fn stop(&self) {
        self.sweeper.abort();
        self.uninstall_hooks.abort();
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

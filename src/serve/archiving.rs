//! Starts and ends the archive of a running service.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use switchboard_actors::System;
use switchboard_actors::system::erasures::ErasureNote;
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::erasure::list;
use switchboard_replication::archive::{Archiver, Archiving, MergeAt, Source};
use switchboard_replication::files::JournalFiles;
use switchboard_replication::store::IDENTITY;

use crate::archive;
use crate::config::Settings;
use crate::media_layout::MediaLayout;
use crate::serve::options::ServeOptions;

/// The shortest time that a stop leaves for the last records to be archived, with little of `drain_seconds` left.
const LAST_ROUND_MIN: Duration = Duration::from_secs(1);

/// Starts the archive, if one is set up.
pub(super) fn start(
    settings: &Settings,
    options: &ServeOptions,
    system: &System,
) -> Result<Option<Archiver>> {
    let Some(to) = &settings.archive.to else {
        return Ok(None);
    };
    if options.ephemeral {
        bail!(
            "an ephemeral service has nothing to archive: remove --ephemeral, or the setting archive.to"
        );
    }
    let directory = settings.store.path.clone();
    let path = directory.join(IDENTITY);
    let read = || format!("cannot read {}", path.display());
    let identity = std::fs::read(&path).with_context(read)?;
    let disk = FileDisk::open(&directory)
        .with_context(|| format!("cannot open {}", directory.display()))?;
    let erasures = list::all(&disk).context("cannot read the lists of erasures")?;
    for erased in &erasures {
        serde_json::from_str::<ErasureNote>(&erased.note)
            .context("cannot read the lists of erasures")?;
    }
    let files = JournalFiles {
        layout: Arc::new(MediaLayout),
        data: directory,
    };
    let frontier = system.journal_frontier();
    let source = Source::new(Arc::new(disk), frontier, identity, erasures, files);
    let archiving = Archiving {
        store: archive::open(to, &settings.archive.variables)?.into(),
        to: to.to_string(),
        process: hex::encode(system.random()),
        is_shared: settings.shared_log.node.is_some(),
        every: settings.archive.every,
        merge_at: MergeAt::default(),
    };
    let archiver = Archiver::start(archiving, source);
    archiver
        .map(Some)
        .context("cannot start the thread of the archive")
}

/// Ends with the reason why this process must not go on, if there is an archive.
pub(super) async fn refused(archiver: Option<&Archiver>) -> String {
    match archiver {
        Some(archiver) => archiver.refusal().await,
        None => std::future::pending().await,
    }
}

/// Archives what was stored last, unless the archive fails, and ends it by this time or soon after. Gives the reason if it must
/// not go on.
pub(super) async fn stop(archiver: Option<Archiver>, by: Instant) -> Option<String> {
    let archiver = archiver?;
    let patience = || by.saturating_duration_since(Instant::now());
    let status = archiver.status();
    if status.trouble.is_none() && status.refusal.is_none() {
        let is_complete = archiver.now(patience().max(LAST_ROUND_MIN)).await;
        if !is_complete {
            tracing::warn!("the archive does not have everything; the next start goes on");
        }
    }
    archiver.stop(patience()).await;
    archiver.status().refusal
}

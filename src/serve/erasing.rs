//! Most of what is to be erased is prepared beside requests. The rest is carried out between two rounds of the service, while no
//! system uses the store. The process keeps its socket and its connections meanwhile: clients wait. Orders that wait are
//! carried out together.

pub(crate) mod attempts;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use switchboard_actors::System;
use switchboard_actors::erasures::Erasure;
use switchboard_actors::system::erasures::{CarriedOut, PreparedErasures};
use switchboard_media as media;
use tokio::time::{Instant, timeout};

use crate::serve::erasing::attempts::Attempts;

/// Orders that come so soon one after the other are carried out together.
const QUIET: Duration = Duration::from_millis(250);
/// The first order waits no longer for others.
const GATHER_MAX: Duration = Duration::from_secs(3);

/// The state of erasures that lasts from round to round.
pub(super) struct Erasing {
    /// The data directory; `None` when nothing is stored.
    directory: Option<PathBuf>,
    /// Other nodes of a shared log carry out the same erasures.
    is_shared: bool,
    /// Those that failed, and why.
    failed: Vec<(u64, String)>,
}

impl Erasing {
    /// In this directory. Removes the files of an erasure that was interrupted.
    pub(super) fn in_directory(directory: Option<&Path>, is_shared: bool) -> Result<Self> {
        if let Some(directory) = directory {
            remove_files(directory);
        }
        Ok(Self {
            directory: directory.map(Path::to_owned),
            is_shared,
            failed: Vec::new(),
        })
    }

    /// Gives up the oldest erasure that waits if the process has ended again and again while it was carried out, alone at last:
    /// each start would begin with it.
    pub(super) async fn give_up(&mut self, system: &System) {
        let Some(attempts) = self.directory.as_deref().map(Attempts::in_directory) else {
            return;
        };
        let count = attempts.count();
        if count == 0 {
            return;
        }
        let erasures = system.erasures().await.unwrap_or_default();
        let failed = self.failed_ones();
        let waiting = erasures
            .iter()
            .filter(|it| it.is_waiting() && !failed.contains(&it.number));
        // As they are carried out: those first of which it is known what they go up to.
        let place = |it: &&Erasure| (it.upto.unwrap_or(u64::MAX), it.number);
        match waiting.min_by_key(place) {
            None => attempts.forget(),
            Some(oldest) if attempts.are_over() => {
                let reason = format!("the service ended {count} times while it was carried out");
                self.failed.push((oldest.number, reason));
                attempts.go_on_apart();
            }
            Some(_) => {}
        }
    }

    /// Returns whether an erasure waits that is carried out before the first request. It cannot be prepared: the
    /// journal is small, or no process came to its end.
    pub(super) async fn is_wanted_at_once(&self, system: &System) -> bool {
        let prepares = self.directory.as_deref().is_some_and(prepares);
        if !prepares {
            return self.is_wanted(system).await;
        }
        // What another node has erased must not reach the archive again.
        let failed = self.failed_ones();
        let is_begun = system.is_erasure_begun(&failed).await;
        self.is_shared && is_begun.unwrap_or_default()
    }

    /// Returns whether an erasure waits that can be carried out.
    async fn is_wanted(&self, system: &System) -> bool {
        if self.directory.is_none() {
            return false;
        }
        let waits = system.is_erasure_waiting(&self.failed_ones()).await;
        waits.unwrap_or_else(|error| {
            tracing::warn!(%error, "erasures cannot be read");
            false
        })
    }

    /// Ends when erasures wait that can be carried out, and are prepared as far as possible.
    pub(super) async fn wanted(&self, system: &System) -> Option<PreparedErasures> {
        while !self.is_wanted(system).await {
            system.erasure_ordered().await;
        }
        gather(system).await;
        let directory = self.directory.as_deref()?;
        if !prepares(directory) {
            return None;
        }
        let preparations = Attempts::to_prepare(directory);
        preparations.begin();
        let failed = self.failed_ones();
        let prepared = system.prepare_erasures(directory, &failed).await;
        preparations.forget();
        prepared.unwrap_or_else(|failure| {
            tracing::warn!(%failure, "erasures cannot be prepared");
            None
        })
    }

    /// Notes in the journal which erasures failed. What cannot be noted, on a full disk, is known to this process.
    pub(super) async fn note_failures(&self, system: &System) {
        for (number, reason) in &self.failed {
            let outcome = system.note_erasure_failure(*number, reason.clone()).await;
            if let Err(error) = outcome {
                tracing::warn!(erasure = number, %error, "why an erasure failed cannot be noted");
            }
        }
    }

    /// Notes what the erasures that are prepared, or all that wait, go up to: each node of a shared log erases the same. Without
    /// that, they go up to the end of the journal.
    pub(super) async fn begin(
        &self,
        system: &System,
        prepared: Option<&PreparedErasures>,
        patience: Duration,
    ) {
        if !self.is_shared {
            return;
        }
        let only = prepared.map(PreparedErasures::numbers);
        let failed = self.failed_ones();
        let order = system.begin_erasures(only.as_deref(), &failed, patience);
        if let Err(error) = order.await {
            tracing::warn!(%error, "what an erasure goes up to cannot be noted");
        }
    }

    /// Carries out what waits.
    pub(super) fn carry_out(&mut self, prepared: Option<PreparedErasures>) -> Result<()> {
        let Some(directory) = self.directory.clone() else {
            return Ok(());
        };
        let attempts = Attempts::in_directory(&directory);
        let alone = attempts.are_apart();
        attempts.begin();
        let failed = self.failed_ones();
        let erasures = System::carry_out_erasures(&directory, &failed, prepared, alone)
            .context("cannot carry out the erasures that wait")?;
        if alone && !erasures.is_empty() {
            attempts.go_on_apart();
        } else {
            attempts.forget();
        }
        self.failed.extend(erasures.into_iter().filter_map(outcome));
        Attempts::to_prepare(&directory).forget();
        remove_files(&directory);
        Ok(())
    }

    fn failed_ones(&self) -> Vec<u64> {
        self.failed.iter().map(|(number, _)| *number).collect()
    }
}

/// Carries out on a standby what the owner of the shared log has carried out. What fails is tried again when this node owns the
/// log.
pub(super) fn on_standby(directory: &Path) -> Result<()> {
    let carried_out = System::carry_out_begun_erasures(directory)
        .context("cannot carry out the erasures that the owner has carried out")?;
    carried_out.into_iter().filter_map(outcome).for_each(drop);
    remove_files(directory);
    Ok(())
}

/// Says what became of an erasure; its number and the reason if it failed.
fn outcome(erasure: CarriedOut) -> Option<(u64, String)> {
    let number = erasure.number;
    match erasure.outcome {
        Ok(certificate) => {
            tracing::info!(
                erasure = number,
                records = certificate.erased_records,
                masked = certificate.masked_records,
                prepared = erasure.prepared,
                "an erasure was carried out"
            );
            None
        }
        Err(reason) => {
            tracing::error!(
                erasure = number,
                reason,
                "an erasure failed; nothing of it was erased"
            );
            Some((number, reason))
        }
    }
}

/// Returns whether erasures are to be prepared here.
fn prepares(directory: &Path) -> bool {
    System::can_prepare_erasures(directory)
        && !Attempts::to_prepare(directory).are_apart()
        && !Attempts::in_directory(directory).are_apart()
}

/// Waits for orders that come soon one after the other.
async fn gather(system: &System) {
    let ends = Instant::now() + GATHER_MAX;
    while Instant::now() < ends {
        let next = timeout(QUIET, system.erasure_ordered()).await;
        if next.is_err() {
            return;
        }
    }
}

/// Removes the files of erasures that are carried out but for that. What cannot be removed now is removed after the next
/// start: the service goes on.
fn remove_files(directory: &Path) {
    if let Err(error) = try_remove_files(directory) {
        tracing::error!("{error:#}; the next start tries again");
    }
}

fn try_remove_files(directory: &Path) -> Result<()> {
    // There may be no directory yet, and looking would make it.
    if !directory.is_dir() {
        return Ok(());
    }
    for (number, note) in System::unfinished_erasures(directory)? {
        media::remove_erased(directory, &note)
            .with_context(|| format!("cannot remove the files of erasure {number}"))?;
        System::finish_erasure(directory, number)?;
    }
    Ok(())
}

//! Most of an erasure is prepared beside requests. The rest is carried out between two rounds of the service, while no system
//! uses the store. The process keeps its socket meanwhile: clients that connect wait.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use switchboard_actors::System;
use switchboard_actors::system::erasures::{CarriedOut, PreparedErasure};

use crate::media;
use crate::ready_file;

/// So often a process may end while it prepares an erasure, before all of it is carried out with the store closed.
const PREPARATIONS_MAX: u32 = 3;
/// So often a process may end while it carries out an erasure, by a kill or for lack of memory, before it is given up.
const ATTEMPTS_MAX: u32 = 3;

/// What is remembered of erasures from round to round.
pub(super) struct Erasing {
    /// The data directory; `None` when nothing is stored.
    directory: Option<PathBuf>,
    /// Whether other nodes of a shared log carry out the same.
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

    /// Gives up what waits if the process has ended again and again while it was carried out: each start would begin with
    /// it.
    pub(super) async fn give_up(&mut self, system: &System) {
        let Some(attempts) = self.directory.as_deref().map(Attempts::in_directory) else {
            return;
        };
        let count = attempts.count();
        if count < ATTEMPTS_MAX {
            return;
        }
        let erasures = system.erasures().await.unwrap_or_default();
        let waiting = erasures.iter().filter(|it| it.is_waiting());
        let failed = waiting.map(|it| {
            let reason = format!("the service ended {count} times while it was carried out");
            (it.number, reason)
        });
        self.failed.extend(failed);
        attempts.forget();
    }

    /// Whether an erasure waits that is carried out before the first request: nothing of it can be prepared, since the journal
    /// is small, or no preparation came to its end.
    pub(super) async fn is_wanted_at_once(&self, system: &System) -> bool {
        let prepares = self.directory.as_deref().is_some_and(prepares);
        if !prepares {
            return self.is_wanted(system).await;
        }
        // What another node has erased must not reach the archive again.
        let failed = self.failed_ones();
        let begun = system.is_erasure_begun(&failed).await;
        self.is_shared && begun.unwrap_or_default()
    }

    /// Whether an erasure waits that can be carried out.
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

    /// Ends when an erasure waits that can be carried out, and is prepared as far as possible.
    pub(super) async fn wanted(&self, system: &System) -> Option<PreparedErasure> {
        while !self.is_wanted(system).await {
            system.erasure_ordered().await;
        }
        let directory = self.directory.as_deref()?;
        if !prepares(directory) {
            return None;
        }
        let preparations = Attempts::to_prepare(directory);
        preparations.begin();
        let failed = self.failed_ones();
        let prepared = system.prepare_erasure(directory, &failed).await;
        preparations.forget();
        prepared.unwrap_or_else(|failure| {
            tracing::warn!(%failure, "an erasure cannot be prepared");
            None
        })
    }

    /// Notes in the journal which erasures failed. What cannot be noted, on a full disk, is known to this process.
    pub(super) async fn note_failures(&self, system: &System) {
        for (number, reason) in &self.failed {
            let noted = system.note_erasure_failure(*number, reason.clone()).await;
            if let Err(error) = noted {
                tracing::warn!(erasure = number, %error, "why an erasure failed cannot be noted");
            }
        }
    }

    /// Notes what the erasure that is prepared, or all that wait, go up to: each node of a shared log erases the same. Without
    /// that, they go up to the end of the journal.
    pub(super) async fn begin(
        &self,
        system: &System,
        prepared: Option<&PreparedErasure>,
        patience: Duration,
    ) {
        if !self.is_shared {
            return;
        }
        let only = prepared.map(PreparedErasure::number);
        let failed = self.failed_ones();
        let begun = system.begin_erasures(only, &failed, patience).await;
        if let Err(error) = begun {
            tracing::warn!(%error, "what an erasure goes up to cannot be noted");
        }
    }

    /// Carries out what waits.
    pub(super) fn carry_out(&mut self, prepared: Option<PreparedErasure>) -> Result<()> {
        let Some(directory) = self.directory.clone() else {
            return Ok(());
        };
        let attempts = Attempts::in_directory(&directory);
        attempts.begin();
        let carried_out = System::carry_out_erasures(&directory, &self.failed_ones(), prepared);
        let carried_out = carried_out.context("cannot carry out the erasures that wait")?;
        self.failed
            .extend(carried_out.into_iter().filter_map(outcome));
        attempts.forget();
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

/// Whether an erasure is to be prepared here.
fn prepares(directory: &Path) -> bool {
    System::can_prepare_erasures(directory)
        && Attempts::to_prepare(directory).count() < PREPARATIONS_MAX
}

/// How often a process has begun to carry out what waits without coming to its end: a file in the data directory.
struct Attempts(PathBuf);

impl Attempts {
    fn in_directory(directory: &Path) -> Self {
        Self(directory.join("erasure-attempts"))
    }

    /// How often a preparation has begun without coming to its end, by a crash or by an orderly stop.
    fn to_prepare(directory: &Path) -> Self {
        Self(directory.join("erasure-preparations"))
    }

    fn count(&self) -> u32 {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.trim().parse().unwrap_or_default()
    }

    fn begin(&self) {
        let count = self.count().saturating_add(1).to_string();
        if let Err(error) = ready_file::write(&self.0, &count, ready_file::PRIVATE) {
            tracing::warn!(%error, "the attempts at an erasure cannot be counted");
        }
    }

    fn forget(&self) {
        std::fs::remove_file(&self.0).unwrap_or_default();
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

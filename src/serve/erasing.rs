//! Erasures are carried out between two rounds of the service, while no system uses the store. The process keeps its
//! socket meanwhile: clients that connect wait.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use switchboard_actors::System;

use crate::media;

/// What is remembered of erasures from round to round.
pub(super) struct Erasing {
    /// The data directory; `None` when nothing is stored.
    directory: Option<PathBuf>,
    /// Those that failed, and why.
    failed: Vec<(u64, String)>,
}

impl Erasing {
    /// In this directory. Removes the files of an erasure that was interrupted.
    pub(super) fn in_directory(directory: Option<&Path>) -> Result<Self> {
        if let Some(directory) = directory {
            remove_files(directory)?;
        }
        Ok(Self {
            directory: directory.map(Path::to_owned),
            failed: Vec::new(),
        })
    }

    /// Whether an erasure waits that can be carried out.
    pub(super) async fn is_wanted(&self, system: &System) -> bool {
        if self.directory.is_none() {
            return false;
        }
        let waits = system.is_erasure_waiting(&self.failed_ones()).await;
        waits.unwrap_or_else(|error| {
            tracing::warn!(%error, "erasures cannot be read");
            false
        })
    }

    /// Ends when an erasure waits that can be carried out.
    pub(super) async fn wanted(&self, system: &System) {
        while !self.is_wanted(system).await {
            system.erasure_ordered().await;
        }
    }

    /// Notes in the journal which erasures failed.
    pub(super) async fn note_failures(&self, system: &System) -> Result<()> {
        for (number, reason) in &self.failed {
            let noted = system.note_erasure_failure(*number, reason.clone()).await;
            noted.with_context(|| format!("cannot note why erasure {number} failed"))?;
        }
        Ok(())
    }

    /// Carries out what waits.
    pub(super) fn carry_out(&mut self) -> Result<()> {
        let Some(directory) = self.directory.clone() else {
            return Ok(());
        };
        let carried_out = System::carry_out_erasures(&directory, &self.failed_ones());
        for erasure in carried_out.context("cannot carry out the erasures that wait")? {
            let number = erasure.number;
            match erasure.outcome {
                Ok(certificate) => tracing::info!(
                    erasure = number,
                    records = certificate.erased_records,
                    masked = certificate.masked_records,
                    "an erasure was carried out"
                ),
                Err(reason) => {
                    tracing::error!(
                        erasure = number,
                        reason,
                        "an erasure failed; nothing of it was erased"
                    );
                    self.failed.push((number, reason));
                }
            }
        }
        remove_files(&directory)
    }

    fn failed_ones(&self) -> Vec<u64> {
        self.failed.iter().map(|(number, _)| *number).collect()
    }
}

/// Removes the files of erasures that are carried out but for that.
fn remove_files(directory: &Path) -> Result<()> {
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

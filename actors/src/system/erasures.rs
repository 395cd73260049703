//! Erasures: the operator orders them, most of each is prepared beside the system, and the rest is carried out while no
//! system uses the store. The domain judges; these modules read records and rewrite the store.
//!
//! ```text
//! orders ─► records in the journal ─► prepare: survey, count, rewrite, next index ─► the service ends its round
//!                                         ─► carry_out: the records since then ─► next round
//! ```

mod begun;
mod carry_out;
mod create;
mod directory;
mod export;
mod prepare;
mod preview;

pub use self::begun::PreparedErasures;
pub use self::carry_out::CarriedOut;
pub use self::export::CustomerExport;
pub use switchboard_erasures::judges::certified::ErasureNote;
pub use switchboard_erasures::judges::record::DecodeError;
pub use switchboard_erasures::judges::tally::Tally;

use std::time::Duration;

use tokio::time::Instant;

use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::erasure::ErasureError;
use switchboard_erasures::begin::Begin;
use switchboard_erasures::note_failure::NoteFailure;
use switchboard_erasures::{Erasure, Erasures};
use switchboard_runtime::error::UnavailableError;

/// The failure of an erasure.
#[derive(Debug, thiserror::Error)]
pub enum CustomerErasureError {
    /// A record cannot be read by this version.
    #[error(transparent)]
    Undecodable(#[from] DecodeError),
    /// The journal cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The store cannot be rewritten.
    #[error(transparent)]
    Store(#[from] ErasureError),
}

impl System {
    /// The erasures that are remembered, newest first.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn erasures(&self) -> Result<Vec<Erasure>, UnavailableError> {
        let erasures = self.look::<Erasures>(&()).await?;
        Ok(erasures.map_or_else(Vec::new, |erasures| erasures.iter().cloned().collect()))
    }

    /// Returns whether an erasure waits that is not in `failed`.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn is_erasure_waiting(&self, failed: &[u64]) -> Result<bool, UnavailableError> {
        let erasures = self.erasures().await?;
        let mut waiting = erasures.iter().filter(|erasure| erasure.is_waiting());
        Ok(waiting.any(|erasure| !failed.contains(&erasure.number)))
    }

    /// Returns whether an erasure waits that another node has carried out, or was about to, and is not in `failed`.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn is_erasure_begun(&self, failed: &[u64]) -> Result<bool, UnavailableError> {
        let erasures = self.erasures().await?;
        let mut begun_erasures = erasures.iter().filter(|erasure| erasure.is_begun());
        Ok(begun_erasures.any(|erasure| !failed.contains(&erasure.number)))
    }

    /// Ends when an erasure was ordered, perhaps one that is carried out by now.
    pub async fn erasure_ordered(&self) {
        self.kernel().shared.erasure_ordered.notified().await;
    }

    /// Notes of erasures that wait that they go up to what is stored now: of these, or of all but those that failed. Sends no
    /// callback from then on, and waits so long for those in flight, so that their outcomes are erased as well.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn begin_erasures(
        &self,
        only: Option<&[u64]>,
        failed: &[u64],
        patience: Duration,
    ) -> Result<(), UnavailableError> {
        self.drain_callbacks(Instant::now() + patience).await;
        let waiting = self.erasures().await?.into_iter().filter(|it| {
            let is_meant = only.is_none_or(|only| only.contains(&it.number));
            it.is_waiting() && is_meant && !failed.contains(&it.number)
        });
        // Those with the same end are carried out together.
        let upto = self.kernel().journal.durable_upto().0;
        for erasure in waiting {
            let begin = Begin {
                number: erasure.number,
                upto,
            };
            execute(self.kernel(), &(), begin)
                .await
                .map_err(unavailable)?;
        }
        Ok(())
    }

    /// Notes that an erasure could not be carried out.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn note_erasure_failure(
        &self,
        number: u64,
        reason: String,
    ) -> Result<(), UnavailableError> {
        let failed = NoteFailure { number, reason };
        execute(self.kernel(), &(), failed)
            .await
            .map_err(unavailable)
    }
}

//! Erasures: the operator orders them, most of each is prepared beside the system, and the rest is carried out while no
//! system uses the store.
//!
//! ```text
//! order ─► record in the journal ─► prepare: survey, count, rewrite, next index ─► the service ends its round
//!                                         ─► carry_out: the records since then ─► next round
//! ```

mod account;
mod begun;
mod carry_out;
mod customer;
mod directory;
mod export;
mod judge;
mod mask;
mod names;
mod order;
mod plan;
mod prepare;
mod preview;
mod retention;
mod subject;
mod survey;
mod tally;

pub use self::begun::PreparedErasure;
pub use self::carry_out::{CarriedOut, ErasureNote};
pub use self::export::CustomerExport;
pub use self::tally::Tally;

use crate::domain::erasures::note_failure::NoteFailure;
use crate::domain::erasures::{Erasure, Erasures};
use crate::error::Unavailable;
use crate::system::System;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::store::ReadError;
use switchboard_engine::store::erasure::ErasureError;

/// Why an erasure cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum ErasureFailure {
    /// A record cannot be read by this version.
    #[error("record {seq} cannot be understood: {reason}")]
    Undecodable {
        /// Its number.
        seq: u64,
        /// Why.
        reason: String,
    },
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
    pub async fn erasures(&self) -> Result<Vec<Erasure>, Unavailable> {
        let erasures = self.look::<Erasures>(&()).await?;
        Ok(erasures.map_or_else(Vec::new, |erasures| erasures.iter().cloned().collect()))
    }

    /// Whether an erasure waits that is not among these, which failed.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn is_erasure_waiting(&self, failed: &[u64]) -> Result<bool, Unavailable> {
        let erasures = self.erasures().await?;
        let mut waiting = erasures.iter().filter(|erasure| erasure.is_waiting());
        Ok(waiting.any(|erasure| !failed.contains(&erasure.number)))
    }

    /// Ends when an erasure was ordered, perhaps one that is carried out by now.
    pub async fn erasure_ordered(&self) {
        self.env().world.erasure_ordered.notified().await;
    }

    /// Notes that an erasure could not be carried out.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn note_erasure_failure(
        &self,
        number: u64,
        reason: String,
    ) -> Result<(), Unavailable> {
        let failed = NoteFailure { number, reason };
        execute::<Erasures, _>(self.env(), &(), failed)
            .await
            .map_err(unavailable)
    }
}

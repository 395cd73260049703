//! What an erasure would come to, while the system runs. Nothing is erased.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use crate::domain::erasures::Target;
use crate::error::Unavailable;
use crate::system::System;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::plan::judge_of;
use crate::system::erasures::tally::Tally;
use switchboard_engine::store::{ReadError, ReadJournal, Record};

impl System {
    /// What the erasure of this target would come to now. Reads the whole journal several times, beside everything else.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn preview_erasure(&self, target: Target) -> Result<Tally, Unavailable> {
        let journal = Arc::clone(&self.env().reader);
        let counted = spawn_blocking(move || {
            let scan = || records(journal.as_ref());
            let judge = judge_of(&target, None, &scan)?;
            Tally::of(judge.copy().as_mut(), &scan)
        });
        match counted.await {
            Ok(tally) => tally.map_err(unavailable),
            Err(_panic_or_stop) => Err(Unavailable::Interrupted),
        }
    }
}

/// All records of a journal that is being written.
pub(super) fn records(
    journal: &dyn ReadJournal,
) -> Box<dyn Iterator<Item = Result<Record, ReadError>> + '_> {
    Box::new(journal.scan(None).map(|found| Ok(found?.1)))
}

pub(super) fn unavailable(failure: ErasureFailure) -> Unavailable {
    let damaged = |reason: String| {
        Unavailable::Damaged(ReadError::Damaged {
            file: "the journal".to_owned(),
            offset: 0,
            reason,
        })
    };
    match failure {
        ErasureFailure::Read(error) => Unavailable::Damaged(error),
        ErasureFailure::Undecodable { .. } | ErasureFailure::Store(_) => {
            damaged(failure.to_string())
        }
    }
}

//! The extent of an erasure, counted while the system runs. Nothing is erased.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use crate::domain::audit::By;
use crate::domain::time::UnixMillis;
use crate::system::System;
use crate::system::erasures::CustomerErasureError;
use switchboard_engine::store::{ReadError, ReadJournal, Record};
use switchboard_erasures::judges::group::{Group, Scan};
use switchboard_erasures::judges::tally::Tally;
use switchboard_erasures::{Erasure, ErasureState, Target};
use switchboard_runtime::error::UnavailableError;

impl System {
    /// Counts the extent that an erasure of this target would have now. Reads the whole journal several times, beside everything
    /// else.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn preview_erasure(&self, target: Target) -> Result<Tally, UnavailableError> {
        let journal = Arc::clone(&self.kernel().reader);
        let counting = spawn_blocking(move || tally(target, &|| records(journal.as_ref())));
        match counting.await {
            Ok(tally) => tally.map_err(unavailable),
            Err(_panic_or_stop) => Err(UnavailableError::Interrupted),
        }
    }
}

/// Counts the extent of an erasure that judges all records.
fn tally(target: Target, scan: Scan<'_, ReadError>) -> Result<Tally, CustomerErasureError> {
    let mut group = Group::new(vec![unordered(target)], None);
    group.look(scan)?;
    for record in scan() {
        if group.fate(&record?).is_none() {
            break;
        }
    }
    Ok(group.tally()?)
}

/// Stands for an order in a preview.
fn unordered(target: Target) -> Erasure {
    Erasure {
        number: 0,
        target,
        by: By::Service,
        ordered_at: UnixMillis::ZERO,
        upto: None,
        state: ErasureState::Waiting,
    }
}

/// All records of a journal that is being written.
pub(super) fn records(
    journal: &dyn ReadJournal,
) -> Box<dyn Iterator<Item = Result<Record, ReadError>> + '_> {
    Box::new(journal.scan(None).map(|entry| Ok(entry?.1)))
}

pub(super) fn unavailable(failure: CustomerErasureError) -> UnavailableError {
    let damaged = |reason: String| {
        UnavailableError::Damaged(ReadError::Damaged {
            file: "the journal".to_owned(),
            offset: 0,
            reason,
        })
    };
    match failure {
        CustomerErasureError::Read(error) => UnavailableError::Damaged(error),
        CustomerErasureError::Undecodable(_) | CustomerErasureError::Store(_) => {
            damaged(failure.to_string())
        }
    }
}

//! What an erasure would come to, while the system runs. Nothing is erased.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use crate::domain::audit::By;
use crate::domain::erasures::{Erasure, ErasureState, Target};
use crate::domain::time::UnixMillis;
use crate::error::Unavailable;
use crate::system::System;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::group::Group;
use crate::system::erasures::judge::Scan;
use crate::system::erasures::tally::Tally;
use switchboard_engine::store::{ReadError, ReadJournal, Record};

impl System {
    /// What the erasure of this target would come to now. Reads the whole journal several times, beside everything else.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn preview_erasure(&self, target: Target) -> Result<Tally, Unavailable> {
        let journal = Arc::clone(&self.kernel().reader);
        let counted = spawn_blocking(move || tally(target, &|| records(journal.as_ref())));
        match counted.await {
            Ok(tally) => tally.map_err(unavailable),
            Err(_panic_or_stop) => Err(Unavailable::Interrupted),
        }
    }
}

/// What an erasure of all records comes to.
fn tally(target: Target, scan: Scan<'_>) -> Result<Tally, ErasureFailure> {
    let mut group = Group::new(vec![not_ordered(target)], None);
    group.look(scan)?;
    for record in scan() {
        if group.fate(&record?).is_none() {
            break;
        }
    }
    if let Some((_, undecodable)) = group.failed().first() {
        return Err(undecodable.clone().into());
    }
    let tally = group.tallies().into_iter().next();
    Ok(tally.map_or_else(Tally::default, |(_, tally, _)| tally))
}

/// An erasure without an order.
fn not_ordered(target: Target) -> Erasure {
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
        ErasureFailure::Undecodable(_) | ErasureFailure::Store(_) => damaged(failure.to_string()),
    }
}

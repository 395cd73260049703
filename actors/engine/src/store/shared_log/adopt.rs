//! The beginning of a node whose data directory comes from the archive: the log need not go back to its first entry any more.

use std::time::Duration;

use super::entry::{Content, Entry};
use super::follow_error::FollowError;
use super::follower::End;
use super::{Claimant, LogError, Place, SharedLog};
use crate::store::Seq;

/// Moves the end of a node that has followed nothing yet to the oldest entry that the log has. `local`: the last record of the
/// local journal, which must have everything before that entry.
pub(super) fn adopt(end: &mut End, local: Seq, log: &mut dyn SharedLog) -> Result<(), FollowError> {
    let oldest = match log.extent()? {
        Some(extent) if extent.oldest > Place(1) => extent.oldest,
        Some(_) | None => return Ok(()),
    };
    let entry = entry_at(log, oldest)?;
    let header = entry.header;
    let last = match header.content {
        Content::Batch { first } => Seq(first.0.saturating_sub(1)),
        Content::Claim { .. } | Content::Beat | Content::Release => header.last,
    };
    if last > local {
        let place = end.place;
        return Err(FollowError::Gap { place, oldest });
    }
    let is_claim = header.claim == oldest;
    *end = End {
        place: Place(oldest.0.saturating_sub(1)),
        id: header.before,
        epoch: header.epoch.saturating_sub(u64::from(is_claim)),
        claim: header.claim,
        last,
        owner: owner_of(log, header.claim)?,
    };
    Ok(())
}

/// Who made the claim at this place, if it is one.
pub(super) fn owner_of(
    log: &mut dyn SharedLog,
    claim: Place,
) -> Result<Option<Claimant>, FollowError> {
    match entry_at(log, claim)?.header.content {
        Content::Claim { claimant, .. } => Ok(Some(claimant)),
        Content::Batch { .. } | Content::Beat | Content::Release => Ok(None),
    }
}

/// The entry at a place that has one.
pub(super) fn entry_at(log: &mut dyn SharedLog, place: Place) -> Result<Entry, FollowError> {
    let before = Place(place.0.saturating_sub(1));
    let found = log.read(before, Duration::ZERO)?;
    let found = found.into_iter().find(|stored| stored.place == place);
    let found = found.ok_or_else(|| {
        let reason = format!("it does not show the entry at place {place}");
        LogError(reason)
    })?;
    Entry::decode(&found.bytes).map_err(|reason| FollowError::Unreadable { place, reason })
}

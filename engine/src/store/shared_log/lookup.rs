//! Single entries of a log, by their places.

use std::time::Duration;

use super::entry::{Content, Entry};
use super::follow_error::FollowError;
use super::{Claimant, LogError, Place, SharedLog, Stored};

/// Who made the claim at this place, if it is one.
pub(super) fn owner_of(
    log: &mut dyn SharedLog,
    claim: Place,
) -> Result<Option<Claimant>, FollowError> {
    match entry_at(log, claim)?.header.content {
        Content::Claim { claimant, .. } => Ok(Some(claimant)),
        Content::Begin { .. } | Content::Batch { .. } | Content::Beat | Content::Release => {
            Ok(None)
        }
    }
}

/// The entry at a place that has one.
pub(super) fn entry_at(log: &mut dyn SharedLog, place: Place) -> Result<Entry, FollowError> {
    let found = stored_at(log, place)?;
    Entry::decode(&found.bytes).map_err(|reason| FollowError::Unreadable { place, reason })
}

/// The bytes at a place that has an entry.
pub(super) fn stored_at(log: &mut dyn SharedLog, place: Place) -> Result<Stored, LogError> {
    let before = Place(place.0.saturating_sub(1));
    let found = log.read(before, Duration::ZERO)?;
    let found = found.into_iter().find(|stored| stored.place == place);
    found.ok_or_else(|| LogError(format!("it does not show the entry at place {place}")))
}

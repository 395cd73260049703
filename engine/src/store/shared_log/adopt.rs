//! The beginning of a node whose data directory comes from the archive: the log need not go back to its first entry any more.

use super::entry::Content;
use super::follow_error::FollowError;
use super::follower::End;
use super::lookup::{entry_at, owner_of};
use super::{Place, SharedLog};
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
        Content::Begin { .. } | Content::Claim { .. } | Content::Beat | Content::Release => {
            header.last
        }
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

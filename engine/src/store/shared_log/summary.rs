//! What a shared log says of itself, for people.

use super::entry::Content;
use super::follow_error::FollowError;
use super::lookup::{entry_at, owner_of};
use super::{Claimant, Extent, Place, SharedLog};
use crate::store::Seq;

/// A shared log at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Who made the newest claim.
    pub owner: Option<Claimant>,
    /// The node that is to begin the log, as long as none has claimed it.
    pub first: Option<String>,
    /// Whether that node has released the log since.
    pub released: bool,
    /// How many claims there were.
    pub epoch: u64,
    /// From where to where it has entries.
    pub extent: Extent,
    /// The last record that it has.
    pub last: Seq,
    /// When the newest entry was made, in milliseconds since 1970, by the clock of its maker.
    pub time: u64,
}

/// Reads the newest entry of a log, and the claim that it belongs to. `None`: the log is empty.
///
/// # Errors
/// When the log cannot be read, or has an entry that this version cannot read.
pub fn summary(log: &mut dyn SharedLog) -> Result<Option<Summary>, FollowError> {
    let Some(extent) = log.extent()? else {
        return Ok(None);
    };
    let newest = entry_at(log, extent.newest)?.header;
    let (owner, first) = match &newest.content {
        Content::Begin { node } => (None, Some(node.clone())),
        Content::Batch { .. } | Content::Claim { .. } | Content::Beat | Content::Release => {
            (owner_of(log, newest.claim)?, None)
        }
    };
    Ok(Some(Summary {
        owner,
        first,
        released: newest.content == Content::Release,
        epoch: newest.epoch,
        extent,
        last: newest.last,
        time: newest.time,
    }))
}

/// The newest entry of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newest {
    /// Its place.
    pub place: Place,
    /// When it was made, in milliseconds since 1970, by the clock of its maker.
    pub time: u64,
}

/// Reads the newest entry behind a place; `None`: there is none.
///
/// # Errors
/// When the log cannot be read, or has an entry that this version cannot read.
pub fn newest(log: &mut dyn SharedLog, after: Place) -> Result<Option<Newest>, FollowError> {
    let Some(span) = log.span(after.next())? else {
        return Ok(None);
    };
    let place = span.newest;
    let time = entry_at(log, place)?.header.time;
    Ok(Some(Newest { place, time }))
}

//! The demands of a follower on a log: that it ends where the node has followed it to, and that each entry follows on the one
//! before it.

use super::Follower;
use crate::store::shared_log::entry::{Content, Entry};
use crate::store::shared_log::{FollowError, Place, SharedLog};

impl Follower {
    /// A log that shows nothing behind the end has its newest entry there, or nothing yet.
    pub(super) fn check_end(&self, log: &mut dyn SharedLog) -> Result<(), FollowError> {
        let place = self.end.place;
        if let Some(behind) = log.span(place.next())? {
            let oldest = behind.first;
            return match oldest > place.next() {
                true => Err(FollowError::Gap { place, oldest }),
                false => Ok(()),
            };
        }
        if place == Place(0) || log.span(place)?.is_some() {
            return Ok(());
        }
        let newest = log.extent()?.map(|extent| extent.newest);
        match newest {
            None => Err(FollowError::Absent { place }),
            Some(newest) if newest >= place => Ok(()),
            Some(newest) => Err(FollowError::Forked {
                place,
                reason: format!("the newest entry is that of place {newest}"),
            }),
        }
    }

    /// The epoch of an entry that follows on the end.
    pub(super) fn check_chain(&self, entry: &Entry, place: Place) -> Result<u64, FollowError> {
        let header = &entry.header;
        let forked = |reason: String| Err(FollowError::Forked { place, reason });
        if header.place != place {
            return forked(format!("it was made for place {}", header.place));
        }
        if header.before != self.end.id {
            return forked("it was made behind another entry".to_owned());
        }
        let is_claim = matches!(header.content, Content::Claim { .. });
        let is_order = matches!(header.content, Content::Begin { .. });
        if is_order != (self.end.epoch == 0) && !is_claim {
            return forked("a log begins with an order and a claim".to_owned());
        }
        let due = self.end.epoch.saturating_add(u64::from(is_claim));
        if header.epoch != due {
            return forked(format!("its epoch is {}, not {due}", header.epoch));
        }
        let claim = if is_claim { place } else { self.end.claim };
        if header.claim != claim {
            return forked(format!("it names the claim at place {}", header.claim));
        }
        let (last, known) = (header.last, self.end.last);
        match header.content {
            Content::Batch { first } if first.0 != known.0.saturating_add(1) || first > last => {
                forked(format!("record {} is not due", first.0))
            }
            Content::Begin { .. } | Content::Claim { .. } | Content::Beat | Content::Release
                if last != known =>
            {
                forked(format!("it ends with record {}, not {}", last.0, known.0))
            }
            Content::Begin { .. }
            | Content::Batch { .. }
            | Content::Claim { .. }
            | Content::Beat
            | Content::Release => Ok(due),
        }
    }
}

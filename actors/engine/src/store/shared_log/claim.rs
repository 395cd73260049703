//! A follower becomes the owner: its claim is the next entry of the log.

use std::sync::Arc;
use std::time::Duration;

use super::SharedLog;
use super::entry::{Content, Entry, EntryId, Header};
use super::follower::{End, FollowError, Follower};
use super::lease::Lease;
use super::owner::{Owner, OwnerError, maker};
use super::settle::{Settled, Waiting, settle};
use crate::runtime::clock::Clock;

/// Entries with what a log has lost have about so many bytes.
const PUT_BACK_BYTES: usize = 1 << 20;

/// Who claims a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// The name of the node, for people.
    pub node: String,
    /// Where others reach it.
    pub url: String,
    /// A random word: two processes of one node are two claimants.
    pub process: String,
}

/// Why a node does not own the log.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// There was another entry: its maker lives. The node goes on following.
    #[error("{by} was faster")]
    Taken {
        /// Who made it.
        by: String,
    },
    /// The log cannot be followed to its end.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// The log does not store the claim, or what it had lost.
    #[error(transparent)]
    Owner(#[from] OwnerError),
}

/// A claim that the log has stored.
#[derive(Debug)]
pub struct Claimed {
    end: End,
    begun: Duration,
}

/// Follows the log to its end and claims it.
///
/// # Errors
/// Why the node does not own the log. After [`ClaimError::Taken`] the follower goes on.
pub fn claim(
    follower: &mut Follower,
    log: &mut dyn SharedLog,
    waiting: &mut dyn Waiting,
    claimant: &Claimant,
    (lease, clock): (&Lease, &dyn Clock),
) -> Result<Claimed, ClaimError> {
    while follower.follow(log, Duration::ZERO)? > 0 {}
    follower.sync()?;
    let mut end = follower.end().clone();
    end.epoch = end.epoch.saturating_add(1);
    let header = Header {
        place: end.place.next(),
        epoch: end.epoch,
        before: end.id,
        time: clock.now().get(),
        content: Content::Claim {
            node: claimant.node.clone(),
            url: claimant.url.clone(),
            process: claimant.process.clone(),
        },
    };
    let groups = Vec::new();
    let bytes = Entry { header, groups }.encode();
    let begun = lease.now();
    match settle(log, end.place, &bytes, waiting) {
        Settled::Stored => {
            end.place = end.place.next();
            end.id = EntryId::of(&bytes);
            Ok(Claimed { end, begun })
        }
        Settled::Taken(other) => Err(ClaimError::Taken { by: maker(&other) }),
        Settled::Refused(reason) => Err(OwnerError::Refused(reason).into()),
        Settled::Unknown(reason) => Err(OwnerError::Unknown(reason).into()),
    }
}

impl Claimed {
    /// The owner. Groups of its journal that the log lacks are stored first: the log has lost them, or the node was alone
    /// before.
    ///
    /// # Errors
    /// When the log does not store them.
    pub fn own(
        self,
        follower: &Follower,
        log: Box<dyn SharedLog>,
        waiting: Box<dyn Waiting>,
        (lease, clock): (Lease, Arc<dyn Clock>),
    ) -> Result<Owner, ClaimError> {
        let mut owner = Owner::new(log, waiting, clock, lease, self.end, self.begun);
        let most = PUT_BACK_BYTES.min(owner.batch_bytes_max() / 2);
        while let Some(groups) = follower.surplus(owner.end().last, most)? {
            owner.append(groups.last, groups.bytes)?;
        }
        Ok(owner)
    }
}

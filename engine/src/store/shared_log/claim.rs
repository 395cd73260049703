//! A follower becomes the owner: its claim is the next entry of the log.

use std::sync::Arc;
use std::time::Duration;

use super::entry::{Content, Entry, EntryId, Header};
use super::follow_error::FollowError;
use super::follower::{End, Follower};
use super::lease::Lease;
use super::owner::{Owner, OwnerError, maker};
use super::settle::{Settled, Waiting, settle};
use super::{Claimant, Place, SharedLog};
use crate::runtime::clock::Clock;
use crate::store::identity::FORMAT;

/// Entries with what a log has lost have about so many bytes.
const PUT_BACK_BYTES: usize = 1 << 20;
/// How often it is mentioned how far that is.
const MENTION_EVERY: Duration = Duration::from_secs(5);

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
    follower.doubt();
    while follower.follow(log, Duration::ZERO)? > 0 {}
    follower.sync()?;
    let mut end = follower.end().clone();
    end.epoch = end.epoch.saturating_add(1);
    end.owner = Some(claimant.clone());
    end.claim = end.place.next();
    let header = Header {
        place: end.place.next(),
        epoch: end.epoch,
        claim: end.claim,
        before: end.id,
        time: clock.now().get(),
        last: end.last,
        content: Content::Claim {
            claimant: claimant.clone(),
            secret: follower.secret(),
            format: FORMAT,
        },
    };
    let groups = Vec::new();
    let bytes = Entry { header, groups }.encode();
    let begun = lease.now();
    match settle(log, end.place, &bytes, waiting) {
        Settled::Stored => {
            end.place = end.place.next();
            end.id = EntryId::of(&bytes);
            is_newest(log, end.place, waiting)?;
            Ok(Claimed { end, begun })
        }
        Settled::Taken(other) => Err(ClaimError::Taken { by: maker(&other) }),
        Settled::Refused(reason) => Err(OwnerError::Refused(reason).into()),
        Settled::Unknown(reason) => Err(OwnerError::Unknown(reason).into()),
    }
}

/// A claim that was tried for long may be stored where the log was trimmed: then there are later entries, of which the newest is
/// never removed.
fn is_newest(
    log: &mut dyn SharedLog,
    place: Place,
    waiting: &mut dyn Waiting,
) -> Result<(), ClaimError> {
    for attempts in 1.. {
        let reason = match log.span(place) {
            Ok(Some(span)) if span.newest == place => return Ok(()),
            Ok(Some(_)) => {
                let by = "another node".to_owned();
                return Err(ClaimError::Taken { by });
            }
            Ok(None) => "the log shows no entry".to_owned(),
            Err(error) => error.to_string(),
        };
        if !waiting.wait(attempts, &reason) {
            return Err(OwnerError::Unknown(reason).into());
        }
    }
    Err(OwnerError::Unknown(String::new()).into())
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
        let all = follower.last();
        let mut mentioned = None;
        while let Some(groups) = follower.surplus(owner.end().last, most)? {
            if owner.is_ending() {
                let reason = "the process ends".to_owned();
                return Err(OwnerError::Unknown(reason).into());
            }
            owner.append(groups.last, groups.bytes)?;
            let now = owner.lease().now();
            if mentioned.is_none_or(|at| now.saturating_sub(at) >= MENTION_EVERY) {
                mentioned = Some(now);
                let (stored, all) = (groups.last.0, all.0);
                tracing::info!(
                    stored,
                    all,
                    "the shared log lacks records of this node; they are stored in it first"
                );
            }
        }
        Ok(owner)
    }
}

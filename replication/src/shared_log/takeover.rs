//! A follower becomes the owner: its claim is the next entry of the log.

use std::sync::Arc;
use std::time::Duration;

use switchboard_engine::runtime::clock::Clock;
use switchboard_engine::store::identity::InstallationTag;
use switchboard_engine::store::log_owner::{LogOwner as _, OwnerError};

use super::follow_error::FollowError;
use super::follower::Follower;
use super::lease::Lease;
use super::log::SharedLog;
use super::owner::Owner;
use super::resolve_append::{Resolved, RetryPause, resolve_append};
use crate::entry::Claim;
use crate::entry::Claimant;
use crate::log_end::LogEnd;
use crate::position::Position;

/// Entries with what a log has lost have about so many bytes.
const PUT_BACK_BYTES: usize = 1 << 20;
/// The time between two mentions of the progress.
const MENTION_EVERY: Duration = Duration::from_secs(5);

/// The reason for which a node does not own the log.
#[derive(Debug, thiserror::Error)]
pub enum TakeoverError {
    /// There was another entry: its maker lives. The node goes on following.
    #[error("{by} was faster")]
    Taken {
        /// Its maker.
        by: String,
    },
    /// The log cannot be followed to its end.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// The log does not store the claim, or what it had lost.
    #[error(transparent)]
    Owner(#[from] OwnerError),
}

/// The clocks of a node that takes a log over.
#[derive(Clone)]
pub struct OwnerClocks {
    /// The lease that the entries of the owner renew.
    pub lease: Lease,
    /// The clock for the times of entries.
    pub clock: Arc<dyn Clock>,
}

/// A claim that the log has stored.
#[derive(Debug)]
pub struct Takeover {
    end: LogEnd,
    start: Duration,
}

/// Follows the log to its end and claims it.
///
/// # Errors
/// Why the node does not own the log. After [`TakeoverError::Taken`] the follower goes on.
pub fn take_over(
    follower: &mut Follower,
    log: &mut dyn SharedLog,
    waiting: &mut dyn RetryPause,
    claimant: &Claimant,
    clocks: &OwnerClocks,
) -> Result<Takeover, TakeoverError> {
    follower.recheck_tail();
    while follower.follow(log, Duration::ZERO)? > 0 {}
    follower.sync()?;
    let mut end = follower.end().clone();
    let secret = follower.secret();
    let installation = InstallationTag::from_secret(secret.0);
    let claim = Claim {
        secret: Some(secret),
        ..Claim::new(end.position, claimant.clone(), installation)
    };
    let entry = end.next_claim(clocks.clock.now(), end.last, claim);
    let start = clocks.lease.now();
    match resolve_append(log, end.position, &entry.encode(), waiting) {
        Resolved::Stored => {
            end.advance(&entry);
            is_newest(log, end.position, waiting)?;
            Ok(Takeover { end, start })
        }
        Resolved::Taken(other) => Err(TakeoverError::Taken { by: other.maker() }),
        Resolved::Refused(reason) => Err(OwnerError::Refused(reason).into()),
        Resolved::Unknown(reason) => Err(OwnerError::Unknown(reason).into()),
    }
}

/// A claim that was tried for long may be stored where the log was trimmed: then there are later entries, of which the newest is
/// never removed.
fn is_newest(
    log: &mut dyn SharedLog,
    position: Position,
    waiting: &mut dyn RetryPause,
) -> Result<(), TakeoverError> {
    for attempts in 1.. {
        let reason = match log.span(position) {
            Ok(Some(span)) if span.newest == position => return Ok(()),
            Ok(Some(_)) => {
                let by = "another node".to_owned();
                return Err(TakeoverError::Taken { by });
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

impl Takeover {
    /// The owner. Groups of its journal that the log lacks are stored first: the log has lost them, or the node was alone
    /// before.
    ///
    /// # Errors
    /// When the log does not store them.
    pub fn own(
        self,
        follower: &Follower,
        log: Box<dyn SharedLog>,
        waiting: Box<dyn RetryPause>,
        clocks: OwnerClocks,
    ) -> Result<Owner, TakeoverError> {
        let mut owner = Owner::new(log, waiting, clocks, self.end, self.start);
        let most = PUT_BACK_BYTES.min(owner.batch_bytes_max() / 2);
        let all = follower.last();
        let mut last_mention = None;
        while let Some(groups) = follower.missing_in_log(owner.end().last, most)? {
            if owner.is_ending() {
                let reason = "the process ends".to_owned();
                return Err(OwnerError::Unknown(reason).into());
            }
            owner.append(groups.last, groups.bytes)?;
            let now = owner.lease().now();
            if last_mention.is_none_or(|at| now.saturating_sub(at) >= MENTION_EVERY) {
                last_mention = Some(now);
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

impl std::fmt::Debug for OwnerClocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OwnerClocks")
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

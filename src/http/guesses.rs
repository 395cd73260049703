//! What is counted of those who guess: wrong signatures, and tokens of the operator.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use switchboard_actors::System;
use switchboard_actors::domain::account::throttle::{Attempt, Throttle, TooOften};
use switchboard_actors::domain::id::ChannelId;

/// Counts them.
#[derive(Debug)]
pub(crate) struct Guesses {
    signatures: Mutex<Throttle>,
    tokens: Mutex<Throttle>,
}

impl Guesses {
    pub(crate) fn new(system: &System) -> Self {
        Self {
            signatures: Mutex::new(Throttle::of_signatures(system.random())),
            tokens: Mutex::new(Throttle::new(system.random())),
        }
    }

    /// Counts a wrong signature.
    ///
    /// # Errors
    /// When there were too many of them lately, for this channel from this address.
    pub(crate) fn wrong_signature(
        &self,
        system: &System,
        channel: &ChannelId,
        address: IpAddr,
    ) -> Result<(), TooOften> {
        let attempt = Attempt::at_signature(channel, address);
        let counted = lock(&self.signatures).attempt(&attempt, system.now());
        counted.map(drop)
    }

    /// Whether this is the operator's token. A wrong one is counted.
    ///
    /// # Errors
    /// When there were too many wrong ones lately from this address: then a right one is not taken either, since that
    /// would tell it from the others.
    pub(crate) fn is_operator(
        &self,
        system: &System,
        address: IpAddr,
        token: &str,
    ) -> Result<bool, TooOften> {
        let attempt = Attempt::at_the_operator(address);
        let left = lock(&self.tokens).attempt(&attempt, system.now())?;
        let right = system.is_operator(token);
        if right {
            lock(&self.tokens).forgive(&attempt, system.now());
        } else if left == 0 {
            tracing::warn!(
                %address,
                "too many wrong tokens of the operator came from this address; no more are looked at for a while"
            );
        }
        Ok(right)
    }

    /// Whether a token that is nobody's here may be compared with those of others, to say whose it is.
    pub(crate) fn may_compare(&self, system: &System, address: IpAddr) -> bool {
        let attempt = Attempt::at_a_token(address);
        lock(&self.tokens).attempt(&attempt, system.now()).is_ok()
    }
}

fn lock(throttle: &Mutex<Throttle>) -> MutexGuard<'_, Throttle> {
    throttle.lock().unwrap_or_else(PoisonError::into_inner)
}

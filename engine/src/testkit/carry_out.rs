//! A command without an owner.

use crate::state::{Command, Moment, State};
use crate::time::UnixMillis;

/// Decides and applies a command that needs no earlier records, at time 0 and with randomness of zeros.
///
/// # Errors
/// The rejection of the command.
pub fn carry_out<C: Command>(state: &mut C::Of, command: C) -> Result<C::Reply, C::Rejection> {
    let mut random = || [0; 16];
    let mut moment = Moment {
        now: UnixMillis::ZERO,
        random: &mut random,
        earlier: &[],
    };
    let decision = command.decide(state, &mut moment)?;
    for recorded in &decision.events {
        state.apply(&recorded.event);
    }
    Ok(decision.reply)
}

//! The pace of callbacks that a fault sends in pieces.

use std::num::NonZeroUsize;
use std::time::Duration;

use switchboard_actors::port::Attempt;
use switchboard_network::outbound::pace::Pace;

use crate::dev::worlds::fault::Pacing;

/// The length of the pieces of a split request, in bytes: its head has several, too.
const SPLIT: usize = 100;
/// The pause behind such a piece: long enough that a receiver reads it alone.
const SPLIT_PAUSE: Duration = Duration::from_millis(10);
/// Timers are no finer than this.
const PAUSE_MIN: Duration = Duration::from_millis(1);
/// About so long is the head of a request, without its address.
const HEAD: usize = 400;

/// Returns the pace of a request under this fault.
pub(super) fn pace(attempt: &Attempt, pacing: Pacing) -> Pace {
    match pacing {
        Pacing::Split => Pace {
            piece: piece(SPLIT),
            pause: SPLIT_PAUSE,
        },
        Pacing::Drip(over) => {
            let bytes = attempt.body.len() + attempt.url.len() + HEAD;
            let pauses = usize::try_from(over.as_millis())
                .unwrap_or(usize::MAX)
                .max(1);
            let pieces = bytes.min(pauses);
            let share = u32::try_from(pieces).unwrap_or(u32::MAX);
            Pace {
                piece: piece(bytes.div_ceil(pieces)),
                pause: (over / share.max(1)).max(PAUSE_MIN),
            }
        }
    }
}

fn piece(bytes: usize) -> NonZeroUsize {
    NonZeroUsize::new(bytes).unwrap_or(NonZeroUsize::MIN)
}

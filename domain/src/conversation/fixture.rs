//! What the tests of conversations begin with.

use crate::conversation::Received;
use crate::generation::Generation;
use crate::id::{MessageId, PersonId};
use crate::time::UnixMillis;

/// A loud message of a customer.
pub(super) fn received(number: u64, at: UnixMillis) -> Received {
    Received {
        number,
        id: MessageId::from_random([9; 16]),
        msgid: "m".parse().unwrap(),
        at,
        written_at: at,
        loud: true,
        from: PersonId::from_random([3; 16]),
        origin: None,
        customer: None,
        generation: Generation::default(),
        name: None,
        to: None,
        source: None,
        post: None,
        media_from: None,
        avatar_from: None,
        pressed: None,
    }
}

//! The part of a client's bytes that is taken at once: one request after the other, and of those that wait behind
//! it only as many as fit a small queue. The framework would take in, and keep in memory, whatever comes.

use std::cell::Cell;
use std::rc::Rc;

use switchboard_network::limits::connections::{Phase, Seat};

/// The number of heads handed over before their requests begin.
const HEADS_MAX: usize = 8;

/// The gate for reading from a connection: it is shut while a request is answered that is there as a whole.
#[derive(Clone, Debug, Default)]
pub struct Intake(Rc<State>);

#[derive(Debug, Default)]
struct State {
    /// The part of this connection that others see.
    seat: Option<Seat>,
    is_closed: Cell<bool>,
    /// The number of requests that have begun; beside it, the number of those that are answered.
    begun: Cell<usize>,
    answered: Cell<usize>,
}

/// A request that is answered, until the last byte of its answer was handed over or it is dropped.
#[derive(Debug)]
pub struct Answering(Intake);

impl Intake {
    /// The intake of the connection with this seat.
    pub(crate) fn new(seat: Seat) -> Self {
        Self(Rc::new(State {
            seat: Some(seat),
            ..State::default()
        }))
    }

    /// A request is answered from now on; its body may be read meanwhile when it has one.
    pub fn answering(&self, has_body: bool) -> Answering {
        self.0.begun.set(self.begun().wrapping_add(1));
        self.0.is_closed.set(!has_body);
        self.0.seat.as_ref().inspect(|seat| seat.begin());
        Answering(self.clone())
    }

    /// The body of the request is there.
    pub fn has_body(&self) {
        self.0.is_closed.set(true);
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.0.is_closed.get()
    }

    /// Returns whether no request is answered now.
    pub(crate) fn is_idle(&self) -> bool {
        self.begun() == self.0.answered.get()
    }

    /// The number of requests of the connection that have begun.
    pub(crate) fn begun(&self) -> usize {
        self.0.begun.get()
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let Intake(state) = &self.0;
        state.answered.set(state.answered.get().wrapping_add(1));
        state.is_closed.set(false);
        let seat = state.seat.as_ref();
        seat.inspect(|seat| seat.enter(Phase::Idle));
    }
}

/// The number of these bytes to hand over in one turn: up to the end of the last head that fits.
pub(crate) fn handed_over(bytes: &[u8]) -> usize {
    let mut heads = 0_usize;
    let mut line = 0_usize;
    for end in memchr::memchr_iter(b'\n', bytes) {
        let next = end.saturating_add(1);
        // An empty line ends a head. In a body it may stand for none, which only makes a turn shorter.
        if matches!(bytes.get(line..end), Some(b"" | b"\r")) {
            heads = heads.saturating_add(1);
            if heads == HEADS_MAX {
                return next;
            }
        }
        line = next;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn ends with the last head that fits, with either kind of line end.
    #[test]
    fn a_turn_ends_with_the_last_complete_head_that_fits() {
        for request in [
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\nHost: x\n\n",
        ] {
            for count in 1..=HEADS_MAX {
                let bytes = request.repeat(count);
                assert_eq!(handed_over(bytes.as_bytes()), bytes.len());
            }
            let bytes = request.repeat(HEADS_MAX + 1);
            assert_eq!(handed_over(bytes.as_bytes()), request.len() * HEADS_MAX);
        }
        assert_eq!(handed_over(b""), 0);
        assert_eq!(handed_over(b"{\"text\":\"no head at all\"}"), 25);
    }

    #[test]
    fn nothing_is_read_while_a_complete_request_is_answered() {
        let intake = Intake::default();
        assert!(!intake.is_closed());
        let answering = intake.answering(false);
        assert!(intake.is_closed() && !intake.is_idle());
        drop(answering);
        assert!(!intake.is_closed() && intake.is_idle());
        let answering = intake.answering(true);
        assert!(!intake.is_closed(), "its body is read");
        intake.has_body();
        assert!(intake.is_closed());
        drop(answering);
        assert!(!intake.is_closed());
    }
}

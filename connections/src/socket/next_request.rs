//! The bytes handed over of a request that has not begun: the framework has them, and does not give them back.

use crate::intake::Intake;

/// The beginning of the next request.
#[derive(Debug, Default)]
pub(super) struct NextRequest {
    bytes: Vec<u8>,
    /// The number of requests that had begun before it.
    behind: usize,
}

impl NextRequest {
    /// These bytes are handed over.
    pub(super) fn note(&mut self, intake: &Intake, bytes: &[u8]) {
        if !intake.is_idle() {
            // They are of the body of a request that has begun.
            return;
        }
        if self.behind != intake.begun() {
            self.bytes.clear();
            self.behind = intake.begun();
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Frees what belongs to a request that has begun since.
    pub(super) fn forget_begun(&mut self, intake: &Intake) {
        if self.behind != intake.begun() {
            self.bytes = Vec::new();
        }
    }

    /// Takes the bytes that were handed over, if the request has not begun.
    pub(super) fn take(&mut self, intake: &Intake) -> Vec<u8> {
        self.forget_begun(intake);
        std::mem::take(&mut self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_not_begun_is_left() {
        let intake = Intake::default();
        let mut next = NextRequest::default();
        next.note(&intake, b"GET / HT");
        next.note(&intake, b"TP/1.1");
        let answering = intake.answering(true);
        next.note(&intake, b"its body");
        assert_eq!(next.take(&intake), b"");
        drop(answering);
        assert_eq!(next.take(&intake), b"");
        next.note(&intake, b"PO");
        next.note(&intake, b"ST");
        next.forget_begun(&intake);
        assert_eq!(next.take(&intake), b"POST");
    }
}

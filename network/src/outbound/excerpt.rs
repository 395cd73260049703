//! The part of an answer's body that is kept for a person to read.
//!
//! The text comes from a stranger and ends in logs, terminals and pages: whatever could
//! move a cursor, break a line of a log or turn the direction of writing is shown as its
//! escape. Pages still have to escape it for HTML.

use std::fmt;

use bytes::Bytes;

use crate::printable;

/// At most so many bytes of text are kept.
pub const EXCERPT_MAX: usize = 4 * 1024;

/// The beginning of a body, and the end of its reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyExcerpt {
    /// The beginning of the body, at most [`EXCERPT_MAX`] bytes, without control characters.
    pub text: String,
    /// The same bytes as they came, at most [`EXCERPT_MAX`].
    pub bytes: Bytes,
    /// The end of the reading.
    pub end: BodyEnd,
}

/// The end of the reading of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    /// Read to its end.
    Complete,
    /// Longer than is read; the connection was dropped.
    TooLong,
    /// Not complete within the attempt's time-out.
    TooSlow,
    /// Cut off, or not what its headers promise.
    Broken,
}

impl BodyExcerpt {
    /// From the first bytes of a body.
    #[must_use]
    pub fn new(body: &[u8], end: BodyEnd) -> Self {
        let text = if body.is_empty() {
            String::new()
        } else {
            printable::beginning(&String::from_utf8_lossy(body), EXCERPT_MAX)
        };
        let beginning = body.get(..EXCERPT_MAX).unwrap_or(body);
        Self {
            text,
            bytes: Bytes::copy_from_slice(beginning),
            end,
        }
    }
}

impl fmt::Display for BodyExcerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match self.end {
            BodyEnd::Complete => Ok(()),
            BodyEnd::TooLong => f.write_str(" [the body was longer than is read]"),
            BodyEnd::TooSlow => f.write_str(" [the body was not complete in time]"),
            BodyEnd::Broken => f.write_str(" [the body was cut off or malformed]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_become_replacement_characters() {
        let excerpt = BodyExcerpt::new(b"\x1f\x8b ok", BodyEnd::TooLong);
        assert_eq!(
            excerpt.to_string(),
            "\\u001f\u{fffd} ok [the body was longer than is read]"
        );
    }
}

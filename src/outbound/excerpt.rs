//! The part of an answer's body that is kept for a person to read.
//!
//! The text comes from a stranger and ends in logs, terminals and pages: whatever could
//! move a cursor, break a line of a log or turn the direction of writing is shown as its
//! escape. Pages still have to escape it for HTML.

use std::fmt;
use std::fmt::Write as _;

/// At most so many bytes of text are kept.
pub const EXCERPT_MAX: usize = 4 * 1024;

/// What was kept of a body, and how its reading ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyExcerpt {
    /// The beginning of the body, at most [`EXCERPT_MAX`] bytes, without control characters.
    pub text: String,
    /// How the reading ended.
    pub end: BodyEnd,
}

/// How the reading of a body ended.
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
            printable(&String::from_utf8_lossy(body), EXCERPT_MAX)
        };
        Self { text, end }
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

/// `text` with control characters and invisible formatting escaped, cut to `bytes_max` at a
/// character's edge.
#[must_use]
pub fn printable(text: &str, bytes_max: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(bytes_max));
    let mut escape = String::new();
    for character in text.chars() {
        escape.clear();
        let written = if is_treacherous(character) {
            write!(escape, "{}", character.escape_default())
        } else {
            escape.write_char(character)
        };
        if written.is_err() || shown.len() + escape.len() > bytes_max {
            break;
        }
        shown.push_str(&escape);
    }
    shown
}

/// Control characters, line and paragraph separators, and what reorders or hides text.
fn is_treacherous(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::*;

    #[test]
    fn ordinary_text_is_unchanged() {
        let text = "Привет, «мир» 🙂 {\"ok\":true} \\o/";
        assert_eq!(printable(text, 100), text);
    }

    #[test]
    fn control_characters_and_line_breaks_are_escaped() {
        assert_eq!(
            printable("a\r\nb\t\u{1b}[31m\0\u{9b}\u{202e}\u{2028}", 100),
            "a\\r\\nb\\t\\u{1b}[31m\\u{0}\\u{9b}\\u{202e}\\u{2028}"
        );
    }

    #[test]
    fn a_character_or_an_escape_is_never_cut_in_two() {
        assert_eq!(printable("aé", 2), "a");
        assert_eq!(printable("a\u{1b}", 6), "a");
        assert_eq!(printable("a\u{1b}", 7), "a\\u{1b}");
    }

    #[test]
    fn bytes_that_are_no_text_become_replacement_characters() {
        let excerpt = BodyExcerpt::new(b"\x1f\x8b ok", BodyEnd::TooLong);
        assert_eq!(
            excerpt.to_string(),
            "\\u{1f}\u{fffd} ok [the body was longer than is read]"
        );
    }

    proptest! {
        #[test]
        fn any_body_becomes_short_and_harmless(body in any::<Vec<u8>>(), bytes_max in 0_usize..64) {
            let shown = printable(&String::from_utf8_lossy(&body), bytes_max);
            assert!(shown.len() <= bytes_max);
            assert!(!shown.chars().any(is_treacherous));
        }
    }
}

//! Texts of strangers as people may see them. Whatever could move a cursor, break a line of a log or turn the direction of
//! writing is written as an escape, in the form that JSON and JavaScript have: a JSON document stays the same document.

mod writer;

use std::fmt::Write as _;

pub use writer::PrintableWriter;

/// A text on one line.
pub fn line(text: &str) -> String {
    escaped(text, is_treacherous)
}

/// A text that may have several lines and tabs.
pub fn lines(text: &str) -> String {
    escaped(text, |letter| {
        !matches!(letter, '\n' | '\t') && is_treacherous(letter)
    })
}

/// The beginning of a text on one line: so many bytes at most, cut at the edge of a character or of an escape.
pub fn beginning(text: &str, bytes_max: usize) -> String {
    let mut output = String::with_capacity(text.len().min(bytes_max));
    let mut next = String::new();
    for letter in text.chars() {
        next.clear();
        push(&mut next, letter, is_treacherous);
        if output.len().saturating_add(next.len()) > bytes_max {
            break;
        }
        output.push_str(&next);
    }
    output
}

/// Escapes the characters for which `is_escaped` is true.
pub fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut output = String::with_capacity(text.len());
    for letter in text.chars() {
        push(&mut output, letter, &is_escaped);
    }
    output
}

fn push(shown: &mut String, letter: char, is_escaped: impl Fn(char) -> bool) {
    if !is_escaped(letter) {
        shown.push(letter);
        return;
    }
    match letter {
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        _ => {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // A string takes whatever is written to it.
                write!(shown, "\\u{unit:04x}").unwrap_or_default();
            }
        }
    }
}

/// Returns true for control characters, separators of lines and paragraphs, and what reorders or hides text.
pub(crate) fn is_treacherous(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
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

    const TREACHEROUS: &str = "a\r\nb\t\u{1b}[31m\0\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}";

    #[test]
    fn ordinary_text_is_unchanged() {
        let text = "Привет, «мир» 🙂 {\"ok\":true} \\o/";
        assert_eq!(
            (line(text), beginning(text, 100)),
            (text.into(), text.into())
        );
    }

    #[test]
    fn control_characters_and_line_breaks_are_escaped() {
        let escaped = "a\\r\\nb\\t\\u001b[31m\\u0000\\u007f\\u009b\\u202e\\u2028\\udb40\\udc41";
        assert_eq!(line(TREACHEROUS), escaped);
        let line_breaks = escaped.replace("\\n", "\n").replace("\\t", "\t");
        assert_eq!(lines(TREACHEROUS), line_breaks);
    }

    #[test]
    fn a_json_document_stays_the_same_document() {
        let document = serde_json::json!({ TREACHEROUS: TREACHEROUS });
        let text = serde_json::to_string_pretty(&document).unwrap();
        let output = lines(&text);
        assert_ne!(output, text);
        let read: serde_json::Value = serde_json::from_str(&output).unwrap();
        assert_eq!(read, document);
    }

    #[test]
    fn a_character_or_an_escape_is_never_cut_in_two() {
        assert_eq!(beginning("aé", 2), "a");
        assert_eq!(beginning("a\u{1b}", 6), "a");
        assert_eq!(beginning("a\u{1b}", 7), "a\\u001b");
    }

    proptest! {
        #[test]
        fn any_text_becomes_short_and_harmless(text in any::<String>(), bytes_max in 0_usize..64) {
            let output = beginning(&text, bytes_max);
            assert!(output.len() <= bytes_max);
            assert!(!output.chars().any(is_treacherous));
            assert!(line(&text).starts_with(&output));
        }
    }
}

//! Long texts in parts.

use unicode_normalization::char::is_combining_mark;

/// The most signs that one visible sign is made of. A longer sequence is split.
const CLUSTER_MAX: usize = 64;

/// Splits a text into parts of so many UTF-16 units, which together are the text.
///
/// A part ends behind a line, else behind a word, else behind a visible sign, if there is such an end in its second half.
#[must_use]
pub fn split(text: &str, units_max: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = end_of_part(rest, units_max.max(2));
        let (part, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        parts.push(part);
        rest = behind;
    }
    parts
}

/// The end of the first part, in bytes; never 0 for a text that is not empty.
fn end_of_part(text: &str, units_max: usize) -> usize {
    let (mut units, mut limit, mut half) = (0, text.len(), 0);
    for (at, letter) in text.char_indices() {
        if units * 2 <= units_max {
            half = at;
        }
        units += letter.len_utf16();
        if units > units_max {
            limit = at;
            break;
        }
    }
    if limit == text.len() {
        return limit;
    }
    let window = text.get(half..limit).unwrap_or_default();
    let behind =
        |found: Option<(usize, char)>| found.map(|(at, letter)| half + at + letter.len_utf8());
    let line = || behind(window.char_indices().rfind(|(_, letter)| *letter == '\n'));
    let word = || {
        behind(
            window
                .char_indices()
                .rfind(|(_, letter)| letter.is_whitespace()),
        )
    };
    line()
        .or_else(word)
        .or_else(|| sign(text, limit))
        .unwrap_or(limit)
}

/// The last place before `limit` at which no visible sign is torn apart; `None` when there is none nearby.
fn sign(text: &str, limit: usize) -> Option<usize> {
    let mut at = limit;
    for _ in 0..CLUSTER_MAX {
        let (before, behind) = text.split_at_checked(at)?;
        let (last, next) = (before.chars().next_back()?, behind.chars().next()?);
        if !belongs_together(before, last, next) {
            return Some(at);
        }
        at -= last.len_utf8();
    }
    None
}

fn belongs_together(before: &str, last: char, next: char) -> bool {
    const JOINER: char = '\u{200d}';
    if last == '\r' && next == '\n' || last == JOINER || next == JOINER {
        return true;
    }
    if is_regional(last) && is_regional(next) {
        // Flags are pairs of them.
        let count = before
            .chars()
            .rev()
            .take(CLUSTER_MAX)
            .take_while(|it| is_regional(*it))
            .count();
        return count % 2 == 1;
    }
    is_combining_mark(next) || is_modifier(next)
}

fn is_regional(letter: char) -> bool {
    matches!(letter, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Selectors of forms, colours of skin, and the letters behind flags of regions.
fn is_modifier(letter: char) -> bool {
    matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::split;
    use crate::words::units;

    #[test]
    fn a_short_text_stays_whole() {
        assert_eq!(split("", 10), Vec::<&str>::new());
        assert_eq!(split("0123456789", 10), ["0123456789"]);
    }

    #[test]
    fn a_part_ends_at_a_line() {
        assert_eq!(
            split("one two\nthree four", 12),
            ["one two\n", "three four"]
        );
    }

    #[test]
    fn a_part_without_lines_ends_at_a_word() {
        assert_eq!(split("one two three", 10), ["one two ", "three"]);
        // An end at the beginning would make many small parts.
        assert_eq!(split("a\nbcdefghijklm", 10), ["a\nbcdefghi", "jklm"]);
    }

    #[test]
    fn a_surrogate_pair_stays_whole() {
        assert_eq!(split("aaa😀", 4), ["aaa", "😀"]);
        assert_eq!(split("😀😀", 2), ["😀", "😀"]);
        assert_eq!(split("😀", 1), ["😀"]);
    }

    #[test]
    fn a_visible_sign_stays_whole() {
        assert_eq!(split("abce\u{301}x", 4), ["abc", "e\u{301}x"]);
        assert_eq!(split("ab👨\u{200d}💻", 5), ["ab", "👨\u{200d}💻"]);
        assert_eq!(split("ab👍\u{1f3fd}", 4), ["ab", "👍\u{1f3fd}"]);
        assert_eq!(split("ab❤\u{fe0f}", 3), ["ab", "❤\u{fe0f}"]);
        assert_eq!(split("🇩🇪🇫🇷", 6), ["🇩🇪", "🇫🇷"]);
    }

    #[test]
    fn a_sign_without_end_is_split() {
        let text = format!("e{}", "\u{301}".repeat(200));
        assert_eq!(split(&text, 100).first().map(|it| units(it)), Some(100));
    }

    proptest! {
        #[test]
        fn parts_are_the_text_and_fit(
            text in "([a-z \\n]{0,9}|[\\x00-\\u{10ffff}]{0,9}|\u{301}|👨\u{200d}💻|🇩🇪){0,60}",
            most in 2_usize..40,
        ) {
            let parts = split(&text, most);
            prop_assert_eq!(parts.concat(), text.as_str());
            for part in parts {
                prop_assert!(!part.is_empty() && units(part) <= most);
            }
        }
    }
}

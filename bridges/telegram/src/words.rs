//! Texts from outside: their length as Telegram counts it, and their form as the service takes it.

/// The longest name of a person or a file, in characters.
const NAME_MAX: usize = 255;
/// The longest ending of a file's name that a shortened name keeps, in characters with its dot.
const ENDING_MAX: usize = 17;

/// The length of a text in UTF-16 units.
pub(crate) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The beginning of a text: as many whole characters as fit into so many bytes.
pub(crate) fn beginning(text: &str, bytes_max: usize) -> &str {
    let mut end = bytes_max.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default()
}

/// Returns whether a character changes the direction of a text without being seen: a name with one can show another ending
/// than it has.
fn turns_text(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text as one line of so many characters, with a blank in place of each control character; empty when nothing is left.
pub(crate) fn line(text: &str, characters_max: usize) -> String {
    let visible = text.chars().filter(|letter| !turns_text(*letter));
    let printable = visible.map(|letter| if is_break(letter) { ' ' } else { letter });
    let whole: String = printable.take(characters_max.saturating_mul(4)).collect();
    let start: String = whole.trim().chars().take(characters_max).collect();
    start.trim_end().to_owned()
}

fn is_break(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// The name of a person as the service takes it.
pub(crate) fn name(text: &str) -> String {
    line(text, NAME_MAX)
}

/// The name of a file as the service takes it: never a path, and with its ending; `fallback` when nothing is left.
pub(crate) fn file_name(text: &str, fallback: &str) -> String {
    let flat: String = text
        .chars()
        .map(|letter| {
            if matches!(letter, '/' | '\\' | ':') {
                '_'
            } else {
                letter
            }
        })
        .collect();
    // Long enough for its ending to be seen.
    let whole = line(&flat, 4 * NAME_MAX);
    let visible = whole.trim_start_matches(|letter: char| letter == '.' || letter.is_whitespace());
    if visible.is_empty() {
        return fallback.to_owned();
    }
    let count = visible.chars().count();
    if count <= NAME_MAX {
        return visible.to_owned();
    }
    let ending = match visible.rsplit_once('.') {
        Some((_, ending)) if ending.chars().count() < ENDING_MAX => format!(".{ending}"),
        Some(_) | None => String::new(),
    };
    let room = NAME_MAX.saturating_sub(ending.chars().count());
    let stem: String = visible.chars().take(room).collect();
    let whole_name = stem + &ending;
    whole_name.trim_end().to_owned()
}

/// A size for people.
pub(crate) fn megabytes(bytes: u64) -> String {
    let tenths = bytes.saturating_mul(10).div_ceil(1 << 20);
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{beginning, file_name, line, megabytes, name, units};

    #[test]
    fn units_are_those_of_utf_16() {
        assert_eq!(units("aé😀"), 4);
        assert_eq!(beginning("aé😀", 2), "a");
        assert_eq!(beginning("aé", 9), "aé");
    }

    #[test]
    fn a_name_is_one_line_without_signs_of_direction() {
        assert_eq!(name(" Ann\r\nof\u{0}X \u{202e}"), "Ann  of X");
        assert_eq!(name("\u{202e}\u{7}\u{2066}"), "");
        assert_eq!(name(&"я".repeat(300)).chars().count(), 255);
    }

    #[test]
    fn a_file_name_is_no_path_and_keeps_its_ending() {
        assert_eq!(file_name("../../etc/passwd", "file"), "_.._etc_passwd");
        assert_eq!(file_name("C:\\a\u{0}b.pdf", "file"), "C__a b.pdf");
        assert_eq!(
            file_name("invoice\u{202e}fdp.exe", "file"),
            "invoicefdp.exe"
        );
        assert_eq!(file_name(" .. ", "file"), "file");
        assert_eq!(file_name(".\u{2000}a.pdf", "file"), "a.pdf");
        assert_eq!(file_name("", "photo.jpg"), "photo.jpg");
        let long = file_name(&format!("{}.tar.gz", "a".repeat(300)), "file");
        assert_eq!(long.chars().count(), 255);
        assert!(long.ends_with(".gz"));
        assert_eq!(file_name(&"a".repeat(9_000), "file").chars().count(), 255);
    }

    #[test]
    fn sizes_are_rounded_up() {
        assert_eq!(megabytes(0), "0.0 MB");
        assert_eq!(megabytes((20 << 20) + 1), "20.1 MB");
        assert_eq!(megabytes(25 << 20), "25.0 MB");
    }

    proptest! {
        #[test]
        fn every_text_becomes_a_name_that_fits(text in "\\PC{0,9}[\\x00-\\u{10ffff}]{0,600}") {
            let clean = [line(&text, 40), name(&text), file_name(&text, "file")];
            for text in &clean {
                prop_assert!(text.chars().count() <= 255);
                prop_assert!(!text.chars().any(char::is_control));
                prop_assert_eq!(text.trim(), text.as_str());
            }
            let file = &clean[2];
            prop_assert!(!file.is_empty() && !file.contains(['/', '\\']));
        }
    }
}

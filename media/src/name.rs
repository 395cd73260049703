//! The name of an uploaded file, made harmless: a label, never a path.

use switchboard_actors::domain::text::FileName;
use switchboard_actors::domain::text::file_name::shortened;

/// The most characters that are kept of a name; its ending is kept whole.
const CHARACTERS_MAX: usize = 200;

/// Returns a name without directories, control characters and characters that turn text around; `file` when nothing is
/// left.
pub fn clean(given: &str) -> Option<FileName> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let harmless = |letter: &char| {
        !letter.is_control()
            && !matches!(letter,
                '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let printable: String = last.chars().filter(harmless).collect();
    let stem = printable.trim().trim_start_matches('.').trim();
    let name = if stem.is_empty() { "file" } else { stem };
    shortened(name, CHARACTERS_MAX, |_| 1).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_never_a_path_nor_changes_its_direction() {
        for (given, kept) in [
            ("cat.png", "cat.png"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\ada\\cat.png", "cat.png"),
            ("..", "file"),
            ("", "file"),
            ("a/", "file"),
            (".htaccess", "htaccess"),
            ("a\r\nSet-Cookie: b\0", "aSet-Cookie: b"),
            ("photo\u{202e}gnp.exe", "photognp.exe"),
            ("\"quoted\";x='1'", "\"quoted\";x='1'"),
            ("отчёт 2026.pdf", "отчёт 2026.pdf"),
        ] {
            assert_eq!(clean(given).unwrap().as_str(), kept, "{given:?}");
        }
        for ending in ["", ".pdf", ".tar.gz"] {
            let long = format!("{}{ending}", "é".repeat(900));
            let name = clean(&long).unwrap();
            assert_eq!(name.as_str().chars().count(), 200);
            assert!(name.as_str().ends_with(ending), "{name}");
        }
    }
}

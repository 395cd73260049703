//! Names of files: where they come from, and how a long one is cut. Its ending stays, because programs choose by it how to
//! open the file.

use super::FileName;
use super::url::HttpUrl;

/// The longest ending that is kept, in bytes: `.tar.gz` and `.numbers-template` among them.
const ENDING_MAX: usize = 17;
/// The longest name, in characters.
const CHARACTERS_MAX: usize = 255;

/// As much of a name as weighs at most so much: the end of its stem is cut off, and its ending stays.
#[must_use]
pub fn shortened(name: &str, max: usize, weight: impl Fn(char) -> usize) -> String {
    let of = |text: &str| {
        text.chars()
            .map(&weight)
            .fold(0_usize, usize::saturating_add)
    };
    if of(name) <= max {
        return name.to_owned();
    }
    let ending = ending(name);
    let stem = name.strip_suffix(ending).unwrap_or(name);
    let mut room = max.saturating_sub(of(ending));
    let fits = |letter: &char| {
        let rest = room.checked_sub(weight(*letter));
        room = rest.unwrap_or(room);
        rest.is_some()
    };
    let stem: String = stem.chars().take_while(fits).collect();
    stem + ending
}

/// The ending of a name with its dot: the longest part that begins with a dot and is short enough. Empty when there is none.
fn ending(name: &str) -> &str {
    let from = name.len().saturating_sub(ENDING_MAX);
    let dots = name.char_indices().filter(|(_, letter)| *letter == '.');
    let mut endings = dots.filter_map(|(at, _)| (at >= from && at > 0).then(|| name.get(at..))?);
    endings.find(|ending| ending.len() > 1).unwrap_or_default()
}

impl FileName {
    /// A longer name, shortened before its ending, as one line; `None` when nothing is left.
    #[must_use]
    pub fn shortened(text: &str) -> Option<Self> {
        let printable = |letter: char| if letter.is_control() { ' ' } else { letter };
        let line: String = text.trim().chars().map(printable).collect();
        shortened(&line, CHARACTERS_MAX, |_| 1).parse().ok()
    }

    /// The name that the address of a file ends with, its escapes resolved; «file» when it ends with none.
    #[must_use]
    pub fn of_address(address: &HttpUrl) -> Self {
        let without_query = address
            .as_str()
            .split(['?', '#'])
            .next()
            .unwrap_or_default();
        let behind_the_host = without_query.splitn(4, '/').nth(3).unwrap_or_default();
        let last = behind_the_host.rsplit('/').next().unwrap_or_default();
        let short = |name: &str| shortened(name, CHARACTERS_MAX, |_| 1).parse().ok();
        let file_name = unescaped(last).and_then(|name| short(&name));
        file_name
            .or_else(|| short(last))
            .unwrap_or_else(|| Self("file".to_owned()))
    }
}

/// Resolves `%41`; `None` when that gives no text.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let escape = behind.split_first_chunk::<2>().filter(|_| *first == b'%');
        let character = escape.and_then(|(digits, behind)| {
            let digits = std::str::from_utf8(digits).ok()?;
            let byte = u8::from_str_radix(digits, 16).ok()?;
            Some((byte, behind))
        });
        let (byte, behind) = character.unwrap_or((*first, behind));
        bytes.push(byte);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_ends_with_the_name_of_its_file() {
        for (address, name) in [
            ("https://e.com/a/b.png", "b.png"),
            ("https://e.com/b.png?size=5/6#x", "b.png"),
            ("https://e.com/%D1%84%20%2B.txt", "ф +.txt"),
            ("https://e.com/50%25%", "50%%"),
            ("https://e.com/%ff%zz", "%ff%zz"),
            ("https://e.com/%00", "%00"),
            ("https://e.com", "file"),
            ("https://e.com/", "file"),
            ("https://e.com?a=/b", "file"),
        ] {
            let file_name = FileName::of_address(&address.parse().unwrap());
            assert_eq!(file_name.as_str(), name, "{address}");
        }
        let long = format!("https://e.com/{}.pdf", "x".repeat(256));
        let file_name = FileName::of_address(&long.parse().unwrap());
        assert_eq!(file_name.as_str(), format!("{}.pdf", "x".repeat(251)));
    }

    #[test]
    fn a_long_name_is_cut_before_its_ending() {
        for (stem, ending, kept) in [
            ("a", ".pdf", ".pdf"),
            ("я", ".pdf", ".pdf"),
            ("日", ".docx", ".docx"),
            ("😀", ".tar.gz", ".tar.gz"),
            ("a", ".v1.tar.gz", ".v1.tar.gz"),
            ("a", ".отчёт", ".отчёт"),
            ("a", "", ""),
            ("a", ".", ""),
            // Too long for an ending, and so part of the stem.
            ("a", ".a-sentence-behind-a-dot", ""),
            ("a", ".a-sentence-behind-a-dot.txt", ".txt"),
        ] {
            for letters in [1, 190, 195, 196, 197, 199, 200, 201, 400] {
                let name = format!("{}{ending}", stem.repeat(letters));
                let short = shortened(&name, 200, |_| 1);
                if name.chars().count() <= 200 {
                    assert_eq!(short, name);
                } else {
                    assert_eq!(short.chars().count(), 200, "{name}");
                    assert!(
                        short.ends_with(kept)
                            && name.starts_with(short.strip_suffix(kept).unwrap())
                    );
                }
                // By weight: what does not fit as a whole is left out.
                let bytes = shortened(&name, 100, char::len_utf8);
                assert!(
                    bytes.len() <= 100 && bytes.len() + 4 > name.len().min(100),
                    "{bytes}"
                );
                assert!(name.len() <= 100 || bytes.ends_with(kept), "{bytes}");
            }
        }
        assert_eq!(shortened(".gitignore-and-more", 5, |_| 1), ".giti");
        assert_eq!(shortened("a.pdf", 2, |_| 1), ".pdf");
    }
}

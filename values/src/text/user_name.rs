//! The rules for the name of a user.

use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// Ends of words that mail programs make a link of. A name like «J.R.Smith» has none of them.
const LINK_ENDS: [&str; 10] = [
    ".com", ".net", ".org", ".ru", ".рф", ".info", ".biz", ".io", ".su", ".xyz",
];

/// The canonical combining class of the signs that take the vowel from a letter: behind one, a joiner shapes the letter.
const VIRAMA: u8 = 9;

/// Letters with their marks, digits, spaces and `. @ - _`, at least one letter or digit, and no word that would become a
/// link. An e-mail address is no link here: many accounts call their users by them. The sign between the syllables of
/// Tibetan is a space.
pub(super) fn fits(text: &str) -> bool {
    let mut before = Before::Other;
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let next = rest.clone().next();
        before = match character {
            _ if is_combining_mark(character) => match before {
                Before::Other => return false,
                Before::Letter | Before::Virama
                    if canonical_combining_class(character) == VIRAMA =>
                {
                    Before::Virama
                }
                Before::Letter | Before::Virama => Before::Letter,
            },
            ZERO_WIDTH_JOINER if before == Before::Virama => Before::Letter,
            ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER => {
                if before == Before::Other || !next.is_some_and(char::is_alphabetic) {
                    return false;
                }
                Before::Other
            }
            _ if character.is_alphabetic() => Before::Letter,
            _ if character.is_alphanumeric() || " .@-_\u{f0b}".contains(character) => Before::Other,
            _ => return false,
        };
    }
    text.chars().any(char::is_alphanumeric) && !text.split(' ').any(is_link)
}

/// Both keep letters of a word apart or together where its spelling wants it, in Persian as in Hindi.
const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// The kind of the character before the present one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A letter, perhaps with marks: a mark belongs to it.
    Letter,
    /// A letter without its vowel.
    Virama,
    /// Nothing that a mark could belong to.
    Other,
}

fn is_link(word: &str) -> bool {
    let word = word.to_lowercase();
    let bare = word.trim_end_matches('.');
    word.starts_with("www.")
        || (!word.contains('@') && LINK_ENDS.iter().any(|end| bare.ends_with(end)))
}

#[cfg(test)]
mod tests {
    use crate::text::UserName;

    #[test]
    fn a_users_name_has_at_most_50_characters() {
        assert!("é".repeat(50).parse::<UserName>().is_ok());
        assert!("é".repeat(51).parse::<UserName>().is_err());
        assert!("".parse::<UserName>().is_err());
    }

    #[test]
    fn a_users_name_may_hold_only_four_special_characters() {
        for name in [
            "Иван Иванов",
            "J.R.Smith-Jones_2",
            "ada@example.com",
            "Zoë",
            "Zoe\u{308}",
            "李 小龙",
            // Letters of most scripts have marks: vowels, tones, points and accents.
            "अनिता शर्मा",
            "রহিম মিয়া",
            "அன்பு செல்வன்",
            "กิตติ์",
            "ສົມພອນ",
            "အောင်ဆန်း",
            "សុខា",
            "ගයාන්",
            "ఆనంద్",
            "ಕೃಷ್ಣ",
            "ਗੁਰਪ੍ਰੀਤ",
            "ଓଡ଼ିଆ",
            "གཡང་སྐྱིད",
            "דָּוִד",
            "مُحَمَّد",
            "ދިވެހި",
            "Nguye\u{302}\u{303}n Đức",
            "И\u{306}озеф",
            "葛\u{e0100}城",
            // Joiners: in Persian, Sinhala and Hindi, and behind a virama at the end of a word in Malayalam.
            "علی\u{200c}رضا",
            "ශ්\u{200d}රී",
            "क्\u{200d}ष",
            "രാജന്\u{200d}",
        ] {
            assert!(name.parse::<UserName>().is_ok(), "{name}");
        }
        for name in [
            " ",
            " . ",
            "<b>",
            "O'Neill",
            "a/b",
            "#1",
            "Ada 😀",
            "a\tb",
            "a,b",
            "a+b",
            "a\u{202e}b",
            "a\u{200f}b",
            "ا\u{61c}ب",
            // Marks and joiners belong to letters.
            "\u{301}a",
            "a \u{301}b",
            "1\u{20e3}",
            "1\u{301}",
            "\u{93f}",
            "\u{200d}a",
            "a\u{200d}",
            "a\u{200c} b",
            "a\u{200d}\u{200d}b",
            "a\u{200d}.b",
            "1\u{200d}a",
            "a\u{200b}b",
            "a\u{2060}b",
        ] {
            assert!(name.parse::<UserName>().is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_users_name_holds_no_link() {
        for name in [
            "www.evil.com",
            "WWW.evil",
            "see evil.com",
            "Evil.COM.",
            "http://x",
            "почта.рф",
        ] {
            assert!(name.parse::<UserName>().is_err(), "{name}");
        }
    }
}

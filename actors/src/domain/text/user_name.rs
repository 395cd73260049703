//! What the name of a user may consist of.

/// Ends of words that mail programs make a link of. A name like «J.R.Smith» has none of them.
const LINK_ENDS: [&str; 10] = [
    ".com", ".net", ".org", ".ru", ".рф", ".info", ".biz", ".io", ".su", ".xyz",
];

/// Letters, digits, spaces and `. @ - _`, at least one letter or digit, and no word that would become a link. An e-mail
/// address is no link here: many accounts call their users by them.
pub(super) fn fits(text: &str) -> bool {
    let allowed = |character: char| {
        character.is_alphanumeric() || is_mark(character) || " .@-_".contains(character)
    };
    text.chars().all(allowed)
        && text.chars().any(char::is_alphanumeric)
        && !text.split(' ').any(is_link)
}

/// Accents that stand on their own behind their letter.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

fn is_link(word: &str) -> bool {
    let word = word.to_lowercase();
    let bare = word.trim_end_matches('.');
    word.starts_with("www.")
        || (!word.contains('@') && LINK_ENDS.iter().any(|end| bare.ends_with(end)))
}

#[cfg(test)]
mod tests {
    use crate::domain::text::UserName;

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

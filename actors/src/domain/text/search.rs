//! A search text, and whether another text contains it: letter case does not matter, in any script.
//!
//! Texts are stored and shown as they were sent, and folded only for comparison.

/// The longest text that is looked for, in characters.
pub const SEARCH_MAX: usize = 100;
/// From so many digits on, a text of digits may be part of a phone number.
const DIGITS_MIN: usize = 3;

/// From so many digits on, a text of digits may be the end of a phone number.
const NUMBER_MIN: usize = 7;

/// Words, all of which must occur, each anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Folded, none of them empty.
    words: Vec<String>,
    /// The digits alone, when the text looks like a part of a phone number.
    digits: Option<String>,
}

/// The text is too long to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a search has at most {SEARCH_MAX} characters")]
pub struct TooLong;

impl Search {
    /// What to look for; `None` when the text is blank, which asks for nothing.
    ///
    /// # Errors
    /// When the text is too long.
    pub fn parse(text: &str) -> Result<Option<Self>, TooLong> {
        if text.chars().nth(SEARCH_MAX).is_some() {
            return Err(TooLong);
        }
        let words: Vec<String> = text.split_whitespace().map(folded).collect();
        if words.is_empty() {
            return Ok(None);
        }
        let of_numbers = |c: char| c.is_ascii_digit() || c.is_whitespace() || "+-().".contains(c);
        let found = digits(text);
        let digits = (text.chars().all(of_numbers) && found.len() >= DIGITS_MIN).then_some(found);
        Ok(Some(Self { words, digits }))
    }

    /// The digits, when the text is as long as a phone number within a country.
    #[must_use]
    pub fn number(&self) -> Option<&str> {
        let digits = self.digits.as_deref();
        digits.filter(|digits| digits.len() >= NUMBER_MIN)
    }

    /// The text, when it is one word that may be an e-mail address; folded.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        match self.words.as_slice() {
            [word] if word.contains('@') => Some(word),
            _ => None,
        }
    }

    /// The words that occur in none of these texts.
    #[must_use]
    pub fn missing_in<'s>(&'s self, texts: &[&str]) -> Vec<&'s str> {
        let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
        let occurs = |word: &String| texts.iter().any(|text| text.contains(word.as_str()));
        let missing = self.words.iter().filter(|word| !occurs(word));
        missing.map(String::as_str).collect()
    }

    /// Whether this is a part of the phone number, however each is punctuated.
    #[must_use]
    pub fn is_in_number(&self, phone: &str) -> bool {
        let wanted = self.digits.as_ref();
        wanted.is_some_and(|wanted| digits(phone).contains(wanted.as_str()))
    }
}

/// Whether each of these folded words occurs in one of the texts.
#[must_use]
pub fn all_occur(words: &[&str], texts: &[&str]) -> bool {
    let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
    words
        .iter()
        .all(|word| texts.iter().any(|text| text.contains(word)))
}

/// The digits of a text.
pub(crate) fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The text without the difference between letter cases.
///
/// Each character goes to lower case, then to upper case, then to lower case again: that brings together whatever the
/// Unicode case folding brings together, such as `ß`, `ẞ` and `ss`, or the two small sigmas. Characters are taken one
/// by one, so a part of a text folds to a part of the folded text.
#[must_use]
pub fn folded(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    let upper = lower.flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(text: &str) -> Search {
        Search::parse(text).unwrap().unwrap()
    }

    fn finds(text: &str, texts: &[&str]) -> bool {
        search(text).missing_in(texts).is_empty()
    }

    /// All cases of a character fold to the same, and folding again changes nothing.
    #[test]
    fn case_folding_is_uniform_and_idempotent_for_every_character() {
        for character in '\0'..=char::MAX {
            let own = folded(&character.to_string());
            let upper: String = character.to_uppercase().collect();
            let lower: String = character.to_lowercase().collect();
            assert_eq!(folded(&upper), own, "{character:?}");
            assert_eq!(folded(&lower), own, "{character:?}");
            assert_eq!(folded(&own), own, "{character:?}");
        }
    }

    #[test]
    fn letter_case_does_not_matter_in_any_script() {
        for (wanted, text) in [
            ("ADA", "Ada Lovelace"),
            ("straße", "Hauptstrasse 5"),
            ("STRASSE", "Hauptstraße 5"),
            ("GROẞ", "groß"),
            ("Όσος", "ΌΣΟΣ"),
            ("ЁЖИК", "ёжик в тумане"),
            ("ﬁnal", "FINAL"),
            ("ǆ", "ǅ"),
            ("Եվ", "ԵՎ"),
            ("k", "\u{212a}"),
        ] {
            assert!(finds(wanted, &[text]), "{wanted} in {text}");
        }
        assert!(!finds("ada", &["Bo"]));
    }

    #[test]
    fn every_word_must_occur_somewhere() {
        assert!(finds("  stock\tada ", &["Ada", "Is it in stock?"]));
        assert!(!finds("stock bo", &["Ada", "Is it in stock?"]));
        assert_eq!(search("stock bo").missing_in(&["Bo"]), ["stock"]);
        assert!(all_occur(&["stock"], &["In STOCK"]));
        assert!(!all_occur(&["stock", "x"], &["In STOCK"]));
        assert_eq!(Search::parse(" \n "), Ok(None));
    }

    #[test]
    fn digits_match_phone_numbers_despite_punctuation() {
        assert!(search("+7 (900) 000").is_in_number("7 900-000-00-00"));
        assert!(search("000 00").is_in_number("+79000000000"));
        for wanted in ["12", "+7 901", "900 ada"] {
            assert!(!search(wanted).is_in_number("+79000000000"), "{wanted}");
        }
    }

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        assert!(Search::parse(&"ä".repeat(SEARCH_MAX)).is_ok());
        assert_eq!(Search::parse(&"ä".repeat(SEARCH_MAX + 1)), Err(TooLong));
    }
}

//! A search text, and whether another text contains it: letter case does not matter, in any script.
//!
//! Texts are stored and shown as they were sent, and folded only for comparison.

/// The longest text that is looked for, in characters.
pub const SEARCH_MAX: usize = 100;
/// From so many digits on, a text of digits may be part of a phone number.
const DIGITS_MIN: usize = 3;

/// From so many digits on, a text of digits may be a whole phone number.
const NUMBER_MIN: usize = 7;

/// What stands between the digits of a phone number, besides spaces: the dashes of writers and the invisible marks that
/// copied numbers bring along.
const PUNCTUATION: &str = "+-()./\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}\u{200e}\u{200f}\u{202a}\u{202c}\u{2060}\u{feff}";

/// Words, all of which must occur, each anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The text without the spaces around it.
    text: String,
    /// Folded, none of them empty.
    words: Vec<String>,
    /// When the text looks like a part of a phone number: its digits, and those without the prefix for a call within or
    /// out of a country.
    numbers: Vec<String>,
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
        Ok(Some(Self {
            text: text.trim().to_owned(),
            words,
            numbers: numbers(text),
        }))
    }

    /// The text, as it was written: it may be an id.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text is one word.
    #[must_use]
    pub fn is_word(&self) -> bool {
        self.words.len() == 1
    }

    /// The digits of the phone number that the text may be, in each spelling; none when the text is shorter than a phone
    /// number within a country.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        let numbers = self.numbers.iter().map(String::as_str);
        numbers.filter(|digits| digits.len() >= NUMBER_MIN)
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
        if self.numbers.is_empty() {
            return false;
        }
        let phone = digits(phone);
        let mut numbers = self.numbers.iter();
        numbers.any(|wanted| phone.contains(wanted.as_str()))
    }
}

/// The digits of a text that looks like a part of a phone number, and what remains of them without the prefix that is
/// dialled instead of the code of a country: `00`, `0`, or `8` before ten digits.
fn numbers(text: &str) -> Vec<String> {
    let of_number = |c: char| c.is_ascii_digit() || c.is_whitespace() || PUNCTUATION.contains(c);
    let found = digits(text);
    if !text.chars().all(of_number) || found.len() < DIGITS_MIN {
        return Vec::new();
    }
    let mut numbers = vec![found.clone()];
    let eight = found.strip_prefix('8').filter(|rest| rest.len() == 10);
    let zeros = found.strip_prefix("00").or_else(|| found.strip_prefix('0'));
    let rest = zeros.or(eight).filter(|rest| rest.len() >= NUMBER_MIN);
    numbers.extend(rest.map(str::to_owned));
    numbers
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
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            folded.push(character.to_ascii_lowercase());
        } else {
            let upper = character.to_lowercase().flat_map(char::to_uppercase);
            folded.extend(upper.flat_map(char::to_lowercase));
        }
    }
    folded
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

    /// Each spelling of one number has the same digits in the end.
    #[test]
    fn a_phone_number_is_known_in_its_usual_spellings() {
        for text in [
            "+7 (900) 123-45-67",
            "007 900 123 45 67",
            "8 (900) 123-45-67",
            "79001234567",
            "\u{202a}+7\u{a0}900\u{2011}123\u{2013}45\u{2013}67\u{202c}",
            "7.900.123/45.67",
        ] {
            let search = search(text);
            let is_end = search.numbers().any(|it| "79001234567".ends_with(it));
            assert!(is_end && search.is_in_number("+7 900 1234567"), "{text}");
        }
        assert_eq!(search("030 1234567").numbers().last(), Some("301234567"));
        assert_eq!(search("123456").numbers().count(), 0);
        assert_eq!(search("1234567 ada").numbers().count(), 0);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        assert!(Search::parse(&"ä".repeat(SEARCH_MAX)).is_ok());
        assert_eq!(Search::parse(&"ä".repeat(SEARCH_MAX + 1)), Err(TooLong));
    }
}

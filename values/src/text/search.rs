//! A search text, and whether other texts have it: in any spelling of its letters, and as a phone number in any punctuation.

use std::collections::BTreeSet;

use crate::text::normal_form::{NormalForm, folded, is_ignorable, is_invisible};
use crate::text::phone_number::{NUMBER_MIN, is_number, numbers_in};

/// The longest text that is looked for, in characters.
pub const SEARCH_MAX: usize = 100;
/// From so many digits on, a text of digits may be part of a phone number.
const DIGITS_MIN: usize = 3;
/// The number of digits that a stored number may lack, compared with the number in a search: the code of the country,
/// with one digit that is dialled before it.
pub const LACKING_MAX: usize = 4;
/// The schemes of links to numbers, which come along when one is copied.
const SCHEMES: [&str; 7] = [
    "tel:",
    "sms:",
    "callto:",
    "whatsapp:",
    "viber:",
    "fax:",
    "mailto:",
];

/// Words, all of which must occur, each anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// The text without the spaces around it.
    text: String,
    /// Folded, none of them empty.
    words: Vec<String>,
    /// The digits in each spelling, when the text is a phone number, several of them, or a part of one.
    numbers: Vec<String>,
    /// The e-mail address that the text may be.
    address: Option<NormalForm>,
}

/// The text is too long to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a search has at most {SEARCH_MAX} characters")]
pub struct SearchError;

impl Search {
    /// Reads the text of a search; `None` when the text is blank, which searches for nothing.
    ///
    /// # Errors
    /// When the text is too long.
    pub fn parse(text: &str) -> Result<Option<Self>, SearchError> {
        if text.chars().nth(SEARCH_MAX).is_some() {
            return Err(SearchError);
        }
        if is_invisible(text) {
            return Ok(None);
        }
        let bare = bare(text);
        let folded = folded(bare);
        let mut words: Vec<String> = folded.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            // Accents alone: no folded text has them.
            words.push(bare.to_owned());
        }
        let is_address = words.len() == 1 && folded.contains('@');
        Ok(Some(Self {
            text: text.trim().to_owned(),
            words,
            numbers: numbers(bare),
            address: is_address.then(|| NormalForm::new(bare)),
        }))
    }

    /// The text, as it was written: it may be an id.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the text is one word.
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

    /// The text, when it is one word that may be an e-mail address.
    #[must_use]
    pub fn address(&self) -> Option<&NormalForm> {
        self.address.as_ref()
    }

    /// The words that occur in none of these texts; none when one of the texts has the number, or the part of one.
    #[must_use]
    pub fn missing_in<'s>(&'s self, texts: &[&str]) -> Vec<&'s str> {
        if texts.iter().any(|text| self.is_in_number(text)) {
            return Vec::new();
        }
        let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
        let occurs = |word: &String| texts.iter().any(|text| text.contains(word.as_str()));
        let missing = self.words.iter().filter(|word| !occurs(word));
        missing.map(String::as_str).collect()
    }

    /// Returns whether each of these words occurs in one of the texts, or one of them has the whole number of the
    /// search.
    #[must_use]
    pub fn is_said(&self, words: &[&str], texts: &[&str]) -> bool {
        let folded: Vec<String> = texts.iter().map(|text| folded(text)).collect();
        let occurs = |word: &&str| folded.iter().any(|text| text.contains(word));
        let is_whole = self.numbers().next().is_some();
        words.iter().all(occurs) || (is_whole && texts.iter().any(|text| self.is_in_number(text)))
    }

    /// Returns whether this is a phone number of the text, or a part of one, however each is written.
    fn is_in_number(&self, text: &str) -> bool {
        if self.numbers.is_empty() {
            return false;
        }
        let numbers = numbers_in(text).into_iter();
        let mut spellings = numbers.flat_map(|number| number.spellings());
        spellings.any(|spellings| self.numbers.iter().any(|it| is_same(it, &spellings)))
    }
}

/// Returns whether `wanted` is a part of a stored number, or that number with the code of its country.
fn is_same(wanted: &str, stored: &str) -> bool {
    let lacking = wanted.len().saturating_sub(stored.len());
    let may_lack = stored.len() >= NUMBER_MIN && lacking <= LACKING_MAX;
    stored.contains(wanted) || (may_lack && wanted.ends_with(stored))
}

/// The text without what comes along with a copied number or address: spaces, invisible characters, the scheme of a
/// link, angle brackets.
fn bare(text: &str) -> &str {
    let unseen = |it: char| it.is_whitespace() || is_ignorable(it);
    let text = text.trim_matches(unseen);
    let bare = text.trim_matches(|it| unseen(it) || matches!(it, '<' | '>'));
    let scheme = SCHEMES.iter().find_map(|scheme| {
        let (start, rest) = bare.split_at_checked(scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then_some(rest)
    });
    let bare = scheme.map_or(bare, |rest| rest.trim_start_matches(unseen));
    if bare.is_empty() { text } else { bare }
}

/// The digits, in each spelling, of a text that is nothing but phone numbers or a part of one.
fn numbers(text: &str) -> Vec<String> {
    let mut numbers = BTreeSet::new();
    if !is_number(text) {
        return Vec::new();
    }
    for number in numbers_in(text) {
        numbers.extend(number.digits().strip_prefix('0').map(str::to_owned));
        numbers.extend(number.spellings());
    }
    numbers.retain(|it| it.len() >= DIGITS_MIN);
    numbers.into_iter().collect()
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
        let search = search("stock bo");
        assert_eq!(search.missing_in(&["Bo"]), ["stock"]);
        assert!(search.is_said(&["stock"], &["In STOCK"]));
        assert!(!search.is_said(&["stock", "x"], &["In STOCK"]));
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
        let national: Vec<_> = search("030 1234567").numbers;
        assert_eq!(national, ["0301234567", "301234567"]);
        assert_eq!(search("123456").numbers().count(), 0);
        assert_eq!(search("1234567 ada").numbers().count(), 0);
    }

    /// The search text and the stored one may each lack what is dialled before a number, whichever of them is longer.
    #[test]
    fn the_rule_of_the_same_number_has_no_direction() {
        let numbers = [
            "+7 (900) 123-45-67",
            "8 900 123-45-67",
            "900 123-45-67",
            "tel:+7-900-123-45-67;ext=5",
            "+7 (0) 900 123-45-67",
            "+７９００１２３４５６７",
            "Тел. +7 900 123-45-67 доб. 5",
            "+7 900 765-43-21, +7 900 123-45-67",
        ];
        for wanted in numbers {
            for stored in numbers {
                let search = search(wanted);
                assert!(search.is_in_number(stored), "{wanted} in {stored}");
                assert!(
                    search.missing_in(&[stored]).is_empty(),
                    "{wanted} in {stored}"
                );
                let message = format!("Call me: {stored}!");
                assert!(
                    search.is_said(&["nothing"], &[&message]),
                    "{wanted} in {message}"
                );
            }
        }
        assert!(!search("900 123-45-67").is_in_number("900 123-45-68"));
        assert!(!search("900").is_said(&["nothing"], &["900 1234567"]));
        assert!(search("0151").is_in_number("+49 151 2000"));
    }

    #[test]
    fn an_address_is_found_as_it_is_copied() {
        for text in [
            "mailto:Ann@Example.com",
            "<ann@example.com>",
            " ann@example.com\u{202c}",
            "ａｎｎ＠example.com",
        ] {
            let search = search(text);
            assert_eq!(
                search.address(),
                Some(&NormalForm::new("ann@example.com")),
                "{text}"
            );
            assert!(
                search.missing_in(&["ann@example.com.au"]).is_empty(),
                "{text}"
            );
        }
        assert_eq!(search("ann @").address(), None);
        for text in ["<>", "tel:", "\u{b4}"] {
            assert!(!search(text).missing_in(&["Ann"]).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        assert!(Search::parse(&"ä".repeat(SEARCH_MAX)).is_ok());
        assert_eq!(Search::parse(&"ä".repeat(SEARCH_MAX + 1)), Err(SearchError));
    }
}

//! Phone numbers within texts, and which of them are the same: the one rule of searches, of the index and of first messages.
//!
//! Numbers are written with any punctuation and in the digits of any script. What follows a whole number behind a word is an
//! extension, and a zero in brackets is dialled within the country only: both are no part of it.

use unicode_normalization::UnicodeNormalization;

use crate::text::decimal_digit;
use crate::text::normal_form::{folded, is_ignorable};

/// So many digits may be a whole phone number.
pub const NUMBER_MIN: usize = 7;
/// From so many digits on, what follows behind a comma is an extension, unless it is a number itself.
const COMPLETE_MIN: usize = 10;
/// The words before a number, and those between a number and its extension.
const LABELS: [&str; 24] = [
    "tel",
    "phone",
    "mobile",
    "mob",
    "cell",
    "fax",
    "whatsapp",
    "viber",
    "тел",
    "телефон",
    "моб",
    "факс",
    "ext",
    "extn",
    "extension",
    "x",
    "доб",
    "добавочный",
    "вн",
    "внутр",
    "int",
    "poste",
    "anexo",
    "ramal",
];
/// The codes of countries whose numbers begin with a zero that is always dialled.
const WITH_ZERO: [&str; 6] = ["39", "225", "229", "241", "242", "378"];

/// A phone number: its digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneNumber {
    digits: String,
    /// True when it begins with the code of a country: it was written with `+` or `00`.
    is_international: bool,
}

impl PhoneNumber {
    /// The digits, with the code of the country if it was written with one.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.digits
    }

    /// Returns whether it may be a whole number, and not a part of one.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.digits.len() >= NUMBER_MIN
    }

    /// The digits in each way in which people write this number: as they are, and without what is dialled only within a
    /// country: `0`, or `8` before ten digits, or a `0` behind the code of the country.
    #[must_use]
    pub fn spellings(&self) -> Vec<String> {
        let digits = self.digits.as_str();
        let eight = digits.strip_prefix('8').filter(|rest| rest.len() == 10);
        let without = digits.strip_prefix('0').or(eight).map(str::to_owned);
        let inner = self.is_international.then(|| without_inner_zero(digits));
        let others = without.into_iter().chain(inner.flatten());
        let mut spellings = vec![digits.to_owned()];
        spellings.extend(others.filter(|it| it.len() >= NUMBER_MIN));
        spellings
    }
}

/// The digits without the zero behind the code of the country.
fn without_inner_zero(digits: &str) -> Option<String> {
    let (code, rest) = digits.split_at_checked(code_length(digits))?;
    let rest = rest.strip_prefix('0')?;
    let is_dialled = WITH_ZERO.contains(&code);
    (!is_dialled).then(|| format!("{code}{rest}"))
}

/// Returns the number of digits in the code of the country.
fn code_length(digits: &str) -> usize {
    match digits.as_bytes() {
        [b'1' | b'7', ..] => 1,
        [b'2', b'0' | b'7', ..]
        | [b'3', b'0'..=b'4' | b'6' | b'9', ..]
        | [b'4', b'0' | b'1' | b'3'..=b'9', ..]
        | [b'5', b'1'..=b'8', ..]
        | [b'6', b'0'..=b'6', ..]
        | [b'8', b'1' | b'2' | b'4' | b'6', ..]
        | [b'9', b'0'..=b'5' | b'8', ..] => 2,
        _ => 3,
    }
}

/// Returns whether a text is nothing but phone numbers, or parts of them.
#[must_use]
pub fn is_number(text: &str) -> bool {
    let folded = folded(text);
    let mut words = folded.split(|it: char| !it.is_alphabetic());
    words.all(|word| word.is_empty() || LABELS.contains(&word)) && !numbers_in(text).is_empty()
}

/// Finds the phone numbers in a text. When none of them may be whole, they are parts of numbers.
#[must_use]
pub fn numbers_in(text: &str) -> Vec<PhoneNumber> {
    if !text.chars().any(may_be_digit) {
        return Vec::new();
    }
    let mut numbers = Vec::new();
    let runs = runs(text);
    let mut rest = runs.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        let others = behind.iter().take_while(|run| !run.begins_anew());
        let count = others.count();
        let (others, after) = behind.split_at_checked(count).unwrap_or((behind, &[]));
        let is_behind = numbers.last().is_some_and(PhoneNumber::is_whole);
        let is_extension = is_behind && !first.before.contains('+');
        numbers.extend(numbers_of(first, others, is_extension));
        rest = after;
    }
    // Beside a whole number, the others are extensions, and numbers of houses.
    if numbers.iter().any(PhoneNumber::is_whole) {
        numbers.retain(PhoneNumber::is_whole);
    }
    numbers
}

/// Returns whether it may be a digit, or decompose to one: most texts have none, and need no closer look.
fn may_be_digit(character: char) -> bool {
    character.is_ascii_digit()
        || (!character.is_ascii() && character.is_numeric())
        || decimal_digit::value(character).is_some()
}

/// Digits that follow each other, with what stands before them.
#[derive(Debug, Default)]
struct Run {
    before: String,
    digits: String,
}

impl Run {
    /// Returns whether another number begins with it, or an extension.
    fn begins_anew(&self) -> bool {
        let separates = |it: char| it.is_alphabetic() || matches!(it, '+' | '#' | ';');
        self.before.contains(separates)
    }

    /// Returns whether it may be another number than the one before it.
    fn is_listed(&self) -> bool {
        self.before.contains([',', '/', '|', '\\', '&'])
    }

    /// The digits without a zero that is dialled within a country only: it stands in brackets.
    fn significant(&self) -> &str {
        let in_brackets = self.before.trim_end().ends_with(['(', '[']);
        let rest = self.digits.strip_prefix('0').filter(|_| in_brackets);
        rest.unwrap_or(&self.digits)
    }
}

fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut run = Run::default();
    for character in text.nfkd().filter(|it| !is_ignorable(*it)) {
        match decimal_digit::value(character) {
            Some(value) => run.digits.extend(char::from_digit(u32::from(value), 10)),
            None => {
                if !run.digits.is_empty() {
                    runs.push(std::mem::take(&mut run));
                }
                run.before.push(character);
            }
        }
    }
    if !run.digits.is_empty() {
        runs.push(run);
    }
    runs
}

/// The numbers that these digits are, between which there is only punctuation. They may begin with the extension of the
/// number before them.
fn numbers_of(first: &Run, others: &[Run], is_extension: bool) -> Vec<PhoneNumber> {
    let mut parts = vec![(first.digits.clone(), false)];
    for run in others {
        match parts.last_mut().filter(|_| !run.is_listed()) {
            Some((digits, _)) => digits.push_str(run.significant()),
            None => parts.push((run.significant().to_owned(), run.before.contains(','))),
        }
    }
    let begins_short = parts
        .first()
        .is_some_and(|(part, _)| part.len() < NUMBER_MIN);
    if is_extension && begins_short {
        parts.remove(0);
    }
    let has_plus = first.before.trim_end_matches(['(', ' ']).ends_with('+');
    let mut numbers: Vec<String> = Vec::new();
    for (part, has_comma) in parts {
        let is_number = part.len() >= NUMBER_MIN;
        match numbers.last_mut() {
            // A pause, and the extension that is dialled behind it.
            Some(before) if before.len() >= COMPLETE_MIN && has_comma && !is_number => {}
            Some(before) if before.len() < NUMBER_MIN || !is_number => before.push_str(&part),
            Some(_) | None => numbers.push(part),
        }
    }
    let numbers = numbers.into_iter().enumerate();
    numbers
        .map(|(place, digits)| number(digits, has_plus && place == 0))
        .collect()
}

fn number(digits: String, has_plus: bool) -> PhoneNumber {
    match digits.strip_prefix("00").filter(|_| !has_plus) {
        Some(rest) if rest.len() >= NUMBER_MIN => PhoneNumber {
            digits: rest.to_owned(),
            is_international: true,
        },
        Some(_) | None => PhoneNumber {
            digits,
            is_international: has_plus,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Vec<String> {
        let numbers = numbers_in(text).into_iter();
        numbers.map(|it| it.digits).collect()
    }

    #[test]
    fn one_number_has_the_same_digits_in_every_writing() {
        for text in [
            "+79001234567",
            "+7 (900) 123-45-67",
            "+7/900/123-45-67",
            "+7/900/123/45/67",
            "+7, 900, 1234567",
            "+7\u{2013}900\u{2013}123\u{2013}45\u{2013}67",
            "+7\u{2011}900\u{2011}1234567",
            "+7\u{a0}900\u{202f}123 45 67",
            "+7.900.123.45.67",
            "+7_900_123*45~67",
            "+7·900•123·45·67",
            "tel:+79001234567",
            "tel:+7-900-123-45-67;ext=5",
            "\u{202a}+7 900 123-45-67\u{202c}",
            "\u{2068}+7 900 123-45-67\u{2069}",
            "+７９００１２３４５６７",
            "+٧٩٠٠١٢٣٤٥٦٧",
            "+७९००१२३४५६७",
            "7️⃣9️⃣0️⃣0️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣",
            "+7 (0) 900 123-45-67",
            "+7 [0]900 123-45-67",
            "+7 (0900) 123-45-67",
            "007 900 123 45 67",
            "+7 900 123-45-67 ext. 5",
            "+7 900 123-45-67 доб. 512",
            "+7 900 123-45-67x5",
            "+7 900 123-45-67 #5",
            "+7 900 123-45-67,5",
            "Ada's 2nd: +7 900 123-45-67",
        ] {
            assert_eq!(digits(text), ["79001234567"], "{text}");
        }
    }

    #[test]
    fn several_numbers_are_separate() {
        for text in [
            "+7 900 123-45-67, +7 900 765-43-21",
            "+7 900 123-45-67 / +7 900 765-43-21",
            "+7 900 123-45-67 +7 900 765-43-21",
            "79001234567; 79007654321",
            "79001234567, 79007654321",
            "7 900 123-45-67 or 7 900 765-43-21",
            "7 900 123-45-67 ext. 5, 7 900 765-43-21 ext. 12",
        ] {
            assert_eq!(digits(text), ["79001234567", "79007654321"], "{text}");
        }
        assert_eq!(digits("123-45-67, 765-43-21"), ["1234567", "7654321"]);
        assert_eq!(digits("900 123"), ["900123"]);
        assert_eq!(digits("a1 b2"), ["1", "2"]);
        assert!(digits("no digits, none").is_empty() && digits("").is_empty());
    }

    #[test]
    fn a_text_with_other_words_is_no_number() {
        for text in ["+7 900 123-45-67", "тел. 8 900 доб. 5", "112"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "ext", "Ada", "Ada 79001234567", "1234567 ada"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn what_is_dialled_within_a_country_is_one_of_two_spellings() {
        let spellings = |text: &str| numbers_in(text).first().unwrap().spellings();
        assert_eq!(spellings("8 900 123-45-67"), ["89001234567", "9001234567"]);
        assert_eq!(spellings("030 1234567"), ["0301234567", "301234567"]);
        assert_eq!(
            spellings("+49 030 1234567"),
            ["490301234567", "49301234567"]
        );
        assert_eq!(spellings("+39 06 1234567"), ["39061234567"]);
        assert_eq!(spellings("0 123456"), ["0123456"]);
        assert_eq!(spellings("112"), ["112"]);
    }
}

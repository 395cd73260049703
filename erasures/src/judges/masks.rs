//! Masks for the names, numbers and addresses of a customer in texts that stay.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use switchboard_domain::text::normal_form::{PlacedChar, folded, folded_with_places};

/// The text in the place of a masked one.
pub(super) const MASK: &str = "[erased]";
/// Shorter words of an alphabet are too common to be masked wherever they stand.
const LETTERS_MIN: usize = 3;
/// In other scripts, whole names have two characters.
const CHARACTERS_MIN: usize = 2;

/// Words and phrases to mask, by their first character: there may be as many as there are messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Masks(BTreeMap<char, Vec<Vec<char>>>);

impl Masks {
    /// Collects phrases, without those that are too short; the longest first.
    pub(super) fn new<'t>(phrases: impl Iterator<Item = &'t str>) -> Self {
        let letters = |phrase: &str| folded(phrase.trim()).chars().collect::<Vec<char>>();
        let mut phrases: Vec<_> = phrases.map(letters).filter(|it| is_long(it)).collect();
        phrases.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        phrases.dedup();
        let mut by_first: BTreeMap<char, Vec<Vec<char>>> = BTreeMap::new();
        for phrase in phrases {
            if let Some(first) = phrase.first() {
                by_first.entry(*first).or_default().push(phrase);
            }
        }
        Self(by_first)
    }

    /// The longest phrase at this place.
    fn at(&self, text: &[char], at: usize) -> Option<&Vec<char>> {
        let phrases = self.0.get(text.get(at)?)?;
        phrases.iter().find(|phrase| stands(text, at, phrase))
    }

    /// The text with a mask in the place of each phrase, in every spelling that a search takes for the same, that is no part of
    /// a longer word; `None` when it has none.
    pub(super) fn text(&self, text: &str) -> Option<String> {
        let letters = folded_with_places(text);
        let folded: Vec<char> = letters.iter().map(|letter| letter.folded).collect();
        let mut masked = String::new();
        // Up to here the text is in it.
        let mut end = 0;
        let mut at = 0;
        while at < letters.len() {
            let Some((phrase, bytes)) = self.at(&folded, at).and_then(|phrase| {
                let last = at.checked_add(phrase.len())?.checked_sub(1)?;
                Some((phrase, bytes(&letters, at, last)?))
            }) else {
                at = at.saturating_add(1);
                continue;
            };
            masked.push_str(text.get(end..bytes.start).unwrap_or_default());
            masked.push_str(MASK);
            end = bytes.end;
            at = at.saturating_add(phrase.len());
        }
        masked.push_str(text.get(end..).unwrap_or_default());
        (end > 0).then_some(masked)
    }

    /// Masks all texts in a document. Returns the number of changed ones.
    pub(super) fn document(&self, document: &mut Value) -> u64 {
        match document {
            Value::String(text) => match self.text(text) {
                Some(masked) => {
                    *text = masked;
                    1
                }
                None => 0,
            },
            Value::Array(entries) => entries.iter_mut().map(|it| self.document(it)).sum(),
            Value::Object(fields) => fields.values_mut().map(|it| self.document(it)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }
}

/// Returns whether a phrase is too long to be a common word.
fn is_long(phrase: &[char]) -> bool {
    let is_of_alphabet = |letter: &char| letter.is_lowercase() || letter.is_ascii();
    phrase.len() >= LETTERS_MIN
        || phrase.len() >= CHARACTERS_MIN && !phrase.iter().any(is_of_alphabet)
}

/// Returns whether the phrase stands at this place, and no letter or digit beside it continues it.
fn stands(text: &[char], at: usize, phrase: &[char]) -> bool {
    let behind = text.get(at..).unwrap_or_default();
    if !behind.starts_with(phrase) {
        return false;
    }
    let goes_on = |inner: Option<&char>, outer: Option<&char>| {
        let is_of_word = |letter: Option<&char>| letter.is_some_and(|it| it.is_alphanumeric());
        is_of_word(inner) && is_of_word(outer)
    };
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    !goes_on(phrase.first(), before) && !goes_on(phrase.last(), behind.get(phrase.len()))
}

/// The bytes of a text that these letters stand for.
fn bytes(letters: &[PlacedChar], first: usize, last: usize) -> Option<Range<usize>> {
    Some(letters.get(first)?.begin..letters.get(last)?.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_masked_in_any_case_but_not_inside_words() {
        let masks = Masks::new(["Ada Lovelace", "+1 555", "Ада", "Jo", "王伟"].into_iter());
        for (text, masked) in [
            (
                "Call ADA LOVELACE, +1 555!",
                Some("Call [erased], [erased]!"),
            ),
            ("ada lovelace's", Some("[erased]'s")),
            ("адА пишет", Some("[erased] пишет")),
            ("王伟!", Some("[erased]!")),
            ("Granada Lovelaces", None),
            ("+1 5557", None),
            ("Jo and Ada", None),
            ("", None),
        ] {
            assert_eq!(masks.text(text).as_deref(), masked, "{text}");
        }
    }

    /// The mask covers every spelling that a search finds.
    #[test]
    fn phrases_are_masked_in_every_spelling() {
        let masks = Masks::new(["Jos\u{e9} Ni\u{f1}o", "Ёлкин", "각하"].into_iter());
        for (text, masked) in [
            ("a JOSE\u{301} NIN\u{303}O, b", "a [erased], b"),
            ("jose nino\u{200d}\u{301}!", "[erased]!"),
            ("Ｊｏｓé Niño", "[erased]"),
            ("пишет ЕЛКИН", "пишет [erased]"),
            ("Е\u{308}лкин", "[erased]"),
            ("\u{1100}\u{1161}\u{11a8}\u{1112}\u{1161}?", "[erased]?"),
            ("\u{301}José\u{a0}Niño", "\u{301}[erased]"),
        ] {
            assert_eq!(masks.text(text).as_deref(), Some(masked), "{text}");
        }
        assert_eq!(masks.text("Josés Niño"), None);
    }

    #[test]
    fn all_texts_of_a_document_are_masked_and_counted() {
        let masks = Masks::new(["Ada", "Ada Lovelace"].into_iter());
        let mut document =
            serde_json::json!({ "a": ["Ada Lovelace", 5, { "b": "ada" }], "c": "x" });
        assert_eq!(masks.document(&mut document), 2);
        assert_eq!(
            document.to_string(),
            r#"{"a":["[erased]",5,{"b":"[erased]"}],"c":"x"}"#
        );
    }
}

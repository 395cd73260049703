//! Texts in the form in which they are compared. They are stored, shown and sent on as they came.
//!
//! Two spellings that look the same to every reader have one normal form: composed and decomposed letters, letter case of
//! every script, full-width letters, digits of every script, and invisible characters. A search goes further
//! and leaves out accents, since people type names without them ([`folded`]).

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;

use crate::text::decimal_digit;

/// The normal form of a text: what is equal in it is the same to every reader.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NormalForm(String);

impl NormalForm {
    /// Returns the normal form of a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(form(text, Accents::Count))
    }

    /// The text in this form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for NormalForm {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::new(text))
    }
}

/// Returns whether a name is one of the wanted ones, in any spelling; when there are none, every name is.
#[must_use]
pub fn is_wanted(names: &BTreeSet<NormalForm>, name: &str) -> bool {
    names.is_empty() || names.contains(&NormalForm::new(name))
}

/// Returns the text in normal form, and without the accents, the points and the forms of one letter that people leave out when they
/// type: `é`, `ё`, `ł`, the hamza on a letter. A letter with a mark that is another letter of its alphabet stays: `й`, `ї`, `パ`.
#[must_use]
pub fn folded(text: &str) -> String {
    form(text, Accents::LeftOut)
}

/// A character of a text as [`folded`] gives it, and which bytes of the text it stands for: a letter with its marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedChar {
    /// The character.
    pub folded: char,
    /// The first byte of its letter in the text.
    pub begin: usize,
    /// The byte after its letter.
    pub end: usize,
}

/// Returns the characters of the folded text with their places.
#[must_use]
pub fn folded_with_places(text: &str) -> Vec<PlacedChar> {
    let mut placed = Vec::with_capacity(text.len());
    let mut starts = text.char_indices().filter(|(_, it)| !continues(*it));
    let mut begin = 0;
    // What continues nothing, at the beginning, is a piece too.
    let mut next = starts.find(|(at, _)| *at > 0).map(|(at, _)| at);
    while begin < text.len() {
        let end = next.unwrap_or(text.len());
        let piece = text.get(begin..end).unwrap_or_default();
        for folded in folded(piece).chars() {
            placed.push(PlacedChar { folded, begin, end });
        }
        begin = end;
        next = starts.next().map(|(at, _)| at);
    }
    placed
}

/// Returns whether a character belongs to the letter before it: marks, invisible characters, parts of a syllable of
/// Hangul.
fn continues(character: char) -> bool {
    is_mark(character) || is_ignorable(character) || matches!(character, '\u{1161}'..='\u{11ff}')
}

/// Returns the text with each letter composed with its marks; nothing else of it changes.
#[must_use]
pub fn composed(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfc().collect()
}

/// Returns whether a reader sees nothing of the text.
#[must_use]
pub fn is_invisible(text: &str) -> bool {
    text.chars()
        .all(|it| is_ignorable(it) || it.is_whitespace())
}

/// The treatment of accents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Accents {
    Count,
    LeftOut,
}

fn form(text: &str, accents: Accents) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    quick(text, accents).unwrap_or_else(|| thorough(text, accents))
}

/// The form of a text whose characters neither decompose nor combine; `None` for other texts. Most texts are such, and a
/// search goes through many.
fn quick(text: &str, accents: Accents) -> Option<String> {
    let mut form = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\0'..='\u{7f}' => form.push(character.to_ascii_lowercase()),
            // Of Cyrillic, capitals stand 32 places before their small letters.
            'А'..='Я' | 'а'..='я' => form.extend(character.to_lowercase()),
            'Ё' | 'ё' if accents == Accents::LeftOut => form.push('е'),
            'Ё' | 'ё' => form.push('ё'),
            '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{1f300}'..='\u{1faff}' => {
                form.push(character);
            }
            _ if is_ignorable(character) => {}
            _ => form.push(punctuation(character)?),
        }
    }
    Some(form)
}

/// The character that people type for this punctuation mark; `None` when it is none of these.
fn punctuation(character: char) -> Option<char> {
    Some(match character {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2bc}' | '\u{2b9}' | '\u{2bb}' | '\u{5f3}' => {
            '\''
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{58a}' | '\u{5be}' => '-',
        '«' | '»' | '\u{201c}'..='\u{201f}' | '\u{5f4}' => '"',
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => ' ',
        _ => return None,
    })
}

fn thorough(text: &str, accents: Accents) -> String {
    let mut base = ' ';
    let letters = text.nfkd().filter(|it| !is_ignorable(*it));
    let cased = letters.flat_map(|it| {
        let upper = it.to_lowercase().flat_map(char::to_uppercase);
        upper.flat_map(char::to_lowercase)
    });
    // Upper case can bring a mark that has to be put in its place.
    let letters = cased.nfkd().filter_map(|character| {
        let character = character_of(character, accents);
        if !is_mark(character) {
            base = character;
        }
        stays(character, base, accents).then_some(character)
    });
    let mut form = String::with_capacity(text.len());
    for character in letters.nfc() {
        match (character, accents) {
            ('æ', Accents::LeftOut) => form.push_str("ae"),
            ('œ', Accents::LeftOut) => form.push_str("oe"),
            _ => form.push(character),
        }
    }
    form
}

/// The character that stands for this one in the form.
fn character_of(character: char, accents: Accents) -> char {
    if let Some(digit) = decimal_digit::value(character) {
        return decimal_digit::LATIN
            .get(usize::from(digit))
            .copied()
            .unwrap_or(character);
    }
    if let Some(mark) = punctuation(character) {
        return mark;
    }
    if accents == Accents::Count {
        return character;
    }
    match character {
        'ø' => 'o',
        'ł' => 'l',
        'đ' => 'd',
        'ħ' => 'h',
        'ŧ' => 't',
        // Forms of alef, yeh and kaf, as different keyboards have them.
        '\u{671}' => '\u{627}',
        '\u{649}' | '\u{6cc}' => '\u{64a}',
        '\u{6a9}' => '\u{643}',
        _ => character,
    }
}

/// Returns whether a character stays behind this letter.
fn stays(character: char, base: char, accents: Accents) -> bool {
    match character {
        // The dot that the letter has in any case.
        '\u{307}' if matches!(base, 'i' | 'j') => false,
        _ if accents == Accents::Count => true,
        '\u{308}' if base == 'е' => false,
        '\u{300}' | '\u{301}' => false,
        '\u{302}'..='\u{36f}' => matches!(base, '\u{400}'..='\u{52f}'),
        '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' => false,
        // Points of Hebrew and Arabic, the hamza on a letter, the line that stretches a word.
        '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' => false,
        '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' => false,
        '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' => false,
        '\u{6ea}'..='\u{6ed}' => false,
        _ => true,
    }
}

fn is_mark(character: char) -> bool {
    !character.is_ascii() && unicode_normalization::char::is_combining_mark(character)
}

/// Returns true for an invisible character: marks of direction, joiners, selectors of forms.
pub(super) fn is_ignorable(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> String {
        NormalForm::new(text).0
    }

    /// All characters but those of large alphabets whose characters are alike, and private ones.
    fn characters() -> impl Iterator<Item = char> {
        ('\0'..='\u{2ffff}').filter(|it| {
            let alike = [
                '\u{3500}'..='\u{9f00}',
                '\u{ad00}'..='\u{d700}',
                '\u{e000}'..='\u{f8ff}',
            ];
            let apart = ['\u{12000}'..='\u{1cfff}', '\u{20000}'..='\u{2f7ff}'];
            !alike.iter().chain(&apart).any(|range| range.contains(it))
        })
    }

    /// All spellings of a character have one form, and forming it again changes nothing.
    #[test]
    fn forms_are_uniform_and_idempotent_for_every_character() {
        for character in characters() {
            for form in [normal, folded] {
                let own = form(&character.to_string());
                let upper: String = character.to_uppercase().collect();
                let lower: String = character.to_lowercase().collect();
                let decomposed: String = character.to_string().nfd().collect();
                for other in [upper, lower, decomposed, own.clone()] {
                    assert_eq!(form(&other), own, "{character:?} as {other:?}");
                }
            }
        }
    }

    /// The quick way gives what the thorough one gives.
    #[test]
    fn a_character_has_one_form_in_plain_and_in_mixed_texts() {
        for character in characters() {
            for accents in [Accents::Count, Accents::LeftOut] {
                let text = character.to_string();
                let thorough = thorough(&text, accents);
                assert_eq!(form(&text, accents), thorough, "{character:?}");
            }
        }
    }

    #[test]
    fn letters_that_look_the_same_have_one_normal_form() {
        for (one, other) in [
            ("Jose\u{301}", "José"),
            ("И\u{306}озеф", "Йозеф"),
            ("A\u{30a}ngstro\u{308}m", "ÅNGSTRÖM"),
            ("ハ\u{309a}ヒ\u{309a}", "パピ"),
            ("ﾊﾟﾋﾟ", "パピ"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("İstanbul Ticaret", "istanbul ticaret"),
            ("I\u{307}zmir", "izmir"),
            ("ＡＤＡ１２", "ada12"),
            ("٧٩", "79"),
            ("O’Brien", "o'brien"),
            ("Jean\u{2011}Luc", "jean-luc"),
            ("\u{202a}ada\u{202c}", "ada"),
            ("क\u{93c}", "\u{958}"),
        ] {
            assert_eq!(normal(one), normal(other), "{one} and {other}");
        }
        for (one, other) in [("José", "Jose"), ("ёж", "еж"), ("й", "и"), ("パ", "ハ")] {
            assert_ne!(normal(one), normal(other), "{one} and {other}");
        }
    }

    #[test]
    fn a_search_leaves_out_accents_but_no_letters() {
        for (one, other) in [
            ("José", "jose"),
            ("Алёна", "алена"),
            ("Nguyễn", "NGUYEN"),
            ("Łódź", "lodz"),
            ("Søren Ærø", "soren aero"),
            ("أحمد", "احمد"),
            ("مُحَمَّد", "محمد"),
            ("علی", "علي"),
            ("שָׁלוֹם", "שלום"),
            ("Ελένη", "ελενη"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} and {other}");
        }
        for (one, other) in [
            ("й", "и"),
            ("ї", "і"),
            ("パ", "ハ"),
            ("कि", "क"),
            ("กี่", "ก"),
        ] {
            assert_ne!(folded(one), folded(other), "{one} and {other}");
        }
    }

    #[test]
    fn a_text_without_visible_characters_is_invisible() {
        assert!(is_invisible("\u{200b}") && is_invisible(" \u{2060}"));
        assert!(!is_invisible("\u{200b}a"));
        assert_eq!(composed("Jose\u{301} VIP"), "José VIP");
    }
}

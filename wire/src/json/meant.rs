//! The value of a field that was probably meant by one that is not known.

use crate::domain::text::nearest::nearest;

/// The one of these words that was probably meant.
pub(super) fn meant<'w>(text: &str, words: &[&'w str]) -> Option<&'w str> {
    let synonym = synonyms(text).find_map(|synonym| {
        let mut words = words.iter();
        words.find(|word| **word == synonym).copied()
    });
    synonym.or_else(|| nearest(&text.to_lowercase(), words.iter().copied()))
}

/// The words of the interface for what other interfaces call by another one.
fn synonyms(word: &str) -> impl Iterator<Item = &'static str> {
    let words = SYNONYMS.iter().filter(move |(_, others)| {
        let mut others = others.iter();
        others.any(|other| other.eq_ignore_ascii_case(word))
    });
    words.map(|(word, _)| *word)
}

/// The names that other interfaces of messengers give the values of fields.
const SYNONYMS: [(&str, &[&str]); 9] = [
    ("picture", &["image", "photo", "img", "pic", "gif"]),
    ("file", &["document", "doc", "attachment", "pdf"]),
    (
        "voice",
        &["voice_message", "ptt", "audio_message", "voice_note"],
    ),
    ("audio", &["music", "sound", "mp3"]),
    ("video", &["video_note", "animation", "movie"]),
    ("contact", &["vcard", "contacts"]),
    ("location", &["geo", "venue", "place", "map"]),
    ("text", &["message", "chat", "string"]),
    ("new_message", &["message", "send_message", "msg"]),
];

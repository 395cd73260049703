//! Texts with entities. The service shows plain text, so an address that stands behind words is written out.

use super::TEXT_MAX;
use crate::api::types::Entity;
use crate::words::beginning;

/// The longest address that is written out, in bytes.
const ADDRESS_MAX: usize = 2_048;
/// The most links that are written out: more than Telegram allows in a text.
const LINKS_MAX: usize = 200;

/// The text with the addresses of its links, each behind the words that it is linked from.
pub(super) fn plain(text: &str, entities: &[Entity]) -> String {
    let mut links: Vec<(usize, &str)> = entities
        .iter()
        .filter(|it| it.kind == "text_link" && (1..=ADDRESS_MAX).contains(&it.url.len()))
        .take(LINKS_MAX)
        .filter_map(|it| Some((byte_at(text, it.offset, it.length)?, it.url.as_str())))
        .collect();
    links.sort_by_key(|(at, _)| *at);
    let (mut plain, mut start) = (String::new(), 0);
    for (at, url) in links {
        let words = text.get(start..at).unwrap_or_default();
        plain.push_str(words);
        start = at.max(start);
        if !plain.ends_with(url) {
            plain.push_str(&format!(" ({url})"));
        }
        if plain.len() > TEXT_MAX {
            break;
        }
    }
    plain.push_str(text.get(start..).unwrap_or_default());
    beginning(&plain, TEXT_MAX).to_owned()
}

/// The byte behind the words of an entity, whose place is in UTF-16 units; `None` when it ends within a character or behind the
/// text.
fn byte_at(text: &str, offset: usize, length: usize) -> Option<usize> {
    let end = offset.checked_add(length).filter(|_| length > 0)?;
    let mut units = 0;
    for (at, letter) in text.char_indices() {
        if units == end {
            return Some(at);
        }
        units += letter.len_utf16();
    }
    (units == end).then_some(text.len())
}

//! The exchange of ids of messages in what is passed on: each stands alone, as a whole text of a JSON body or as a segment of a path.

use std::borrow::Cow;

use bytes::Bytes;

/// The length of an id in its text.
const LENGTH: usize = 36;
/// The most ids of one body that are looked up.
const IDS_MAX: usize = 1_000;

/// Returns the body with other ids in the place of some; none when all stay. Nothing else of it changes.
///
/// # Errors
/// That of a look-up.
pub fn in_body<E>(
    body: &[u8],
    mut other: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<Option<Bytes>, E> {
    let mut changed_body = Vec::new();
    let (mut copied_to, mut at, mut ids) = (0, 0, 0);
    while let Some(id) = body.get(at..).and_then(next_id) {
        let (start, text) = (at.saturating_add(id.0), id.1);
        // The quotation mark at the end may be the one at the beginning of the next.
        at = start.saturating_add(LENGTH);
        ids += 1;
        if ids > IDS_MAX {
            break;
        }
        if let Some(other) = other(text)? {
            changed_body.extend_from_slice(body.get(copied_to..start).unwrap_or_default());
            changed_body.extend_from_slice(other.as_bytes());
            copied_to = at;
        }
    }
    if copied_to == 0 {
        return Ok(None);
    }
    changed_body.extend_from_slice(body.get(copied_to..).unwrap_or_default());
    Ok(Some(changed_body.into()))
}

/// Returns the path with its query, with other ids in the place of some segments of the path.
///
/// # Errors
/// That of a look-up.
pub fn in_target<E>(
    target: &str,
    mut other: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<Cow<'_, str>, E> {
    let (path, query) = target
        .split_once('?')
        .map_or((target, None), |(path, query)| (path, Some(query)));
    let mut is_changed = false;
    let mut segments = Vec::new();
    for segment in path.split('/') {
        let id = Some(segment).filter(|it| is_id(it.as_bytes()));
        let replacement = id.map(&mut other).transpose()?.flatten();
        is_changed |= replacement.is_some();
        segments.push(replacement.map_or(Cow::Borrowed(segment), Cow::Owned));
    }
    if !is_changed {
        return Ok(Cow::Borrowed(target));
    }
    let mut text = segments.join("/");
    if let Some(query) = query {
        text.push('?');
        text.push_str(query);
    }
    Ok(Cow::Owned(text))
}

/// Returns whether a text may be put between the quotation marks of another id, and into a path.
#[must_use]
pub fn is_plain(id: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=128).contains(&id.len()) && id.bytes().all(fits)
}

/// The first text of these bytes that is an id, with its place.
fn next_id(bytes: &[u8]) -> Option<(usize, &str)> {
    let quotes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'"');
    quotes
        .map(|(place, _)| place.saturating_add(1))
        .find_map(|start| {
            let end = start.saturating_add(LENGTH);
            let id = bytes.get(start..end)?;
            let is_whole = bytes.get(end) == Some(&b'"') && is_id(id);
            let text = std::str::from_utf8(id).ok()?;
            is_whole.then_some((start, text))
        })
}

/// Returns whether these bytes are an id, as the relay and the counterpart write them: a UUID in lower case.
fn is_id(bytes: &[u8]) -> bool {
    let fits = |(place, byte): (usize, &u8)| match place {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(byte),
    };
    bytes.len() == LENGTH && bytes.iter().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    const OWN: &str = "af9945ff-1490-4cad-807d-945c15d88bec";
    const REAL: &str = "00000000-0000-4000-8000-000000000001";

    fn real(id: &str) -> Result<Option<String>, Infallible> {
        Ok((id == OWN).then(|| REAL.to_owned()))
    }

    #[test]
    fn an_id_is_exchanged_where_it_stands_alone() {
        let body = format!(
            "{{ \"a\":\"{OWN}\", \"x{OWN}\":\"{OWN}x\",\"text\":\"see {OWN}\",\"b\":[\"{OWN}\",\"{REAL}\"], \"n\":1.10 }}"
        );
        let exchange = body.replacen(&format!("\"{OWN}\""), &format!("\"{REAL}\""), 2);
        let other = in_body(body.as_bytes(), real).unwrap().unwrap();
        assert_eq!(other, exchange);
        assert_eq!(in_body(&other, real).unwrap(), None);
        let pair = format!("\"{OWN}\"\"{OWN}\"");
        assert_eq!(
            in_body(pair.as_bytes(), real).unwrap().unwrap(),
            pair.replace(OWN, REAL)
        );
        for bytes in [
            "",
            "\"",
            "\"\"",
            OWN.trim_end_matches('c'),
            &format!("\"{OWN}"),
            "\"\u{e4}",
        ] {
            assert_eq!(in_body(bytes.as_bytes(), real).unwrap(), None, "{bytes}");
        }
    }

    #[test]
    fn an_id_is_exchanged_in_a_path_and_not_in_its_query() {
        let target = format!("/v2/origin/custom/shop_{OWN}/{OWN}/delivery_status?id={OWN}&{OWN}/");
        let exchange =
            format!("/v2/origin/custom/shop_{OWN}/{REAL}/delivery_status?id={OWN}&{OWN}/");
        assert_eq!(in_target(&target, real).unwrap(), exchange);
        assert!(matches!(
            in_target("/a/b?c", real),
            Ok(Cow::Borrowed("/a/b?c"))
        ));
    }

    #[test]
    fn a_real_id_that_would_break_a_body_is_no_id() {
        for (id, is) in [
            (REAL, true),
            ("", false),
            ("a\"b", false),
            ("a/b", false),
            ("a?", false),
            ("m_1.x", true),
        ] {
            assert_eq!(is_plain(id), is, "{id}");
        }
    }
}

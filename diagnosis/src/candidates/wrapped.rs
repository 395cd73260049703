//! The body as something else wraps it, and parts of it.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use serde_json::Value;

use crate::bounds::EXAMINED_MAX;
use crate::candidates::search::Search;
use crate::forms::{compact, forms, member, tokens};
use crate::mistake::Mistake;

/// The largest text, in bytes, that a compressed body is unpacked to.
const UNPACKED_MAX: usize = 8 * EXAMINED_MAX;
/// The parts of a body that are signed in its place.
const PARTS: [&[&str]; 5] = [
    &["payload"],
    &["payload", "message"],
    &["payload", "message", "text"],
    &["payload", "sender"],
    &["message"],
];

/// The mistake, if the signer took the body in another wrapping, or a part of it.
pub(super) fn with_a_wrapping(body: &[u8], search: &Search<'_>) -> Option<Mistake> {
    let in_letters = [
        STANDARD.encode(body),
        STANDARD_NO_PAD.encode(body),
        URL_SAFE.encode(body),
        URL_SAFE_NO_PAD.encode(body),
        hex::encode(body),
        hex::encode_upper(body),
    ];
    if in_letters.iter().any(|it| search.is(it.as_bytes())) {
        return Some(Mistake::InLetters);
    }
    if unpacked(body).iter().any(|plain| search.is(plain)) {
        return Some(Mistake::SignedPlainAndSentCompressed);
    }
    let text = std::str::from_utf8(body).ok()?;
    if html(text).iter().any(|it| search.is(it.as_bytes())) {
        return Some(Mistake::HtmlEscapes);
    }
    if percent(text).iter().any(|it| search.is(it.as_bytes())) {
        return Some(Mistake::PercentEscapes);
    }
    serde_json::from_str::<Value>(text).ok()?;
    let compact = compact(text);
    if search.is(printed(&compact).as_bytes()) {
        return Some(Mistake::PrintedObject);
    }
    part(&compact, search)
}

/// A part of the document in the spellings of common libraries.
fn part(compact: &str, search: &Search<'_>) -> Option<Mistake> {
    for keys in PARTS {
        let part = keys
            .iter()
            .try_fold(compact, |object, key| member(object, key));
        let Some(part) = part else {
            continue;
        };
        let text = serde_json::from_str::<String>(part).ok();
        if text.is_some_and(|text| search.is(text.as_bytes())) {
            return Some(Mistake::PartOfBody);
        }
        let mut forms = forms(part.as_bytes()).take_while(|_| !search.is_over());
        if forms.any(|form| search.is(form.as_bytes())) {
            return Some(Mistake::PartOfBody);
        }
    }
    None
}

/// The bodies that this one may be the compressed form of.
fn unpacked(body: &[u8]) -> Vec<Vec<u8>> {
    let read = |reader: &mut dyn Read| {
        let mut plain = Vec::new();
        let limit = u64::try_from(UNPACKED_MAX).unwrap_or(u64::MAX);
        let read = reader.take(limit).read_to_end(&mut plain);
        (read.is_ok() && !plain.is_empty() && plain.len() < UNPACKED_MAX).then_some(plain)
    };
    if std::str::from_utf8(body).is_ok() {
        return Vec::new();
    }
    let plain = [
        read(&mut MultiGzDecoder::new(body)),
        read(&mut ZlibDecoder::new(body)),
        read(&mut DeflateDecoder::new(body)),
    ];
    plain.into_iter().flatten().collect()
}

/// With the escapes of HTML, without and with quotes, and with what browsers write beyond ASCII.
fn html(text: &str) -> Vec<String> {
    let signs = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let quotes = signs.replace('"', "&quot;");
    let apostrophes = ["&#039;", "&#39;", "&apos;", "&#x27;"];
    let mut all: Vec<String> = apostrophes.map(|it| quotes.replace('\'', it)).into();
    all.push(text.replace('"', "&quot;"));
    all.extend([signs, quotes]);
    let numbers = |text: &str| {
        let mut out = String::with_capacity(text.len());
        for letter in text.chars() {
            if letter.is_ascii() {
                out.push(letter);
            } else {
                out.push_str(&format!("&#{};", u32::from(letter)));
            }
        }
        out
    };
    let mut with_numbers: Vec<String> = all.iter().map(|text| numbers(text)).collect();
    with_numbers.push(numbers(text));
    all.append(&mut with_numbers);
    all.retain(|other| other != text);
    all
}

/// With the escapes of addresses: as a component of one, and as the value of a form.
fn percent(text: &str) -> Vec<String> {
    let escaped = |plain: &[u8]| {
        let mut out = String::with_capacity(text.len().saturating_mul(2));
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
                out.push(char::from(byte));
            } else {
                out.push_str(&format!("%{byte:02X}"));
            }
        }
        out
    };
    let component = escaped(b"-_.!~*'()");
    let strict = escaped(b"-_.~");
    let form = escaped(b"-_.").replace("%20", "+");
    vec![component, strict, form]
}

/// The document as Python prints an object.
fn printed(compact: &str) -> String {
    let mut out = String::with_capacity(compact.len());
    for token in tokens(compact) {
        match token {
            "," => out.push_str(", "),
            ":" => out.push_str(": "),
            "true" => out.push_str("True"),
            "false" => out.push_str("False"),
            "null" => out.push_str("None"),
            token => match serde_json::from_str::<String>(token) {
                Ok(text) => push_literal(&text, &mut out),
                Err(_no_string) => out.push_str(token),
            },
        }
    }
    out
}

/// A text as Python prints it within an object.
fn push_literal(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    out.push(quote);
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            letter if letter == quote => out.extend(['\\', letter]),
            letter => out.push(letter),
        }
    }
    out.push(quote);
}

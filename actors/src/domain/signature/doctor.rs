//! Names the mistake behind a wrong signature, when it is one of those that integrations make.
//!
//! Runs only after a signature was found wrong. It computes what the signer would have sent after each known mistake and
//! compares; it never tells the secret or the right signature.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha1::{Digest, Sha1};
use sha2::Sha256;

use crate::domain::signature::{ChannelSecret, Signer};

/// Longer bodies are not examined: each guess costs an HMAC over all of it.
pub const EXAMINED_MAX: usize = 16 * 1_024;

/// The mistakes that are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// There is no `X-Signature`, or it is empty.
    Missing,
    /// The right digest in base64.
    Base64,
    /// The right digest behind a prefix such as `sha1=`.
    Prefixed,
    /// The secret was decoded from hexadecimal before it was used.
    HexDecodedSecret,
    /// The secret was used with a newline at its end.
    SecretWithNewline,
    /// SHA-256 in place of SHA-1.
    Sha256,
    /// A plain hash of body and secret in place of an HMAC.
    PlainHash,
    /// Key and message in each other's place.
    Swapped,
    /// A newline at the end was signed and not sent, or sent and not signed.
    TrailingNewline,
    /// Nothing was signed.
    EmptyBody,
    /// Another form of the same JSON was signed: other blanks, other escapes, another order of keys.
    Reserialised,
}

impl Mistake {
    /// What to do about it.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            Self::Missing => {
                "there is no X-Signature header: send the hex HMAC-SHA1 of the raw body, keyed with the channel's secret"
            }
            Self::Base64 => "the digest is right, but it is in base64: send it in hexadecimal",
            Self::Prefixed => {
                "the digest is right, but something stands before it: send the 40 hexadecimal digits alone"
            }
            Self::HexDecodedSecret => {
                "the secret was decoded from hexadecimal: use its 40 characters as they are, as the key"
            }
            Self::SecretWithNewline => {
                "the secret was used with a newline at its end: trim what you read it from"
            }
            Self::Sha256 => "this is HMAC-SHA256: use HMAC-SHA1",
            Self::PlainHash => {
                "this is a plain hash of body and secret: use HMAC-SHA1 with the secret as the key"
            }
            Self::Swapped => {
                "key and message are in each other's place: the secret is the key, the body the message"
            }
            Self::TrailingNewline => {
                "the body was signed with another line end than it was sent with: sign exactly the bytes that you send"
            }
            Self::EmptyBody => "an empty body was signed: sign the bytes that you send",
            Self::Reserialised => {
                "another form of the same JSON was signed: make the body once, then sign and send the same bytes"
            }
        }
    }
}

/// The mistake that explains `header`, if it is a known one.
#[must_use]
pub fn examine(secret: &ChannelSecret, body: &[u8], header: Option<&[u8]>) -> Option<Mistake> {
    let header = header.unwrap_or_default().trim_ascii();
    if header.is_empty() {
        return Some(Mistake::Missing);
    }
    if body.len() > EXAMINED_MAX {
        return None;
    }
    let right = mac(secret.bytes(), body);
    if is_base64_of(header, &right) {
        return Some(Mistake::Base64);
    }
    let given = hex_tail(header)?;
    if given.digest == right && given.prefixed {
        return Some(Mistake::Prefixed);
    }
    guesses(secret.bytes(), body)
        .into_iter()
        .find(|(_, digest)| *digest == given.digest)
        .map(|(mistake, _)| mistake)
}

/// Whether this is the signature that another channel's secret gives.
#[must_use]
pub fn is_of(secret: &ChannelSecret, body: &[u8], header: &[u8]) -> bool {
    body.len() <= EXAMINED_MAX && Signer::new(secret).verify(body, header)
}

struct Given {
    digest: Vec<u8>,
    prefixed: bool,
}

/// The digest at the end of the header, whatever stands before it.
fn hex_tail(header: &[u8]) -> Option<Given> {
    let unquoted: Vec<u8> = header
        .iter()
        .copied()
        .filter(|byte| *byte != b'"')
        .collect();
    let start = unquoted
        .iter()
        .rposition(|byte| !byte.is_ascii_hexdigit())
        .map_or(0, |place| place.saturating_add(1));
    let digest = hex::decode(unquoted.get(start..)?)
        .ok()
        .filter(|digest| digest.len() >= 20)?;
    Some(Given {
        digest,
        prefixed: start > 0 || unquoted.len() != header.len(),
    })
}

/// The digests that each mistake gives.
fn guesses(secret: &[u8], body: &[u8]) -> Vec<(Mistake, Vec<u8>)> {
    let mut guesses = Vec::new();
    let mut guess = |mistake, digest| guesses.push((mistake, digest));
    if let Ok(key) = hex::decode(secret) {
        guess(Mistake::HexDecodedSecret, mac(&key, body));
    }
    guess(
        Mistake::SecretWithNewline,
        mac(&[secret, b"\n"].concat(), body),
    );
    guess(Mistake::Sha256, mac256(secret, body));
    guess(
        Mistake::PlainHash,
        Sha1::digest([body, secret].concat()).to_vec(),
    );
    guess(
        Mistake::PlainHash,
        Sha1::digest([secret, body].concat()).to_vec(),
    );
    guess(Mistake::PlainHash, Sha1::digest(body).to_vec());
    guess(Mistake::Swapped, mac(body, secret));
    guess(Mistake::EmptyBody, mac(secret, b""));
    for end in [b"\n".as_slice(), b"\r\n"] {
        guess(Mistake::TrailingNewline, mac(secret, &[body, end].concat()));
    }
    if body.trim_ascii_end().len() != body.len() {
        guess(Mistake::TrailingNewline, mac(secret, body.trim_ascii_end()));
    }
    for form in forms(body) {
        guess(Mistake::Reserialised, mac(secret, form.as_bytes()));
    }
    guesses
}

/// The same JSON in the forms that common libraries write: in its own order of keys and in the sorted one.
fn forms(body: &[u8]) -> Vec<String> {
    let (Ok(value), Ok(text)) = (
        serde_json::from_slice::<Value>(body),
        std::str::from_utf8(body),
    ) else {
        return Vec::new();
    };
    let mut forms = vec![serde_json::to_string_pretty(&value).unwrap_or_default()];
    for compact in [compact(text), value.to_string()] {
        for plain in [spaced(&compact), compact] {
            forms.push(escaped(&plain));
            forms.push(escaped(&plain).replace('/', "\\/"));
            forms.push(plain.replace('/', "\\/"));
            forms.push(plain);
        }
    }
    forms
}

/// Without blanks outside of strings, and without escapes that JSON does not ask for.
fn compact(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '"' => inside = !inside,
            '\\' if inside => {
                out.push_str(&unescaped(&mut rest));
                continue;
            }
            blank if !inside && blank.is_ascii_whitespace() => continue,
            _ => {}
        }
        out.push(letter);
    }
    out
}

/// What stands behind a backslash, escaped only if it must be.
fn unescaped(rest: &mut std::str::Chars<'_>) -> String {
    let unit = |rest: &mut std::str::Chars<'_>| {
        let digits: String = rest.by_ref().take(4).collect();
        u16::from_str_radix(&digits, 16).unwrap_or_default()
    };
    match rest.next() {
        Some('/') => "/".to_owned(),
        Some('u') => {
            let mut units = vec![unit(rest)];
            if units
                .first()
                .is_some_and(|first| (0xd800..0xdc00).contains(first))
            {
                let mut ahead = rest.clone();
                if ahead.next() == Some('\\') && ahead.next() == Some('u') {
                    units.push(unit(&mut ahead));
                    *rest = ahead;
                }
            }
            let text = String::from_utf16_lossy(&units);
            if text
                .chars()
                .any(|letter| letter.is_control() || letter == '"' || letter == '\\')
            {
                units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
            } else {
                text
            }
        }
        Some(other) => format!("\\{other}"),
        None => String::new(),
    }
}

/// With a blank behind each comma and colon outside of strings, as Python writes JSON.
fn spaced(compact: &str) -> String {
    let (mut text, mut inside, mut escaped) = (String::new(), false, false);
    for letter in compact.chars() {
        text.push(letter);
        match letter {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            ',' | ':' if !inside => text.push(' '),
            _ => {}
        }
    }
    text
}

/// With everything beyond ASCII as `\uXXXX`.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii() {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

fn is_base64_of(header: &[u8], digest: &[u8]) -> bool {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = 0_u32;
    let mut count = 0;
    let mut text = Vec::new();
    for byte in digest {
        bits = (bits << 8) | u32::from(*byte);
        count += 8;
        while count >= 6 {
            count -= 6;
            text.extend(LETTERS.get(usize::try_from((bits >> count) & 63).unwrap_or_default()));
        }
    }
    if count > 0 {
        text.extend(LETTERS.get(usize::try_from((bits << (6 - count)) & 63).unwrap_or_default()));
    }
    header.split(|byte| *byte == b'=').next() == Some(text.as_slice())
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn mac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha1>::new_from_slice(key).expect("a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn mac256(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "f2d7f8704eff95087ed45b23ba99c0b5aac8278e";
    const BODY: &str = r#"{"b":"a/é","a":[1,2]}"#;

    fn found(header: &str) -> Option<Mistake> {
        examine(
            &SECRET.parse().unwrap(),
            BODY.as_bytes(),
            Some(header.as_bytes()),
        )
    }

    fn signed(key: &[u8], message: &str) -> String {
        hex::encode(mac(key, message.as_bytes()))
    }

    #[test]
    fn every_known_mistake_is_named() {
        let key = SECRET.as_bytes();
        let right = signed(key, BODY);
        let cases = [
            (String::new(), Mistake::Missing),
            (format!("sha1={right}"), Mistake::Prefixed),
            (format!("\"{right}\""), Mistake::Prefixed),
            (
                signed(&hex::decode(SECRET).unwrap(), BODY),
                Mistake::HexDecodedSecret,
            ),
            (
                signed(format!("{SECRET}\n").as_bytes(), BODY),
                Mistake::SecretWithNewline,
            ),
            (hex::encode(mac256(key, BODY.as_bytes())), Mistake::Sha256),
            (
                hex::encode(Sha1::digest(format!("{BODY}{SECRET}"))),
                Mistake::PlainHash,
            ),
            (signed(BODY.as_bytes(), SECRET), Mistake::Swapped),
            (signed(key, &format!("{BODY}\n")), Mistake::TrailingNewline),
            (signed(key, ""), Mistake::EmptyBody),
            (
                signed(key, r#"{"b": "a/é", "a": [1, 2]}"#),
                Mistake::Reserialised,
            ),
            (
                signed(key, r#"{"b":"a\/\u00e9","a":[1,2]}"#),
                Mistake::Reserialised,
            ),
            (
                signed(key, r#"{"a":[1,2],"b":"a/é"}"#),
                Mistake::Reserialised,
            ),
        ];
        for (header, mistake) in cases {
            assert_eq!(found(&header), Some(mistake), "{header}");
        }
    }

    #[test]
    fn what_was_sent_with_escapes_and_signed_without_is_named_too() {
        let sent = r#"{"text": "a\/\u00e9 \ud83d\ude00 \u0001"}"#;
        let signed = signed(SECRET.as_bytes(), "{\"text\":\"a/é 😀 \\u0001\"}");
        let named = examine(
            &SECRET.parse().unwrap(),
            sent.as_bytes(),
            Some(signed.as_bytes()),
        );
        assert_eq!(named, Some(Mistake::Reserialised));
    }

    #[test]
    fn the_digest_in_base64_is_told() {
        // HMAC-SHA1 of this body with this secret, in base64 as coreutils writes it.
        let digest = mac(SECRET.as_bytes(), BODY.as_bytes());
        assert!(is_base64_of(b"AAECAw==", &[0, 1, 2, 3]));
        assert!(is_base64_of(b"/+8=", &[0xff, 0xef]));
        assert!(!is_base64_of(b"AAECAw==", &digest));
    }

    #[test]
    fn an_unknown_mistake_is_not_guessed_at() {
        assert_eq!(found(&"ab".repeat(20)), None);
        assert_eq!(found("hello"), None);
        let long = vec![b' '; EXAMINED_MAX + 1];
        assert_eq!(examine(&SECRET.parse().unwrap(), &long, Some(b"00")), None);
    }
}

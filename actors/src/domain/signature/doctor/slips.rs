//! What a signer computes after each known mistake.

use crate::domain::signature::doctor::digest::{Key, base64, sha1, sha1_mac, sha256_mac};
use crate::domain::signature::doctor::forms::forms;
use crate::domain::signature::doctor::given::Given;
use crate::domain::signature::doctor::mistake::Mistake;
use crate::domain::signature::request::{Presented, content_md5};

/// The message is right, the way it was hashed is not.
pub(super) fn with_the_key(key: Key<'_>, message: &[u8], given: &Given) -> Option<Mistake> {
    let Key(secret) = key;
    let decoded = hex::decode(secret).ok();
    if decoded.is_some_and(|decoded| given.is(&sha1_mac(Key(&decoded), message))) {
        return Some(Mistake::HexDecodedSecret);
    }
    for end in [b"\n".as_slice(), b"\r\n"] {
        if given.is(&sha1_mac(Key(&[secret, end].concat()), message)) {
            return Some(Mistake::SecretWithNewline);
        }
    }
    if given.is(&sha256_mac(key, message)) {
        return Some(Mistake::Sha256);
    }
    let plain = [
        [message, secret].concat(),
        [secret, message].concat(),
        message.to_vec(),
    ];
    if plain.iter().any(|plain| given.is(&sha1(plain))) {
        return Some(Mistake::PlainHash);
    }
    given
        .is(&sha1_mac(Key(message), secret))
        .then_some(Mistake::Swapped)
}

/// The five parts were put together wrongly.
pub(super) fn with_the_canonical(
    key: Key<'_>,
    presented: &Presented<'_>,
    given: &Given,
) -> Option<Mistake> {
    let right = content_md5(presented.body);
    let md5 = presented.content_md5.unwrap_or(right.as_bytes());
    let canonical = Canonical {
        key,
        given,
        parts: presented.canonical(md5).parts(),
    };
    if presented.content_md5.is_none() && canonical.is(&canonical.parts) {
        return Some(Mistake::Md5Missing);
    }
    canonical
        .joined_wrongly()
        .or_else(|| canonical.part_wrong(presented, &right))
        .or_else(|| canonical.in_another_order())
}

/// The five parts as they should have been signed.
struct Canonical<'a> {
    key: Key<'a>,
    given: &'a Given,
    parts: [&'a [u8]; 5],
}

impl Canonical<'_> {
    fn signed(&self, text: &[u8]) -> bool {
        self.given.is(&sha1_mac(self.key, text))
    }

    /// Whether these parts were signed, joined as they should be.
    fn is(&self, parts: &[&[u8]]) -> bool {
        self.signed(&parts.join(b"\n".as_slice()))
    }

    /// Whether this was signed in the place of a part.
    fn with(&self, place: usize, other: &[u8]) -> bool {
        let mut changed = self.parts;
        if let Some(part) = changed.get_mut(place) {
            *part = other;
        }
        self.is(&changed)
    }

    /// Whether a part was left out, with or without its line.
    fn without(&self, place: usize) -> bool {
        let kept = self.parts.iter().enumerate();
        let kept: Vec<&[u8]> = kept
            .filter(|(at, _)| *at != place)
            .map(|(_, part)| *part)
            .collect();
        self.is(&kept) || self.with(place, b"")
    }

    fn joined_wrongly(&self) -> Option<Mistake> {
        const SEPARATORS: [&[u8]; 6] = [b"n", b"\\n", b"\r\n", b"\\r\\n", b"", b" "];
        if SEPARATORS
            .iter()
            .any(|separator| self.signed(&self.parts.join(*separator)))
        {
            return Some(Mistake::Separator);
        }
        let text = self.parts.join(b"\n".as_slice());
        let ends: [&[u8]; 2] = [b"\n", b"\r\n"];
        ends.iter()
            .any(|end| self.signed(&[text.as_slice(), end].concat()))
            .then_some(Mistake::NewlineAtEnd)
    }

    fn part_wrong(&self, presented: &Presented<'_>, md5: &str) -> Option<Mistake> {
        const TYPES: [&[u8]; 4] = [
            b"application/json",
            b"application/json; charset=utf-8",
            b"application/json;charset=utf-8",
            b"application/json; charset=UTF-8",
        ];
        let [method, _, content_type, _, path] = self.parts;
        let base64_md5 = base64(&hex::decode(md5).unwrap_or_default());
        let query = presented.query.unwrap_or_default();
        let with_query = [path, b"?", query.as_bytes()].concat();
        let mistakes: [(Mistake, &dyn Fn() -> bool); 9] = [
            (Mistake::MethodLowerCase, &|| {
                self.with(0, &method.to_ascii_lowercase())
            }),
            (Mistake::Md5Base64, &|| self.with(1, &base64_md5)),
            (Mistake::Md5UpperCase, &|| {
                self.with(1, md5.to_uppercase().as_bytes())
            }),
            (Mistake::Md5LeftOut, &|| self.without(1)),
            (Mistake::TypeLeftOut, &|| self.without(2)),
            (Mistake::TypeChanged, &|| {
                TYPES
                    .iter()
                    .any(|other| *other != content_type && self.with(2, other))
            }),
            (Mistake::DateLeftOut, &|| self.without(3)),
            (Mistake::FullUrl, &|| {
                addresses(presented)
                    .iter()
                    .any(|address| self.with(4, address.as_bytes()))
            }),
            (Mistake::Query, &|| self.with(4, &with_query)),
        ];
        let found = mistakes.iter().find(|(_, made)| made());
        found.map(|(mistake, _)| *mistake)
    }

    fn in_another_order(&self) -> Option<Mistake> {
        orders(self.parts)
            .iter()
            .any(|order| self.is(order))
            .then_some(Mistake::Order)
    }
}

/// The address of the request in the forms in which it is signed by mistake.
fn addresses(presented: &Presented<'_>) -> Vec<String> {
    let Some(host) = presented.host else {
        return Vec::new();
    };
    let tails = [
        Some(String::new()),
        presented.query.map(|query| format!("?{query}")),
    ];
    let mut addresses = Vec::new();
    for scheme in ["https://", "http://", ""] {
        for tail in tails.iter().flatten() {
            addresses.push(format!("{scheme}{host}{}{tail}", presented.path));
        }
    }
    addresses
}

/// Every order of the parts but the right one.
fn orders(parts: [&[u8]; 5]) -> Vec<Vec<&[u8]>> {
    let mut orders = vec![Vec::new()];
    for part in parts {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<&[u8]>| {
                (0..=order.len()).map(|place| {
                    let mut longer = order.clone();
                    longer.insert(place, part);
                    longer
                })
            })
            .collect();
    }
    orders.retain(|order| *order != parts);
    orders
}

/// Another body was signed than was sent.
pub(super) fn with_the_body(
    key: Key<'_>,
    presented: &Presented<'_>,
    given: &Given,
) -> Option<Mistake> {
    let body = presented.body;
    let signed = |text: &[u8]| given.is(&sha1_mac(key, text));
    let right = content_md5(body);
    let md5 = presented.content_md5.unwrap_or(right.as_bytes());
    let together = [
        [body, md5].concat(),
        [md5, body].concat(),
        [body, b"\n", md5].concat(),
        [body, right.as_bytes()].concat(),
    ];
    if together.iter().any(|together| signed(together)) {
        return Some(Mistake::BodyAndMd5);
    }
    // Of the canonical text the digest of that other body was signed, and perhaps another one sent.
    let meant = |other: &[u8]| {
        signed(other) || signed(&presented.canonical(content_md5(other).as_bytes()).text())
    };
    other_body(body, meant)
}

/// Which other bytes `Content-MD5` is the digest of, when the canonical signature is right.
pub(super) fn behind_the_md5(md5: &[u8], body: &[u8]) -> Mistake {
    let right = content_md5(body);
    if md5 == base64(&hex::decode(&right).unwrap_or_default()) {
        return Mistake::Md5Base64;
    }
    if md5.eq_ignore_ascii_case(right.as_bytes()) {
        return Mistake::Md5UpperCase;
    }
    let lower = md5.to_ascii_lowercase();
    other_body(body, |other| content_md5(other).as_bytes() == lower)
        .unwrap_or(Mistake::Md5OfSomethingElse)
}

/// The mistake that made a signer take another body than the one it sent, if `meant` knows one of those.
fn other_body(body: &[u8], meant: impl Fn(&[u8]) -> bool) -> Option<Mistake> {
    if !body.is_empty() && meant(b"") {
        return Some(Mistake::EmptyBody);
    }
    for end in [b"\n".as_slice(), b"\r\n"] {
        if meant(&[body, end].concat()) {
            return Some(Mistake::TrailingNewline);
        }
    }
    let trimmed = body.trim_ascii_end();
    if trimmed.len() != body.len() && meant(trimmed) {
        return Some(Mistake::TrailingNewline);
    }
    forms(body)
        .iter()
        .any(|form| form.as_bytes() != body && meant(form.as_bytes()))
        .then_some(Mistake::Reserialised)
}

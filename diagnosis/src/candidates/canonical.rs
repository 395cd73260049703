//! The five parts were put together wrongly.

use crate::candidates::{date, path};
use crate::digest::{MacKey, base64, sha1_mac};
use crate::given::GivenSignature;
use crate::mistake::Mistake;
use switchboard_domain::signature::request::{Presented, content_md5};

pub(in super::super) fn with_the_canonical(
    key: MacKey<'_>,
    presented: &Presented<'_>,
    given: &GivenSignature,
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
    key: MacKey<'a>,
    given: &'a GivenSignature,
    parts: [&'a [u8]; 5],
}

impl Canonical<'_> {
    fn signed(&self, text: &[u8]) -> bool {
        self.given.is(&sha1_mac(self.key, text))
    }

    /// Returns whether the signature is that of these parts, joined correctly.
    fn is(&self, parts: &[&[u8]]) -> bool {
        self.signed(&parts.join(b"\n".as_slice()))
    }

    /// Returns whether the signature is that of the text with `other` in place of a part.
    fn with(&self, place: usize, other: &[u8]) -> bool {
        let mut parts = self.parts;
        if let Some(part) = parts.get_mut(place) {
            *part = other;
        }
        self.is(&parts)
    }

    /// Returns whether the signature is that of the text without a part, with or without its line.
    fn without(&self, place: usize) -> bool {
        let others: Vec<&[u8]> = self
            .parts
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != place)
            .map(|(_, part)| *part)
            .collect();
        self.is(&others) || self.with(place, b"")
    }

    /// Returns whether the signature is that of the text with one of these in place of the path.
    fn with_path(&self, others: Vec<String>) -> bool {
        others.iter().any(|other| self.with(4, other.as_bytes()))
    }

    /// Returns whether the signature is that of the text with each value after the name of its header.
    fn with_names(&self) -> bool {
        let [method, md5, content_type, date, path] = self.parts;
        let cases: [fn(&str) -> String; 2] = [str::to_owned, str::to_lowercase];
        cases.iter().any(|case| {
            [": ", ":"].iter().any(|separator| {
                let line = |name: &str, value: &[u8]| {
                    [case(name).as_bytes(), separator.as_bytes(), value].concat()
                };
                let md5 = line("Content-MD5", md5);
                let content_type = line("Content-Type", content_type);
                self.is(&[method, &md5, &content_type, &line("Date", date), path])
            })
        })
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
        const METHODS: [&[u8]; 5] = [b"POST", b"DELETE", b"GET", b"PUT", b"PATCH"];
        let [method, _, content_type, date, path] = self.parts;
        let base64_md5 = base64(&hex::decode(md5).unwrap_or_default());
        let query = presented.query.unwrap_or_default();
        let with_query = [path, b"?", query.as_bytes()].concat();
        let mistakes: [(Mistake, &dyn Fn() -> bool); 14] = [
            (Mistake::MethodLowerCase, &|| {
                self.with(0, &method.to_ascii_lowercase())
            }),
            (Mistake::OtherMethod, &|| {
                METHODS
                    .iter()
                    .any(|other| *other != method && self.with(0, other))
            }),
            (Mistake::HeaderNames, &|| self.with_names()),
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
            (Mistake::DateTwice, &|| {
                date::a_moment_from(date)
                    .iter()
                    .any(|other| self.with(3, other))
            }),
            (Mistake::FullUrl, &|| {
                self.with_path(path::addresses(presented))
            }),
            (Mistake::PathForm, &|| {
                self.with_path(path::forms(presented.path))
            }),
            (Mistake::OtherPath, &|| {
                self.with_path(path::others(presented))
            }),
            (Mistake::Query, &|| self.with(4, &with_query)),
        ];
        let first = mistakes.iter().find(|(_, made)| made());
        first.map(|(mistake, _)| *mistake)
    }

    fn in_another_order(&self) -> Option<Mistake> {
        orders(self.parts)
            .iter()
            .any(|order| self.is(order))
            .then_some(Mistake::Order)
    }
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

//! Another body was signed than was sent.

use crate::candidates::encoded::with_another_set;
use crate::candidates::search::Search;
use crate::candidates::wrapped::with_a_wrapping;
use crate::digest::{MacKey, base64, sha1_mac};
use crate::forms::forms;
use crate::given::GivenSignature;
use crate::mistake::Mistake;
use switchboard_domain::signature::request::{Presented, content_md5};

pub(in super::super) fn with_the_body(
    key: MacKey<'_>,
    presented: &Presented<'_>,
    given: &GivenSignature,
) -> Option<Mistake> {
    let body = presented.body;
    let is_mac_of = |text: &[u8]| given.is(&sha1_mac(key, text));
    let right = content_md5(body);
    let md5 = presented.content_md5.unwrap_or(right.as_bytes());
    let together = [
        [body, md5].concat(),
        [md5, body].concat(),
        [body, b"\n", md5].concat(),
        [body, right.as_bytes()].concat(),
    ];
    if together.iter().any(|together| is_mac_of(together)) {
        return Some(Mistake::BodyAndMd5);
    }
    let of_the_path = content_md5([presented.method, presented.path].concat().as_bytes());
    let alone = [md5, right.as_bytes(), of_the_path.as_bytes()];
    if alone.iter().any(|alone| is_mac_of(alone)) {
        return Some(Mistake::Md5Alone);
    }
    // Of the canonical text the digest of that other body was signed, and perhaps another one sent.
    let meant = |other: &[u8]| {
        is_mac_of(other) || is_mac_of(&presented.canonical(content_md5(other).as_bytes()).text())
    };
    other_body(body, meant)
}

/// Returns the mistake by which `Content-MD5` is the digest of other bytes while the canonical signature is right.
pub(in super::super) fn behind_the_md5(md5: &[u8], body: &[u8]) -> Mistake {
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
pub(in super::super) fn other_body(body: &[u8], meant: impl Fn(&[u8]) -> bool) -> Option<Mistake> {
    let search = Search::new(&meant);
    if !body.is_empty() && search.is(b"") {
        return Some(Mistake::EmptyBody);
    }
    if line_ends(body).iter().any(|other| search.is(other)) {
        return Some(Mistake::TrailingNewline);
    }
    let text = std::str::from_utf8(body).ok();
    let literal = text.and_then(|text| serde_json::to_string(text).ok());
    let inner = serde_json::from_slice::<String>(body).ok();
    if [literal, inner]
        .iter()
        .flatten()
        .any(|other| search.is(other.as_bytes()))
    {
        return Some(Mistake::Stringified);
    }
    with_another_set(body, &search)
        .or_else(|| reserialised(body, &search))
        .or_else(|| with_a_wrapping(body, &search))
}

/// The body with other line ends, and with other blanks around it.
fn line_ends(body: &[u8]) -> Vec<Vec<u8>> {
    let mut others: Vec<Vec<u8>> = [b"\n".as_slice(), b"\r\n"]
        .map(|end| [body, end].concat())
        .into();
    others.push(body.trim_ascii_end().to_vec());
    others.push(body.trim_ascii().to_vec());
    if let Ok(text) = std::str::from_utf8(body) {
        let unix = text.replace("\r\n", "\n");
        others.push(unix.replace('\n', "\r\n").into_bytes());
        others.push(unix.into_bytes());
    }
    others.retain(|other| other != body);
    others
}

fn reserialised(body: &[u8], search: &Search<'_>) -> Option<Mistake> {
    let mut forms = forms(body).take_while(|_| !search.is_over());
    forms
        .any(|form| form.as_bytes() != body && search.is(form.as_bytes()))
        .then_some(Mistake::Reserialised)
}

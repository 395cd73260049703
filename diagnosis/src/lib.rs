#![doc = include_str!("../README.md")]

mod bounds;
mod candidates;
mod digest;
mod forms;
mod given;
pub mod hint;
mod mistake;

pub use self::bounds::EXAMINED_MAX;
pub use self::mistake::{Mistake, Unexplained};

use crate::bounds::COMPARED_MAX;
use crate::digest::{MacKey, sha1_mac};
use crate::given::GivenSignature;
use switchboard_domain::generation::Generation;
use switchboard_domain::signature::SharedSecret;
use switchboard_domain::signature::request::{DateError, Presented, content_md5};
use switchboard_domain::time::UnixMillis;

/// The mistake that explains why `header`, the value of `X-Signature`, proves nothing for this request where the
/// generation `wanted` is (both, when it is `None`); `None` when it is no known one.
#[must_use]
pub fn diagnose(
    secret: &SharedSecret,
    presented: &Presented<'_>,
    header: Option<&[u8]>,
    wanted: Option<Generation>,
    now: UnixMillis,
) -> Option<Mistake> {
    let header = header.unwrap_or_default().trim_ascii();
    if header.is_empty() {
        return Some(Mistake::Missing);
    }
    let signature = GivenSignature::parse(header);
    let no_digest = || {
        signature.is_none().then_some(Mistake::NoDigest {
            length: header.len(),
        })
    };
    if presented.body.len() > EXAMINED_MAX {
        return no_digest();
    }
    let key = MacKey(secret.bytes());
    let canonical = presented.canonical(presented.content_md5.unwrap_or_default());
    let rights = [
        (Generation::Current, canonical.text()),
        (Generation::V2019, presented.body.to_vec()),
    ];
    for (generation, message) in &rights {
        if signature.is(&sha1_mac(key, message)) {
            return right_digest(presented, &signature, *generation, wanted, now);
        }
    }
    // Whatever the signer did, no canonical signature counts without a date, and one was meant.
    let canonical = presented.content_md5.is_some() || wanted == Some(Generation::Current);
    if canonical && presented.date.is_none() {
        return Some(Mistake::DateMissing);
    }
    for (_, message) in &rights {
        if let Some(mistake) = candidates::key::with_the_key(key, message, presented, &signature) {
            return Some(mistake);
        }
    }
    candidates::canonical::with_the_canonical(key, presented, &signature)
        .or_else(|| candidates::body::with_the_body(key, presented, &signature))
        .or_else(no_digest)
}

/// Returns the diagnosis of a signature that no known mistake explains: the extent of the comparison.
#[must_use]
pub fn unexplained(body: &[u8]) -> Unexplained {
    if body.len() > EXAMINED_MAX {
        Unexplained::Nothing
    } else if body.len() > COMPARED_MAX {
        Unexplained::SomeSpellings
    } else {
        Unexplained::All
    }
}

/// Returns whether this is the signature with another channel's secret.
#[must_use]
pub fn is_of(secret: &SharedSecret, presented: &Presented<'_>, header: &[u8]) -> bool {
    if presented.body.len() > EXAMINED_MAX {
        return false;
    }
    let signature = GivenSignature::parse(header.trim_ascii());
    let canonical = presented.canonical(presented.content_md5.unwrap_or_default());
    [canonical.text().as_slice(), presented.body]
        .iter()
        .any(|message| signature.is(&sha1_mac(MacKey(secret.bytes()), message)))
}

/// The digest is the right one of this generation: then its form is wrong, or something that it rests on.
fn right_digest(
    presented: &Presented<'_>,
    given: &GivenSignature,
    generation: Generation,
    wanted: Option<Generation>,
    now: UnixMillis,
) -> Option<Mistake> {
    if let Some(mistake) = given.form() {
        return Some(mistake);
    }
    match (generation, wanted) {
        (Generation::V2019, Some(Generation::Current)) => return Some(Mistake::RawBody),
        (Generation::Current, Some(Generation::V2019)) => return Some(Mistake::NotRawBody),
        (Generation::V2019, _) => return None,
        (Generation::Current, _) => {}
    }
    let Some(md5) = presented.content_md5 else {
        return Some(Mistake::Md5Missing);
    };
    if md5 != content_md5(presented.body).as_bytes() {
        return Some(candidates::body::behind_the_md5(md5, presented.body));
    }
    match presented.date_counts(now) {
        Ok(()) => None,
        Err(DateError::Missing) => Some(Mistake::DateLeftOut),
        Err(DateError::Unreadable) => Some(Mistake::DateUnreadable),
        Err(DateError::Outside(seconds)) => Some(Mistake::DateOutside { seconds }),
    }
}

#[cfg(test)]
mod tests;

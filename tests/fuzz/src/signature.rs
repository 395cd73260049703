//! The parts of a request that prove its sender: the signature header, the `Date`, and the search for a signer's
//! mistake.

use std::time::Duration;

use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::signature::request::{Presented, WINDOW, content_md5};
use switchboard_actors::domain::signature::{SharedSecret, Signature, Signer};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_diagnosis::{diagnose, is_of};

const NOW: UnixMillis = UnixMillis::new(1_700_000_000_000);
const SECRET: &str = "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189";

/// Reads the bytes as the lines of a request: signature, date, content type, digest, path, query; what follows is the body.
pub fn check(data: &[u8]) {
    let mut parts = data.splitn(7, |byte| *byte == b'\n');
    let mut next = || parts.next().unwrap_or_default();
    let (header, date, content_type, md5) = (next(), next(), next(), next());
    let (path, query) = (String::from_utf8_lossy(next()), next());
    let query = std::str::from_utf8(query).ok();
    let body = next();
    let digest = content_md5(body);
    // Without a digest, uses the right one: random input does not hit it.
    let md5 = if md5.is_empty() {
        digest.as_bytes()
    } else {
        md5
    };
    let presented = Presented {
        method: "POST",
        path: &path,
        query,
        host: Some("127.0.0.1:8080"),
        content_md5: Some(md5),
        content_type: Some(content_type),
        date: Some(date),
        body,
    };
    reads_exactly(header);
    dates_end(&presented);
    proves(&presented, header, md5 == digest.as_bytes());
}

/// Forty hexadecimal digits and nothing else are a signature, which is written in lower case.
fn reads_exactly(header: &[u8]) {
    let is_form = header.len() == 40 && header.iter().all(u8::is_ascii_hexdigit);
    let read = Signature::from_header(header);
    assert_eq!(read.is_some(), is_form);
    if let Some(signature) = read {
        let header_text = signature.to_string();
        assert_eq!(header_text.as_bytes(), header.to_ascii_lowercase());
        assert_eq!(
            Signature::from_header(header_text.as_bytes()),
            Some(signature)
        );
    }
}

/// A date that counts now does not count at any time further off than the window on both sides is wide.
fn dates_end(presented: &Presented<'_>) {
    if presented.date_counts(NOW).is_ok() {
        let later = NOW.plus(WINDOW * 2 + Duration::from_secs(1));
        assert!(presented.date_counts(later).is_err());
        assert!(presented.date_counts(UnixMillis::ZERO).is_err());
    }
}

/// Only what was signed with the secret proves anything, and it proves its generation and no other.
fn proves(presented: &Presented<'_>, header: &[u8], md5_is_right: bool) {
    let secret: SharedSecret = SECRET.parse().unwrap();
    let signer = Signer::new(&secret);
    let md5 = presented.content_md5.unwrap_or_default();
    let raw = signer.sign(presented.body).to_string();
    let canonical = presented.canonical(md5).sign(&signer).to_string();
    let proven = |header: &[u8], wanted| presented.proven(&signer, header, wanted, NOW);
    let both = |header: &[u8]| proven(header, None);

    assert_eq!(
        proven(raw.as_bytes(), Some(Generation::V2019)),
        Some(Generation::V2019)
    );
    let counts = md5_is_right && presented.date_counts(NOW).is_ok();
    let current = counts.then_some(Generation::Current);
    let generation = Some(Generation::Current);
    if raw != canonical {
        assert_eq!(proven(canonical.as_bytes(), generation), current);
        assert_eq!(both(canonical.as_bytes()), current);
        assert_eq!(proven(raw.as_bytes(), generation), None);
    }
    let lower = header.to_ascii_lowercase();
    let is_right = lower == raw.as_bytes() || lower == canonical.as_bytes();
    assert!(
        both(header).is_none() || is_right,
        "proven without the secret"
    );

    // The hint about a mistake reveals neither the secret nor the signature to an unknown caller.
    for wanted in [None, Some(Generation::V2019), Some(Generation::Current)] {
        if let Some(mistake) = diagnose(&secret, presented, Some(header), wanted, NOW) {
            let hint = mistake.hint();
            assert!(!hint.is_empty() && !hint.contains(SECRET));
            assert!(!hint.contains(&raw) && !hint.contains(&canonical));
        }
    }
    let other: SharedSecret = "of-another-channel".parse().unwrap();
    assert!(!is_of(&other, presented, header) || !is_right);
}

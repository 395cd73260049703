//! The `Range` header as RFC 9110 has it: a unit that is not known and a range that means nothing are ignored.
//!
//! The framework refuses both with 416 or 400. So only what it understands rightly is left to it.

use actix_web::http::header::{self, HeaderMap, HeaderValue};

/// The highest position that is passed to the framework: behind the end of any file, so that a larger one changes
/// nothing.
const HIGHEST: u64 = 1 << 53;

/// Takes away a `Range` that has to be ignored.
pub(crate) fn settle(headers: &mut HeaderMap) {
    let Some(value) = headers.get(header::RANGE) else {
        return;
    };
    let bytes = value.to_str().ok().and_then(understood);
    let range = bytes.and_then(|range| HeaderValue::try_from(range).ok());
    match range {
        Some(range) => drop(headers.insert(header::RANGE, range)),
        None => drop(headers.remove(header::RANGE)),
    }
}

/// The range of bytes that a header asks for. Of several, none: the whole is a right answer to that.
fn understood(value: &str) -> Option<String> {
    let (unit, range) = value.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = range.trim().split_once('-')?;
    match (first, last) {
        ("", last) => Some(format!("bytes=-{}", place(last)?)),
        (first, "") => Some(format!("bytes={}-", place(first)?)),
        (first, last) => {
            let (first, last) = (place(first)?, place(last)?);
            (first <= last).then(|| format!("bytes={first}-{last}"))
        }
    }
}

/// A place, however many digits it has.
fn place(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| {
        digits
            .parse()
            .map_or(HIGHEST, |place: u64| place.min(HIGHEST))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_ranges_are_ignored_and_valid_ones_are_exact() {
        let digits = "9".repeat(40);
        for (asked, understood_as) in [
            ("bytes=2-4", Some("bytes=2-4")),
            ("Bytes=2-", Some("bytes=2-")),
            ("bytes=-3", Some("bytes=-3")),
            ("bytes = 0-0", Some("bytes=0-0")),
            ("lines=1", None),
            ("lines=1-2", None),
            ("bytes=5-2", None),
            ("bytes=-", None),
            ("bytes=a-b", None),
            ("bytes=+1-2", None),
            ("bytes=1", None),
            ("bytes", None),
            ("", None),
            ("bytes=0-1,3-4", None),
        ] {
            assert_eq!(understood(asked).as_deref(), understood_as, "{asked}");
        }
        let far = understood(&format!("bytes=0-{digits}"));
        assert_eq!(far, Some(format!("bytes=0-{HIGHEST}")));
    }
}

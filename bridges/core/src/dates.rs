//! Times in the form of HTTP.

use std::time::UNIX_EPOCH;

/// The milliseconds since 1970 of a time in the form of HTTP.
pub(crate) fn read_date(text: &str) -> Option<i64> {
    let time = httpdate::parse_http_date(text).ok()?;
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

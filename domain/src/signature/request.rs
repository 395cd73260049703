//! The parts of a request that a signature may cover, in both generations, and the parts that it proves.
//!
//! The 2019 generation signs the raw body. The current one signs
//! `METHOD\nContent-MD5\nContent-Type\nDate\npath`: the values of the headers as they were sent, nothing for a header that
//! was not, the path without the query, no newline at the end. `Content-MD5` ties the body to it, `Date` ends its life.

use std::borrow::Cow;
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use md5::{Digest, Md5};

use crate::generation::Generation;
use crate::signature::{Signature, Signer};
use crate::time::UnixMillis;

/// The largest difference of `Date` from our clock, in either direction.
pub const WINDOW: Duration = Duration::from_secs(15 * 60);

/// A request as it came, as far as signatures know it. A header that was sent more than once counts as not sent.
#[derive(Clone, Copy, Debug)]
pub struct Presented<'a> {
    /// The method.
    pub method: &'a str,
    /// The path, raw, without the query.
    pub path: &'a str,
    /// The text after `?`, if there is any: never signed, but signed by mistake.
    pub query: Option<&'a str>,
    /// The `Host` header: never signed, but signed by mistake.
    pub host: Option<&'a str>,
    /// The `Content-MD5` header.
    pub content_md5: Option<&'a [u8]>,
    /// The `Content-Type` header.
    pub content_type: Option<&'a [u8]>,
    /// The `Date` header.
    pub date: Option<&'a [u8]>,
    /// The body.
    pub body: &'a [u8],
}

/// The parts of a request that the canonical signature covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical<'a> {
    /// The method, in upper case.
    pub method: &'a [u8],
    /// The digest of the body, see [`content_md5`].
    pub content_md5: &'a [u8],
    /// The content type as it is sent.
    pub content_type: &'a [u8],
    /// The date as it is sent.
    pub date: &'a [u8],
    /// The path, without the query.
    pub path: &'a [u8],
}

/// The reason that a `Date` does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateError {
    /// There is none.
    Missing,
    /// It has neither of the two forms.
    Unreadable,
    /// It is this many seconds from our clock; negative when it is behind.
    Outside(i64),
}

impl<'a> Canonical<'a> {
    /// The five parts, in the order in which they are signed.
    #[must_use]
    pub fn parts(&self) -> [&'a [u8]; 5] {
        [
            self.method,
            self.content_md5,
            self.content_type,
            self.date,
            self.path,
        ]
    }

    /// The text that is signed.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        self.parts().join(b"\n".as_slice())
    }

    /// The signature.
    #[must_use]
    pub fn sign(&self, signer: &Signer) -> Signature {
        signer.sign(&self.text())
    }
}

impl<'a> Presented<'a> {
    /// The generation that `signature`, the value of the header, proves; `None` when it proves neither, or not the one
    /// that is `wanted`. Takes the same time for every wrong signature of the right form.
    #[must_use]
    pub fn proven(
        &self,
        signer: &Signer,
        signature: &[u8],
        wanted: Option<Generation>,
        now: UnixMillis,
    ) -> Option<Generation> {
        let wants = |generation| wanted.is_none_or(|wanted| wanted == generation);
        if wants(Generation::Current)
            && self.proves_head(signer, signature, now)
            && self.content_md5 == Some(content_md5(self.body).as_bytes())
        {
            return Some(Generation::Current);
        }
        // Tried last even when there is a Content-MD5: some HTTP stacks add the header by themselves.
        (wants(Generation::V2019) && signer.verify(self.body, signature))
            .then_some(Generation::V2019)
    }

    /// Returns whether `signature` proves the head, whatever the body is: who has the secret has signed it, and lately.
    #[must_use]
    pub fn proves_head(&self, signer: &Signer, signature: &[u8], now: UnixMillis) -> bool {
        self.content_md5.is_some_and(|md5| {
            signer.verify(&self.canonical(md5).text(), signature) && self.date_counts(now).is_ok()
        })
    }

    /// Returns the parts that the canonical signature covers: the headers as they were sent, but with this
    /// `Content-MD5`.
    #[must_use]
    pub fn canonical(&self, content_md5: &'a [u8]) -> Canonical<'a> {
        Canonical {
            method: self.method.as_bytes(),
            content_md5,
            content_type: self.content_type.unwrap_or_default(),
            date: self.date.unwrap_or_default(),
            path: self.path.as_bytes(),
        }
    }

    /// Checks that `Date` is within the window around `now`.
    ///
    /// # Errors
    /// Why it is not.
    pub fn date_counts(&self, now: UnixMillis) -> Result<(), DateError> {
        let text = self.date.ok_or(DateError::Missing)?;
        let date = read_date(text).ok_or(DateError::Unreadable)?;
        let now = i64::try_from(now.secs()).unwrap_or(i64::MAX);
        let apart = date.saturating_sub(now);
        if apart.unsigned_abs() <= WINDOW.as_secs() {
            Ok(())
        } else {
            Err(DateError::Outside(apart))
        }
    }
}

/// The digest of a body as `Content-MD5` carries it: lower-case hexadecimal, not base64.
#[must_use]
pub fn content_md5(body: &[u8]) -> String {
    hex::encode(Md5::digest(body))
}

/// Returns a time as `Date` carries it, in UTC, as in `Wed, 15 Dec 2021 23:12:55 +0000`.
#[must_use]
pub fn date(at: UnixMillis) -> String {
    let second = i64::try_from(at.secs()).unwrap_or(i64::MAX);
    let moment = Timestamp::from_second(second).unwrap_or(Timestamp::MAX);
    moment.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

/// A `Date` in seconds since the epoch: `Wed, 15 Dec 2021 23:12:55 +0000` as mail writes it (RFC 2822), with any offset, or
/// one of the forms of HTTP (RFC 9110). The name of the day is not compared with the date. Date libraries for JavaScript
/// write hours with one digit and offsets with a colon, `1:23:02 +03:00`: both are read.
fn read_date(date: &[u8]) -> Option<i64> {
    const MAIL: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);
    let text = strict(std::str::from_utf8(date).ok()?);
    let date = text.as_ref();
    if let Ok(moment) = MAIL.parse_timestamp(date) {
        return Some(moment.as_second());
    }
    let moment = httpdate::parse_http_date(date).ok()?;
    let since = moment.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}

/// The date with hours of two digits and without a colon in the offset, as the standards have them.
fn strict(date: &str) -> Cow<'_, str> {
    let is_loose = |word: &str| match word.split_once(':') {
        Some((hours, _)) => hours.len() == 1 || hours.starts_with(['+', '-']),
        None => false,
    };
    if !date.split(' ').any(is_loose) {
        return Cow::Borrowed(date);
    }
    let words = date.split(' ').map(|word| match word.split_once(':') {
        Some((sign_and_hours, minutes))
            if sign_and_hours.len() == 3 && sign_and_hours.starts_with(['+', '-']) =>
        {
            format!("{sign_and_hours}{minutes}")
        }
        Some((hour, rest)) if hour.len() == 1 => format!("0{hour}:{rest}"),
        Some(_) | None => word.to_owned(),
    });
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;

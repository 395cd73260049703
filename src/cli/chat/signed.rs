//! The headers of a signed request, in either generation of the chat interface.

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use switchboard_actors::domain::generation::Generation;
use switchboard_actors::domain::signature::request::{Canonical, content_md5};
use switchboard_actors::domain::signature::{HEADER, Signer};
use url::Url;

const CONTENT_TYPE: &str = "application/json";

/// The headers of a POST of this body, signed now.
pub(super) fn headers(
    signer: &Signer,
    generation: Generation,
    url: &Url,
    body: &[u8],
) -> Vec<(&'static str, String)> {
    let mut headers = vec![("Content-Type", CONTENT_TYPE.to_owned())];
    let signature = match generation {
        Generation::V2019 => signer.sign(body),
        Generation::Current => {
            let digest = content_md5(body);
            let date = date();
            let signature = Canonical {
                method: b"POST",
                content_md5: digest.as_bytes(),
                content_type: CONTENT_TYPE.as_bytes(),
                date: date.as_bytes(),
                path: url.path().as_bytes(),
            }
            .sign(signer);
            headers.push(("Content-MD5", digest));
            headers.push(("Date", date));
            signature
        }
    };
    headers.push((HEADER, signature.to_string()));
    headers
}

/// Now, as HTTP writes it.
fn date() -> String {
    // Only years outside the calendar of HTTP cannot be written.
    DateTimePrinter::new()
        .timestamp_to_rfc9110_string(&Timestamp::now())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use switchboard_actors::domain::signature::request::Presented;
    use switchboard_actors::domain::time::UnixMillis;

    use super::*;

    #[test]
    fn the_signature_proves_the_generation_it_was_made_for() {
        let signer = Signer::new(&"s3cret".parse().unwrap());
        let url: Url = "http://h:1/base/v2/origin/custom/c".parse().unwrap();
        for generation in [Generation::V2019, Generation::Current] {
            let headers = headers(&signer, generation, &url, b"{}");
            let header = |name: &str| {
                let header = headers.iter().find(|(known, _)| *known == name);
                header.map(|(_, value)| value.as_bytes())
            };
            let presented = Presented {
                method: "POST",
                path: url.path(),
                query: None,
                host: None,
                content_md5: header("Content-MD5"),
                content_type: header("Content-Type"),
                date: header("Date"),
                body: b"{}",
            };
            let now = u64::try_from(Timestamp::now().as_millisecond()).unwrap();
            let signature = header(HEADER).unwrap();
            let proven = presented.proven(&signer, signature, None, UnixMillis::new(now));
            assert_eq!(proven, Some(generation), "{headers:?}");
        }
    }
}

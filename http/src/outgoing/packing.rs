//! Bodies packed with gzip, for clients that take it.

use std::io::Write;

use actix_web::http::header::{self, HeaderMap};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes that are packed before others of the same thread go on: well under a millisecond of work.
const STEP: usize = 32 << 10;

/// Returns whether the client takes gzip (RFC 9110, 12.5.3).
pub(crate) fn is_taken(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING);
    let mut codings = values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        // A weight of nothing says that it is not taken.
        let is_refused = parts
            .filter_map(|part| part.split_once('='))
            .any(|(name, weight)| {
                name.trim().eq_ignore_ascii_case("q") && weight.trim().parse() == Ok(0.0)
            });
        is_gzip && !is_refused
    })
}

/// Packs what is made once and sent often.
pub(crate) fn best(bytes: &[u8]) -> Bytes {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let result = packer.write_all(bytes).and_then(|()| packer.finish());
    result.unwrap_or_default().into()
}

/// Packs a body that is made for one answer: quickly, and in steps, so that other tasks do not wait for a long one.
pub(super) async fn quickly(bytes: &[u8]) -> std::io::Result<Bytes> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    for step in bytes.chunks(STEP) {
        packer.write_all(step)?;
        tokio::task::yield_now().await;
    }
    Ok(packer.finish()?.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use actix_web::http::header::HeaderValue;
    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn gzip_is_used_only_for_clients_that_accept_it_by_name() {
        for (accepted, taken) in [
            ("gzip", true),
            ("deflate, GZIP;q=0.5, br", true),
            ("br;q=1, gzip ; q=1", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000, br", false),
            ("br", false),
            ("*", false),
            ("x-gzip-like", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            let value = HeaderValue::from_static(accepted);
            headers.insert(header::ACCEPT_ENCODING, value);
            assert_eq!(is_taken(&headers), taken, "{accepted}");
        }
        assert!(!is_taken(&HeaderMap::new()));
    }

    #[tokio::test]
    async fn compressed_bytes_decompress_to_the_original() {
        for length in [0, 1, STEP, STEP + 1, 10 * STEP] {
            let bytes = b"0123456789".repeat(length / 10 + 1);
            for packed in [best(&bytes), quickly(&bytes).await.unwrap()] {
                let mut unpacked = Vec::new();
                GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap();
                assert_eq!(unpacked, bytes);
            }
        }
    }
}

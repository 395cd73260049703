//! The digests that right and mistaken signers compute.

use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::Sha256;

/// The key of a message authentication code.
#[derive(Clone, Copy)]
pub(super) struct MacKey<'a>(pub(super) &'a [u8]);

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
pub(super) fn sha1_mac(key: MacKey<'_>, message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha1>::new_from_slice(key.0).expect("a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
pub(super) fn sha256_mac(key: MacKey<'_>, message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.0).expect("a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
pub(super) fn md5_mac(key: MacKey<'_>, message: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Md5>::new_from_slice(key.0).expect("a key of any length");
    mac.update(message);
    mac.finalize().into_bytes().to_vec()
}

pub(super) fn sha1(message: &[u8]) -> Vec<u8> {
    Sha1::digest(message).to_vec()
}

/// Base64 with the common alphabet, padded.
pub(super) fn base64(bytes: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |bits: u32| LETTERS.get(usize::try_from(bits & 63).unwrap_or_default());
    let mut text = Vec::new();
    for group in bytes.chunks(3) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or_default());
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        let letters = [18, 12, 6, 0].map(|shift| letter(bits >> shift));
        let length = group.len().saturating_add(1);
        text.extend(letters.iter().take(length).flatten().copied());
        text.resize(
            text.len().saturating_add(4_usize.saturating_sub(length)),
            b'=',
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_matches_the_standard() {
        for (bytes, text) in [
            (&b""[..], &b""[..]),
            (b"f", b"Zg=="),
            (b"fo", b"Zm8="),
            (b"foo", b"Zm9v"),
            (b"\xff\xef\xbe\x00", b"/+++AA=="),
        ] {
            assert_eq!(base64(bytes), text);
        }
    }
}

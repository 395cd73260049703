//! The content encoding `aes128gcm` (RFC 8188), of a content that is one record.

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};

/// The bytes of a salt.
pub(crate) const SALT: usize = 16;
/// The bytes of a key of AES-128.
const KEY: usize = 16;
/// The bytes by which a record is longer than its text: the delimiter and the tag.
pub(crate) const OVERHEAD: usize = 17;
/// The size of records that the header names.
const RECORD: u32 = 4_096;
/// The delimiter behind the text of the last record.
const LAST: u8 = 2;

/// A length of derived bytes.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

/// Derives bytes from a secret, for one purpose.
pub(crate) fn derive<const N: usize>(prk: &Prk, purpose: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut bytes = [0; N];
    prk.expand(purpose, Length(N))?.fill(&mut bytes)?;
    Ok(bytes)
}

/// Encrypts a text: the header, which names the key, and the one record behind it.
pub(crate) fn seal(
    secret: &[u8],
    salt: [u8; SALT],
    key_id: &[u8],
    text: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    let prk = Salt::new(HKDF_SHA256, &salt).extract(secret);
    let key: [u8; KEY] = derive(&prk, &[b"Content-Encoding: aes128gcm\0"])?;
    // The number of the record is 0, so the nonce stays as it is.
    let nonce: [u8; NONCE_LEN] = derive(&prk, &[b"Content-Encoding: nonce\0"])?;
    let mut record = text.to_vec();
    record.push(LAST);
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key)?);
    key.seal_in_place_append_tag(
        Nonce::assume_unique_for_key(nonce),
        Aad::empty(),
        &mut record,
    )?;
    let length = u8::try_from(key_id.len()).map_err(|_too_long| Unspecified)?;
    let header = [&salt[..], &RECORD.to_be_bytes(), &[length], key_id];
    let mut body = header.concat();
    body.append(&mut record);
    Ok(body)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    /// The example of RFC 8188, section 3.1.
    #[test]
    fn the_example_of_the_standard_is_encrypted_alike() {
        let secret = URL_SAFE_NO_PAD.decode("yqdlZ-tYemfogSmv7Ws5PQ").unwrap();
        let salt = URL_SAFE_NO_PAD.decode("I1BsxtFttlv3u_Oo94xnmw").unwrap();
        let text = b"I am the walrus";
        let body = seal(&secret, salt.try_into().unwrap(), b"", text).unwrap();
        let example = "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg";
        assert_eq!(URL_SAFE_NO_PAD.encode(body), example);
    }

    #[test]
    fn a_name_of_a_key_that_is_too_long_is_refused() {
        let sealed = |length| seal(b"secret", [1; SALT], &vec![0; length], b"text");
        assert!(sealed(255).is_ok());
        assert!(sealed(256).is_err());
    }
}

//! A message for one subscription (RFC 8291): encrypted with a key that both sides agree on, and that the push service does not
//! learn.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::{SecureRandom as _, SystemRandom};

use crate::content_encoding::{self, OVERHEAD, SALT};

/// The bytes of a public key: a point of P-256, uncompressed.
pub const PUBLIC_KEY: usize = 65;
/// The bytes of the secret that a browser shares with those who may send it messages.
pub const AUTH: usize = 16;
/// The most bytes of a body: no push service has to take more.
pub const BODY_MAX: usize = 4_096;
/// The bytes of a header: the salt, the size of a record, and the public key behind its length.
const HEADER: usize = SALT + 4 + 1 + PUBLIC_KEY;
/// The most bytes of a text.
pub const TEXT_MAX: usize = BODY_MAX - HEADER - OVERHEAD;

/// The bytes of a topic: 32 letters, the most that it may have.
const TOPIC_BYTES: usize = 24;

/// The keys of a subscription.
#[derive(Clone, PartialEq, Eq)]
pub struct SubscriberKeys {
    public: [u8; PUBLIC_KEY],
    auth: [u8; AUTH],
}

/// The text is no key of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubscriberKeyError {
    /// Not a point of the curve.
    #[error("expected a public key of P-256, uncompressed: 65 bytes in base64url")]
    Public,
    /// Not that long.
    #[error("expected 16 bytes in base64url")]
    Auth,
}

/// The reason why a message cannot be encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// The text is too long.
    #[error("the text has more than {TEXT_MAX} bytes")]
    TooLong,
    /// The cryptography failed.
    #[error(
        "the message cannot be encrypted: the system has no randomness now, or the key is unfit"
    )]
    Cryptography,
}

impl From<Unspecified> for MessageError {
    fn from(_: Unspecified) -> Self {
        Self::Cryptography
    }
}

impl fmt::Debug for SubscriberKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SubscriberKeys(***)")
    }
}

impl SubscriberKeys {
    /// The keys of these texts, in base64url without padding, as browsers give them.
    ///
    /// # Errors
    /// When one of them is no such key.
    pub fn parse(p256dh: &str, auth: &str) -> Result<Self, SubscriberKeyError> {
        let keys = Self {
            public: public_key(p256dh)?,
            auth: auth_secret(auth)?,
        };
        Ok(keys)
    }
}

/// The public key in a text: a point of the curve.
///
/// # Errors
/// When it is none.
pub fn public_key(text: &str) -> Result<[u8; PUBLIC_KEY], SubscriberKeyError> {
    let public = bytes(text).ok_or(SubscriberKeyError::Public)?;
    let agreement = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())
        .and_then(|own| agree_ephemeral(own, &UnparsedPublicKey::new(&ECDH_P256, public), |_| ()));
    agreement.map_err(|_unspecified| SubscriberKeyError::Public)?;
    Ok(public)
}

/// The shared secret in a text.
///
/// # Errors
/// When it is none.
pub fn auth_secret(text: &str) -> Result<[u8; AUTH], SubscriberKeyError> {
    bytes(text).ok_or(SubscriberKeyError::Auth)
}

/// The bytes of a text in base64url. Some browsers pad it.
fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let bytes = URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()?;
    bytes.try_into().ok()
}

/// The topic of what has a tag: 32 letters of base64url, which say nothing of the tag to the push service.
#[must_use]
pub fn topic(tag: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, tag.as_bytes());
    let bytes = digest.as_ref().get(..TOPIC_BYTES).unwrap_or_default();
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Encrypts a text for a subscription: the body of the request to its push service.
///
/// # Errors
/// When the text is too long, or the cryptography fails.
pub fn encrypt(keys: &SubscriberKeys, text: &[u8]) -> Result<Vec<u8>, MessageError> {
    if text.len() > TEXT_MAX {
        return Err(MessageError::TooLong);
    }
    let random = SystemRandom::new();
    let mut salt = [0; SALT];
    random.fill(&mut salt)?;
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let public = own.compute_public_key()?;
    let peer = UnparsedPublicKey::new(&ECDH_P256, keys.public);
    let sealed = agree_ephemeral(own, &peer, |shared| {
        seal(keys, shared, public.as_ref(), salt, text)
    });
    Ok(sealed??)
}

/// Encrypts a text with what both sides have agreed on.
fn seal(
    keys: &SubscriberKeys,
    shared: &[u8],
    own_public: &[u8],
    salt: [u8; SALT],
    text: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    let prk = Salt::new(HKDF_SHA256, &keys.auth).extract(shared);
    let purpose = [b"WebPush: info\0", &keys.public[..], own_public];
    let secret: [u8; 32] = content_encoding::derive(&prk, &purpose)?;
    content_encoding::seal(&secret, salt, own_public, text)
}

#[cfg(test)]
mod tests {
    use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};

    use super::*;

    /// The example of RFC 8291, section 5 and appendix A.
    const UA_PUBLIC: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH_SECRET: &str = "BTBZMqHH6r4Tts7J_aSIgg";
    const AS_PUBLIC: &str =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
    const ECDH_SECRET: &str = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs";
    const MESSAGE: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

    fn decode(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    #[test]
    fn the_example_of_the_standard_is_encrypted_alike() {
        let keys = SubscriberKeys::parse(UA_PUBLIC, AUTH_SECRET).unwrap();
        let salt = decode("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let text = b"When I grow up, I want to be a watermelon";
        let (shared, own) = (decode(ECDH_SECRET), decode(AS_PUBLIC));
        let body = seal(&keys, &shared, &own, salt, text).unwrap();
        assert_eq!(URL_SAFE_NO_PAD.encode(body), MESSAGE);
    }

    /// Reads a message as a browser does. Written apart from what encrypts.
    fn open(own: EphemeralPrivateKey, auth: [u8; AUTH], body: &[u8]) -> Vec<u8> {
        let own_public = own.compute_public_key().unwrap();
        let (header, record) = body.split_at(HEADER);
        let (salt, rest) = header.split_at(SALT);
        assert_eq!(rest[..5], [0, 0, 0x10, 0, 65]);
        let sender = UnparsedPublicKey::new(&ECDH_P256, &rest[5..]);
        let extract = |salt: &[u8], secret: &[u8]| Salt::new(HKDF_SHA256, salt).extract(secret);
        let prk = agree_ephemeral(own, &sender, |shared| extract(&auth, shared)).unwrap();
        let purpose = [b"WebPush: info\0", own_public.as_ref(), &rest[5..]];
        let secret: [u8; 32] = content_encoding::derive(&prk, &purpose).unwrap();
        let prk = extract(salt, &secret);
        let key: [u8; 16] =
            content_encoding::derive(&prk, &[b"Content-Encoding: aes128gcm\0"]).unwrap();
        let nonce: [u8; 12] =
            content_encoding::derive(&prk, &[b"Content-Encoding: nonce\0"]).unwrap();
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let mut record = record.to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce);
        let text = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
        let (delimiter, text) = text.split_last().unwrap();
        assert_eq!(*delimiter, 2);
        text.to_vec()
    }

    #[test]
    fn a_browser_reads_what_is_encrypted_for_it() {
        for text in [&b""[..], b"New message", &[b'x'; TEXT_MAX]] {
            let own = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()).unwrap();
            let public = URL_SAFE_NO_PAD.encode(own.compute_public_key().unwrap());
            let auth = [7; AUTH];
            let keys = SubscriberKeys::parse(&public, &URL_SAFE_NO_PAD.encode(auth)).unwrap();
            let (body, again) = (encrypt(&keys, text).unwrap(), encrypt(&keys, text).unwrap());
            assert_eq!(body.len(), HEADER + text.len() + OVERHEAD);
            assert!(body.len() <= BODY_MAX);
            assert_ne!(body[..HEADER], again[..HEADER], "nothing is used twice");
            assert_eq!(open(own, auth, &body), text);
        }
    }

    #[test]
    fn a_topic_has_32_letters_and_follows_from_its_tag() {
        let tags = ["", "summary", "6f1c7a0e-0000-4000-8000-000000000000"];
        let topics = tags.map(topic);
        for topic in &topics {
            let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            assert!(topic.len() == 32 && topic.bytes().all(is_letter), "{topic}");
        }
        assert_eq!(tags.map(topic), topics);
        assert_ne!(topics[0], topics[1]);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        let keys = SubscriberKeys::parse(UA_PUBLIC, AUTH_SECRET).unwrap();
        let text = vec![b'x'; TEXT_MAX + 1];
        assert_eq!(encrypt(&keys, &text), Err(MessageError::TooLong));
        assert_eq!(encrypt(&keys, &text[1..]).unwrap().len(), BODY_MAX);
    }

    #[test]
    fn unfit_keys_are_refused_each_for_itself() {
        let zero = URL_SAFE_NO_PAD.encode([4; PUBLIC_KEY]);
        for public in ["", "x", "?", UA_PUBLIC.trim_start_matches('B'), &zero] {
            let error = SubscriberKeys::parse(public, AUTH_SECRET).unwrap_err();
            assert_eq!(error, SubscriberKeyError::Public, "{public}");
        }
        for auth in ["", "BTBZMqHH6r4Tts7J_aSI", UA_PUBLIC] {
            let error = SubscriberKeys::parse(UA_PUBLIC, auth).unwrap_err();
            assert_eq!(error, SubscriberKeyError::Auth, "{auth}");
        }
        let padded = SubscriberKeys::parse(UA_PUBLIC, &format!("{AUTH_SECRET}=="));
        let keys = SubscriberKeys::parse(UA_PUBLIC, AUTH_SECRET);
        assert_eq!(padded, keys);
        assert_eq!(format!("{:?}", keys.unwrap()), "SubscriberKeys(***)");
    }
}

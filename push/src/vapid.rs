//! The proof of who sends (RFC 8292): a key whose public half browsers know from the subscription, and a signed token that it
//! makes for a push service.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde::Serialize;

/// The header of every token.
const HEADER: &str = r#"{"typ":"JWT","alg":"ES256"}"#;

/// The key of a sender.
pub struct VapidKey {
    pair: EcdsaKeyPair,
    public: String,
}

/// The reason why a key cannot be made or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VapidKeyError {
    /// The text is no key.
    #[error("the stored key of pushes is no key of P-256")]
    Unfit,
    /// The system has no randomness.
    #[error("the system has no randomness now")]
    Randomness,
}

/// The claims of a token.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Claims<'c> {
    /// The origin of the push service.
    #[serde(rename = "aud")]
    pub audience: &'c str,
    /// The time from which the token is refused, in seconds since 1970; at most 24 hours from now.
    #[serde(rename = "exp")]
    pub expires_at: u64,
    /// The address under which the push service reaches the sender: `mailto:` or `https:`.
    #[serde(rename = "sub")]
    pub subject: &'c str,
}

impl fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VapidKey").field(&self.public).finish()
    }
}

impl VapidKey {
    /// A new key as it is stored: PKCS #8 in base64url.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn generate() -> Result<String, VapidKeyError> {
        let key =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        let key = key.map_err(|_unspecified| VapidKeyError::Randomness)?;
        Ok(URL_SAFE_NO_PAD.encode(key))
    }

    /// The key in a text, as [`Self::generate`] gave them.
    ///
    /// # Errors
    /// When there is none in it.
    pub fn parse(text: &str) -> Result<Self, VapidKeyError> {
        let pkcs8 = URL_SAFE_NO_PAD
            .decode(text)
            .map_err(|_unspecified| VapidKeyError::Unfit)?;
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &pkcs8, &random)
            .map_err(|_unspecified| VapidKeyError::Unfit)?;
        let public = URL_SAFE_NO_PAD.encode(pair.public_key());
        Ok(Self { pair, public })
    }

    /// The public key in base64url, as a page gives it to its browser when it subscribes.
    #[must_use]
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The value of the header `Authorization`.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn authorization(&self, claims: &Claims<'_>) -> Result<String, VapidKeyError> {
        // A struct of text and a number always has a JSON form.
        let claims = serde_json::to_vec(claims).map_err(|_unwritable| VapidKeyError::Unfit)?;
        let head = URL_SAFE_NO_PAD.encode(HEADER);
        let content = format!("{head}.{}", URL_SAFE_NO_PAD.encode(claims));
        let signature = self.pair.sign(&SystemRandom::new(), content.as_bytes());
        let signature = signature.map_err(|_unspecified| VapidKeyError::Randomness)?;
        let token = format!("{content}.{}", URL_SAFE_NO_PAD.encode(signature));
        Ok(format!("vapid t={token}, k={}", self.public))
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    /// The claims of a header whose signature verifies with the key that it names.
    fn verify(authorization: &str) -> Option<serde_json::Value> {
        let (token, key) = authorization.strip_prefix("vapid t=")?.split_once(", k=")?;
        let (content, signature) = token.rsplit_once('.')?;
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).ok();
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(key)?);
        key.verify(content.as_bytes(), &decode(signature)?).ok()?;
        let (head, claims) = content.split_once('.')?;
        assert_eq!(decode(head)?, HEADER.as_bytes());
        serde_json::from_slice(&decode(claims)?).ok()
    }

    /// The example of RFC 8292, section 2.4.
    const EXAMPLE: &str = "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";

    #[test]
    fn a_token_has_the_form_of_the_standards_example() {
        let example = verify(EXAMPLE).unwrap();
        let key = VapidKey::parse(&VapidKey::generate().unwrap()).unwrap();
        let claims = Claims {
            audience: "https://push.example.net",
            expires_at: 1_453_523_768,
            subject: "mailto:push@example.com",
        };
        let authorization = key.authorization(&claims).unwrap();
        assert_eq!(verify(&authorization), Some(example));
        let parts = |text: &str| text.split(['.', ',']).map(str::len).collect::<Vec<_>>();
        assert_eq!(parts(&authorization), parts(EXAMPLE));
        let forged = authorization.replace("eyJ0", "eyJ1");
        assert_eq!(verify(&forged), None);
    }

    #[test]
    fn a_key_is_the_same_after_it_was_stored_and_shows_in_no_log() {
        let text = VapidKey::generate().unwrap();
        let (key, again) = (
            VapidKey::parse(&text).unwrap(),
            VapidKey::parse(&text).unwrap(),
        );
        assert_eq!(key.public(), again.public());
        assert_eq!(key.public().len(), 87);
        assert_eq!(format!("{key:?}"), format!("VapidKey({:?})", key.public()));
        assert_eq!(VapidKey::parse("").unwrap_err(), VapidKeyError::Unfit);
        let (_, cut) = text.split_at(1);
        assert_eq!(VapidKey::parse(cut).unwrap_err(), VapidKeyError::Unfit);
    }
}

//! The signature of the chat interface: the HMAC with SHA-1 of the raw body, in hexadecimal.

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

use crate::config::values::Secret;

/// The header that carries it, in both directions.
pub(super) const HEADER: &str = "X-Signature";

/// The signature of a body.
pub(super) fn sign(secret: &Secret, body: &[u8]) -> String {
    hex::encode(mac(secret, body).finalize().into_bytes())
}

/// Whether this is the signature of the body; takes the same time wherever it differs.
pub(super) fn verify(secret: &Secret, body: &[u8], signature: &str) -> bool {
    match hex::decode(signature.trim()) {
        Ok(bytes) => mac(secret, body).verify_slice(&bytes).is_ok(),
        Err(_) => false,
    }
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn mac(secret: &Secret, body: &[u8]) -> Hmac<Sha1> {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret.expose().as_bytes()).expect("any key fits");
    mac.update(body);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_that_of_rfc_2202() {
        let secret = Secret::new("Jefe");
        let body = b"what do ya want for nothing?";
        let signature = "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79";
        assert_eq!(sign(&secret, body), signature);
        assert!(verify(&secret, body, &signature.to_uppercase()));
        assert!(!verify(&secret, b"what do ya want for nothing", signature));
        assert!(!verify(&secret, body, "effcdf6a"));
        assert!(!verify(&secret, body, ""));
        assert!(!verify(&secret, body, "not hexadecimal"));
    }
}

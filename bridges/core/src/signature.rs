//! Signatures: HMAC in hexadecimal digits.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha1::Sha1;
use sha2::Sha256;

/// The signature of the chat interface.
#[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
fn chat_mac(secret: &str, data: &[u8]) -> Hmac<Sha1> {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes()).expect("a key of any length");
    mac.update(data);
    mac
}

/// Signs as the chat interface wants it.
pub fn sign(secret: &str, data: &[u8]) -> String {
    hex::encode(chat_mac(secret, data).finalize().into_bytes())
}

/// Returns whether a callback is signed with this secret: the bytes as they came, since another writer of JSON has other spaces
/// and escapes.
pub fn is_signed(secret: &str, data: &[u8], signature: &str) -> bool {
    let digits = hex::decode(signature);
    digits.is_ok_and(|digits| chat_mac(secret, data).verify_slice(&digits).is_ok())
}

/// Returns whether a report of an uninstallation is signed with the secret of the client.
#[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
pub fn is_uninstall_signed(secret: &str, text: &str, signature: &str) -> bool {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length");
    mac.update(text.as_bytes());
    let digits = hex::decode(signature);
    digits.is_ok_and(|digits| mac.verify_slice(&digits).is_ok())
}

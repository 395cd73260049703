//! Links of customers' files: signed, with an end, and without the token of the bot.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use thiserror::Error;

/// The longest payload that is read, in characters.
const PAYLOAD_MAX: usize = 4_096;
/// The longest name in a link, in characters.
const NAME_MAX: usize = 120;
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A file of a customer, as a link names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileLink {
    /// The id that the bot fetches the file by.
    #[serde(rename = "f")]
    pub(crate) file_id: String,
    #[serde(rename = "t")]
    pub(crate) media_type: String,
    #[serde(rename = "n")]
    pub(crate) name: String,
    /// The second after which the link is not good any more.
    #[serde(rename = "e")]
    pub(crate) end: i64,
}

/// The reason why a link opens no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum LinkError {
    #[error("This is no link of a file.")]
    Malformed,
    #[error("The signature of this link is wrong. Open the file from the conversation again.")]
    Forged,
    #[error(
        "The time of this link is over. The file is in the customer's chat; ask the customer to send it again."
    )]
    Over,
}

impl FileLink {
    /// Returns the path of the link.
    pub(crate) fn path(&self, key: &[u8]) -> String {
        // Texts and a number are JSON.
        let text = serde_json::to_vec(self).unwrap_or_default();
        let payload = URL_SAFE_NO_PAD.encode(text);
        let signature = hex::encode(mac(key, &payload).finalize().into_bytes());
        let name: String = self.name.chars().take(NAME_MAX).collect();
        let visible_name = match name.as_str() {
            "" | "." | ".." => "file",
            name => name,
        };
        format!(
            "/files/{payload}.{signature}/{}",
            utf8_percent_encode(visible_name, PATH)
        )
    }

    /// Reads a path. The last part is for people and counts for nothing: the payload has the name.
    ///
    /// # Errors
    /// When it is none of ours, or its time is over.
    pub(crate) fn parse(path: &str, key: &[u8], now: i64) -> Result<Self, LinkError> {
        let words = path.strip_prefix("/files/").ok_or(LinkError::Malformed)?;
        let first_word = words.split('/').next().unwrap_or_default();
        let (payload, signature) = first_word.split_once('.').ok_or(LinkError::Malformed)?;
        if payload.len() > PAYLOAD_MAX {
            return Err(LinkError::Malformed);
        }
        let digits = hex::decode(signature).unwrap_or_default();
        let is_signed = mac(key, payload).verify_slice(&digits).is_ok();
        if !is_signed {
            return Err(LinkError::Forged);
        }
        let text = URL_SAFE_NO_PAD.decode(payload).unwrap_or_default();
        let link = serde_json::from_slice::<Self>(&text)
            .ok()
            .ok_or(LinkError::Malformed)?;
        if link.end < now {
            return Err(LinkError::Over);
        }
        Ok(link)
    }
}

/// The prefix keeps these signatures apart from whatever else a key signs one day.
#[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
fn mac(key: &[u8], payload: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    mac.update(b"file link\n");
    mac.update(payload.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"key";

    fn link() -> FileLink {
        FileLink {
            file_id: "AgAC-1".to_owned(),
            media_type: "image/jpeg".to_owned(),
            name: "a b/ü.jpg".to_owned(),
            end: 100,
        }
    }

    #[test]
    fn a_link_leads_to_its_file_until_its_end() {
        let path = link().path(KEY);
        assert!(path.ends_with("/a%20b%2F%C3%BC.jpg"), "{path}");
        assert_eq!(FileLink::parse(&path, KEY, 100), Ok(link()));
        assert_eq!(FileLink::parse(&path, KEY, 101), Err(LinkError::Over));
    }

    #[test]
    fn a_link_of_another_key_or_file_is_forged() {
        let path = link().path(KEY);
        assert_eq!(FileLink::parse(&path, b"other", 1), Err(LinkError::Forged));
        let other = FileLink { end: 200, ..link() };
        let (payload, signature) = (other.path(KEY), path.split('.').nth(1).unwrap().to_owned());
        let payload = payload.split('.').next().unwrap();
        let forged = format!("{payload}.{signature}");
        assert_eq!(FileLink::parse(&forged, KEY, 1), Err(LinkError::Forged));
    }

    #[test]
    fn a_path_that_is_no_link_is_malformed() {
        for path in ["", "/files", "/files/", "/files/x", "/other/x.y/z"] {
            assert_eq!(
                FileLink::parse(path, KEY, 1),
                Err(LinkError::Malformed),
                "{path}"
            );
        }
        let long = format!("/files/{}.00/x", "a".repeat(PAYLOAD_MAX + 1));
        assert_eq!(FileLink::parse(&long, KEY, 1), Err(LinkError::Malformed));
    }
}

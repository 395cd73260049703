//! The redirection of a browser after a consent, and the proof of a client that it began the request (PKCE).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::Url;

use crate::text::bounded_text;
use crate::webhook::web_address;

bounded_text! {
    /// The redirect address of an OAuth client: an absolute web address without user name and fragment. It is kept and
    /// compared as it was given, character by character (RFC 6749, 3.1.2).
    RedirectUri, "an absolute address without #, as in https://example.com/oauth/callback", is_redirect;
    /// A code challenge or a code verifier of PKCE: 43 to 128 letters, digits and `-._~` (RFC 7636, 4.1).
    PkceText, "43 to 128 letters, digits and the characters - . _ ~", is_pkce;
}

fn is_redirect(text: &str) -> bool {
    let plain = text.trim() == text && !text.chars().any(char::is_control);
    plain && web_address(text).is_ok_and(|url| url.fragment().is_none())
}

fn is_pkce(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    (43..=128).contains(&text.len()) && text.bytes().all(fits)
}

impl RedirectUri {
    /// The scheme, the host and the port of the address.
    #[must_use]
    pub fn origin(&self) -> String {
        let url = Url::parse(self.as_str());
        url.map_or_else(
            |_never| self.as_str().to_owned(),
            |url| url.origin().ascii_serialization(),
        )
    }

    /// The address with these parameters behind those that it has.
    #[must_use]
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        let Ok(mut url) = Url::parse(self.as_str()) else {
            return self.as_str().to_owned();
        };
        url.query_pairs_mut().extend_pairs(parameters);
        url.into()
    }
}

/// The challenge that a client announces with the request for a consent, and answers when it exchanges the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "method", content = "challenge")]
pub enum CodeChallenge {
    /// The verifier itself.
    #[serde(rename = "plain")]
    Plain(PkceText),
    /// The SHA-256 of the verifier, in base64url without padding.
    #[serde(rename = "S256")]
    Sha256(PkceText),
}

impl CodeChallenge {
    /// The names of the methods.
    pub const METHODS: [&str; 2] = ["plain", "S256"];

    /// Returns whether this verifier answers the challenge. Takes the same time for every wrong one of a length.
    #[must_use]
    pub fn fits(&self, verifier: &PkceText) -> bool {
        match self {
            Self::Plain(expected) => same(expected.as_str(), verifier.as_str()),
            Self::Sha256(expected) => {
                let digest = Sha256::digest(verifier.as_str().as_bytes());
                same(expected.as_str(), &URL_SAFE_NO_PAD.encode(digest))
            }
        }
    }
}

fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_address_is_absolute_and_kept_as_given() {
        for text in [
            "http://127.0.0.1:9001/cb",
            "https://E.com",
            "https://e.com/a?b=c",
        ] {
            assert_eq!(text.parse::<RedirectUri>().unwrap().as_str(), text);
        }
        for text in [
            "",
            "/cb",
            "https://e.com/#x",
            "javascript:alert(1)",
            " https://e.com",
            "https://u:p@e.com",
        ] {
            assert!(text.parse::<RedirectUri>().is_err(), "{text}");
        }
    }

    #[test]
    fn parameters_stand_behind_those_of_the_address() {
        let uri: RedirectUri = "https://e.com/cb?b=c".parse().unwrap();
        assert_eq!(
            uri.with(&[("code", "1&2"), ("state", "ü")]),
            "https://e.com/cb?b=c&code=1%262&state=%C3%BC"
        );
    }

    /// The example of RFC 7636, appendix B.
    #[test]
    fn a_verifier_fits_its_challenge_only() {
        let verifier: PkceText = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            .parse()
            .unwrap();
        let challenge: PkceText = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
            .parse()
            .unwrap();
        assert!(CodeChallenge::Sha256(challenge.clone()).fits(&verifier));
        assert!(!CodeChallenge::Sha256(challenge.clone()).fits(&challenge));
        assert!(CodeChallenge::Plain(verifier.clone()).fits(&verifier));
        assert!(!CodeChallenge::Plain(challenge).fits(&verifier));
    }
}

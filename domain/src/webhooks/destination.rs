//! The addresses of webhooks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::webhook::{AddressError, receiver_address};

/// The address that the requests of a webhook go to. Programs put secrets into its path and its query, so logs and errors
/// name its host alone.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Destination(Url);

/// The text is no such address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DestinationError {
    /// It is no address that requests go to.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The host is not written in ASCII.
    #[error("write the host «{written}» in ASCII, as «{host}»")]
    Host {
        /// The host in the text.
        written: String,
        /// The host in ASCII.
        host: String,
    },
}

impl Destination {
    /// The whole address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The whole address.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// The host, with the port if it is not the usual one.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        match self.0.port() {
            None => host.to_owned(),
            Some(port) => format!("{host}:{port}"),
        }
    }
}

impl FromStr for Destination {
    type Err = DestinationError;

    fn from_str(text: &str) -> Result<Self, DestinationError> {
        let address = Self(receiver_address(text)?);
        let spelling = written_host(text);
        if spelling.is_ascii() && !spelling.contains('%') {
            Ok(address)
        } else {
            Err(DestinationError::Host {
                written: spelling.to_owned(),
                host: address.host(),
            })
        }
    }
}

/// The host of an address in the text, with the port. An address of the web may have any number of slashes before it.
fn written_host(text: &str) -> &str {
    let rest = text.split_once(':').map_or(text, |(_, rest)| rest);
    let behind = rest.trim_start_matches(['/', '\\']);
    let end = behind.find(['/', '\\', '?', '#']);
    end.and_then(|end| behind.get(..end)).unwrap_or(behind)
}

impl TryFrom<String> for Destination {
    type Error = DestinationError;

    fn try_from(text: String) -> Result<Self, DestinationError> {
        text.parse()
    }
}

impl From<Destination> for String {
    fn from(destination: Destination) -> Self {
        destination.0.into()
    }
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Destination").field(&self.host()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Destination>().unwrap_err().to_string()
    }

    #[test]
    fn a_bare_host_gets_a_slash_and_a_path_keeps_its_end() {
        for (text, kept) in [
            ("https://hooks.example", "https://hooks.example/"),
            ("https://hooks.example/", "https://hooks.example/"),
            ("https://hooks.example?k=1", "https://hooks.example/?k=1"),
            ("https://hooks.example/in", "https://hooks.example/in"),
            ("https://hooks.example/in/", "https://hooks.example/in/"),
            ("HTTPS://Hooks.Example:443/In", "https://hooks.example/In"),
            (
                "http://hooks.example:8080/ü",
                "http://hooks.example:8080/%C3%BC",
            ),
            (
                "https://xn--e1afmkfd.xn--p1ai/",
                "https://xn--e1afmkfd.xn--p1ai/",
            ),
        ] {
            let destination: Destination = text.parse().unwrap();
            assert_eq!(destination.as_str(), kept);
            let json = serde_json::to_value(&destination).unwrap();
            assert_eq!(json, kept);
            assert_eq!(
                serde_json::from_value::<Destination>(json).unwrap(),
                destination
            );
        }
    }

    #[test]
    fn a_host_in_other_letters_is_refused_by_its_name() {
        for (text, written, host) in [
            ("https://пример.рф/in", "пример.рф", "xn--e1afmkfd.xn--p1ai"),
            ("https:\\\\пример.рф", "пример.рф", "xn--e1afmkfd.xn--p1ai"),
            (
                "http:пример.рф:81?a",
                "пример.рф:81",
                "xn--e1afmkfd.xn--p1ai:81",
            ),
            (
                "https://%D1%8F.example/",
                "%D1%8F.example",
                "xn--41a.example",
            ),
            ("http://１２７.0.0.1/", "１２７.0.0.1", "127.0.0.1"),
        ] {
            let message = format!("write the host «{written}» in ASCII, as «{host}»");
            assert_eq!(error(text), message);
        }
    }

    #[test]
    fn an_address_that_is_unfit_is_refused_with_a_remedy() {
        for (text, help) in [
            ("", "absolute address"),
            ("hooks.example/in", "absolute address"),
            ("ftp://hooks.example/", "http:// or https://"),
            ("https://u:p@hooks.example/", "before the @"),
            ("https://hooks.example/#x", "from # on"),
            ("https://hooks.example:25/", "another port"),
            ("https://hooks.example/a\nb", "line breaks"),
        ] {
            assert!(error(text).contains(help), "{text:?}: {}", error(text));
        }
    }

    #[test]
    fn a_log_has_the_host_alone() {
        let destination: Destination = "http://hooks.example:81/s3cret?k=s3cret".parse().unwrap();
        let text = format!("{destination:?} {}", destination.host());
        assert_eq!(text, "Destination(\"hooks.example:81\") hooks.example:81");
    }
}

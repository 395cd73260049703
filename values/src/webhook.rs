//! The addresses for the callbacks of a channel.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::id::ScopeId;

/// Ports that no callback is sent to: none at all, and the one where mail servers listen, which take the lines of a
/// request for commands.
pub const REFUSED_PORTS: [u16; 2] = [0, 25];
/// The placeholder of the scope's id.
const PLACE: &str = ":scope_id";
/// The same as paths are often written; kept as [`PLACE`].
const OTHER_PLACES: [&str; 3] = ["{scope_id}", "%7Bscope_id%7D", "%7bscope_id%7d"];
const CHARACTERS_MAX: usize = 2_048;

/// A channel's callback address: an absolute address of the web of at most 2,048 bytes, without user name and fragment.
/// `:scope_id` or `{scope_id}` in its path or query stands for the scope's id. Other braces are refused: they would be sent as
/// they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WebhookAddress(Url);

/// The text is no such address; says what would have been one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(pub &'static str);

impl WebhookAddress {
    /// The address as it was declared, the placeholder still in it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The address as it was declared.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// The port that callbacks go to.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.0.port_or_known_default()
    }

    /// Returns whether the id of a scope goes into the address.
    #[must_use]
    pub fn needs_scope(&self) -> bool {
        self.as_str().contains(PLACE)
    }

    /// The address for callbacks to this scope.
    #[must_use]
    pub fn for_scope(&self, scope: &ScopeId) -> String {
        self.as_str().replace(PLACE, &scope.to_string())
    }
}

impl FromStr for WebhookAddress {
    type Err = AddressError;
    fn from_str(text: &str) -> Result<Self, AddressError> {
        let other_place = OTHER_PLACES
            .iter()
            .fold(text.to_owned(), |text, place| text.replace(place, PLACE));
        if other_place.contains(['{', '}']) {
            return Err(AddressError(
                "write :scope_id or {scope_id} where the id of the scope goes; the address has other braces",
            ));
        }
        receiver_address(&other_place).map(Self)
    }
}

impl TryFrom<String> for WebhookAddress {
    type Error = AddressError;
    fn try_from(text: String) -> Result<Self, AddressError> {
        text.parse()
    }
}

impl From<WebhookAddress> for String {
    fn from(address: WebhookAddress) -> Self {
        address.0.into()
    }
}

impl fmt::Display for WebhookAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An address that requests of the service may go to: one of the web, without fragment, and not at a port of mail servers.
///
/// # Errors
/// What to write instead.
pub fn receiver_address(text: &str) -> Result<Url, AddressError> {
    let url = web_address(text)?;
    if url.fragment().is_some() {
        return Err(AddressError(
            "leave out the part from # on, it is never sent",
        ));
    }
    if url.port().is_some_and(|port| REFUSED_PORTS.contains(&port)) {
        return Err(AddressError(
            "write another port: nothing is sent to port 0 or 25",
        ));
    }
    // The parser leaves them out, and two readers of one text are to see the same address.
    if text.chars().any(char::is_control) {
        return Err(AddressError("leave out tabs and line breaks"));
    }
    Ok(url)
}

/// An absolute address of the web, without user name and password.
///
/// # Errors
/// What to write instead.
pub fn web_address(text: &str) -> Result<Url, AddressError> {
    const EXPECTED: AddressError =
        AddressError("write an absolute address, as in https://example.com/hook");
    let url = Url::parse(text).map_err(|_not_absolute| EXPECTED)?;
    // The parser escapes what no address holds, and what it makes is what is kept.
    if text.len().max(url.as_str().len()) > CHARACTERS_MAX {
        return Err(AddressError(
            "write an address of at most 2048 characters, those of escapes such as %20 included",
        ));
    }
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(AddressError(
            "write an address that begins with http:// or https://",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError(
            "leave out the user name and password before the @",
        ));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_and_query_contain_the_scope() {
        let scope: ScopeId = "messenger_af9945ff-1490-4cad-807d-945c15d88bec"
            .parse()
            .unwrap();
        for (text, expected) in [
            (
                "https://e.com/in/:scope_id",
                format!("https://e.com/in/{scope}"),
            ),
            (
                "https://e.com/:scope_id?s=:scope_id",
                format!("https://e.com/{scope}?s={scope}"),
            ),
            (
                "https://e.com/in/{scope_id}",
                format!("https://e.com/in/{scope}"),
            ),
            (
                "https://e.com/{scope_id}/x?s={scope_id}&t=:scope_id",
                format!("https://e.com/{scope}/x?s={scope}&t={scope}"),
            ),
            (
                "https://e.com/%7Bscope_id%7D?s=%7bscope_id%7d",
                format!("https://e.com/{scope}?s={scope}"),
            ),
            ("http://e.com:8080", "http://e.com:8080/".to_owned()),
        ] {
            let address: WebhookAddress = text.parse().unwrap();
            assert_eq!(address.for_scope(&scope), expected);
            assert_eq!(address.as_str().parse(), Ok(address));
        }
    }

    #[test]
    fn an_accepted_address_can_be_stored_and_read_again() {
        for letter in ["x", "é", " ", "\""] {
            let fits = |times: &usize| {
                let text = format!("https://e.com?{}", letter.repeat(*times));
                text.parse::<WebhookAddress>().ok()
            };
            let longest = (0..2_048).rev().find_map(|times| fits(&times)).unwrap();
            assert!(longest.as_str().len() <= 2_048, "{letter}");
            let json = serde_json::to_value(&longest).unwrap();
            assert_eq!(
                serde_json::from_value::<WebhookAddress>(json).unwrap(),
                longest
            );
        }
    }

    #[test]
    fn an_address_unfit_for_callbacks_is_refused_with_a_remedy() {
        let long = format!("https://e.com/{}", "x".repeat(2_048));
        let longer_when_escaped = format!("https://e.com/{}", "é".repeat(1_000));
        for (text, help) in [
            ("", "absolute address"),
            ("/in", "absolute address"),
            ("http://:scope_id/in", "absolute address"),
            ("http://{scope_id}/in", "absolute address"),
            ("https://e.com/{scope}", "{scope_id}"),
            ("https://e.com/in/{{scope_id}}", "{scope_id}"),
            ("https://e.com/?s={channel_id}", "{scope_id}"),
            ("ftp://e.com/", "http:// or https://"),
            ("mailto:a@e.com", "http:// or https://"),
            ("https://u:p@e.com/", "before the @"),
            ("https://e.com/#x", "from # on"),
            ("https://e.com:25/", "another port"),
            ("http://e.com:0/", "another port"),
            ("https://e\t.com/", "tabs"),
            (&long, "at most 2048"),
            (&longer_when_escaped, "at most 2048"),
        ] {
            let error = text.parse::<WebhookAddress>().unwrap_err();
            assert!(error.0.contains(help), "{text:?}: {error}");
        }
    }
}
